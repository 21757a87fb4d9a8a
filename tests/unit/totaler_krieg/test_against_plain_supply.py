"""Supply on maps and positions by chance: found by the rules, and by following each line forwards."""

from __future__ import annotations

import os
import random
from collections import Counter
from copy import deepcopy
from dataclasses import asdict
from typing import Any

import pytest

from pbem.rules import Game
from pbem.systems.totaler_krieg import SYSTEM
from pbem.systems.totaler_krieg.rules.ground import Ground
from pbem.systems.totaler_krieg.rules.pieces import State, T, pieces, put, send
from pbem.systems.totaler_krieg.rules.reading import build_world
from pbem.systems.totaler_krieg.rules.supply import Supply
from pbem.systems.totaler_krieg.rules.world import World
from pbem.testing.runner import prepare

from .plain_supply import Lines

POSITIONS = 2_000 if os.environ.get("PBEM_LONG") else 120
SHARES = 4
START = prepare(SYSTEM, {})


def richer(rng: random.Random) -> Any:
    """Lodestar with lakes, straits, mountains, more rails and roads, more ports, by chance."""
    scenario = deepcopy(SYSTEM.scenario("lodestar"))
    chart = scenario["map"]
    world = START.world
    assert isinstance(world, World)
    land = [hex for hex in world.hexes if world.land(hex)]
    pairs = sorted({(a, b) for a in land for b in world.beside(a) if a < b and world.land(b)})
    plain = [pair for pair in pairs if world.hexside_of(*pair) == "plain" and world.linked_by(*pair) is None]
    chosen = rng.sample(plain, 40)
    for kind, some in zip(
        ("lake", "strait_connected", "mountain"), (chosen[:5], chosen[5:10], chosen[10:15]), strict=True
    ):
        chart["hexsides"].setdefault(kind, []).extend(f"{a}/{b}" for a, b in some)
    chart["links"]["rail"] += [f"{a}-{b}" for a, b in chosen[15:27]]
    chart["links"]["road"] += [f"{a}-{b}" for a, b in chosen[27:]]
    coast = [hex for hex in land if any(world.sea(n) for n in world.beside(hex)) and hex not in world.ports]
    for hex in rng.sample(coast, 3):
        zones = sorted({zone for n in world.beside(hex) for zone in world.zones_of(n) if world.sea(n)})
        if zones:
            chart["places"]["port"].append({"hex": hex, "zones": zones})
    return scenario


def scattered(scenario: Any, rng: random.Random) -> Game:
    """Units, markers, aircraft and fleets anywhere on such a map; countries as chance has it."""
    world = build_world(SYSTEM, scenario, START.options)
    game = Game(START.system, scenario, START.options, START.players, START.position.copy(), world=world)
    t = T.of(game)
    t.countries["weyland"] = rng.choice(
        (State("neutral"), State("active", "axis"), State("active", "western"))
    )
    t.countries["tamar"] = rng.choice((State("active", "axis"), State("conquered", "axis", "western")))
    for country, faction in (("tamar", "western"), ("rosk", "axis"), ("norland", "soviet")):
        t.postures[country] = {
            **t.postures.get(country, {}),
            faction: rng.choice(("war", "war", "policy", "truce")),
        }
    land = [hex for hex in world.hexes if world.land(hex)]
    boxes = [f"{zone}.{box}" for zone in world.zones for box in ("on_station", "convoys")]
    held: dict[str, str] = {}
    for piece in pieces(game):
        send(piece, "pool")
        if piece.owner not in world.factions or rng.random() < 0.4:
            continue
        if piece.type == "convoy":
            put(piece, rng.choice([box for box in boxes if box.endswith("convoys")]))
            piece.side = rng.choice(("supply", "supply", "troop"))
        elif piece.type == "surface_fleet":
            put(piece, rng.choice(("0507", "0406", "0508", "south.on_station")))
            if not piece.hex or "." not in piece.hex:
                piece.back, piece.facing = "beachhead", rng.choice((2, 3))
        elif piece.type in ("air_force", "cv_fleet"):
            put(
                piece,
                rng.choice([rng.choice(land), rng.choice([box for box in boxes if box.endswith("station")])]),
            )
        else:
            hex = rng.choice(land) if rng.random() < 0.93 else "0507"
            if held.setdefault(hex, piece.owner) != piece.owner:
                continue
            put(piece, hex)
            piece.steps = rng.choice(sorted(piece.print.faces)) if piece.print.faces else 1
            if piece.print.ground and piece.steps == 1 and rng.random() < 0.12:
                piece.back = rng.choice(("airdrop", "detachment"))
    return game


def plainly(game: Game) -> Lines:
    t = T.of(game)
    countries = {id: asdict(state) for id, state in t.countries.items()}
    postures = {id: dict(row) for id, row in t.postures.items()}
    return Lines(
        game.scenario, {id: dict(row) for id, row in game.position.counters.items()}, countries, postures
    )


@pytest.mark.parametrize("share", range(SHARES))
def test_every_counter_is_supplied_as_the_plain_search_says(share: int) -> None:
    rng = random.Random(f"supply {share}")
    counts: Counter[bool] = Counter()
    for n in range(POSITIONS // SHARES):
        if n % 5 == 0:
            scenario = richer(rng)
        game = scattered(scenario, rng)
        supply, plain = Supply(game), plainly(game)
        for piece in pieces(game, spot="map"):
            if piece.hex is None or "." in piece.hex:
                continue
            expected = plain.supplied({"hex": piece.hex, "owner": piece.owner, "country": piece.country})
            assert supply.supplied(piece) == expected, (n, piece.id, piece.hex, expected)
            counts[expected] += 1
    assert min(counts[True], counts[False]) > POSITIONS // 2, counts


@pytest.mark.parametrize("share", range(SHARES))
def test_ports_bases_and_zones_of_control_are_those_of_the_plain_reading(share: int) -> None:
    rng = random.Random(f"ports {share}")
    ports: Counter[bool] = Counter()
    for n in range(POSITIONS // SHARES // 2):
        if n % 5 == 0:
            scenario = richer(rng)
        game = scattered(scenario, rng)
        supply, plain, ground = Supply(game), plainly(game), Ground(game)
        world = supply.world
        for faction in world.factions:
            zone_of_control = {hex for hex in plain.letter if plain.zoc(hex, faction)}
            assert {hex for hex in plain.letter if hex in ground.ezoc(faction)} == zone_of_control, (
                n,
                faction,
            )
            for hex in plain.letter:
                assert ground.control(hex) == plain.control(hex), (n, hex)
                for zone in plain.zones(hex):
                    expected = plain.open_port(hex, faction, zone, True)
                    assert supply.open_port(hex, faction, zone) == expected, (n, hex, faction, zone)
                    ports[expected] += 1
            for hex in plain.ports:
                assert supply.naval_base(hex, faction) == plain.naval_base(hex, faction), (n, hex, faction)
    assert min(ports.values()) > POSITIONS // 4, ports
