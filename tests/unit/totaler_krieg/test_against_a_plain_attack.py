"""Attacks by chance, resolved by the rules and by the plain reference algorithm: everything must be equal."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Coroutine
from typing import Any

import pytest

from pbem.engine.requests import AskRequest, RollRequest
from pbem.rules import Game, Roll
from pbem.systems.totaler_krieg import SYSTEM
from pbem.systems.totaler_krieg.rules.decisions.defence import Hold
from pbem.systems.totaler_krieg.rules.fighting import Fight, hard
from pbem.systems.totaler_krieg.rules.orders import Attack
from pbem.systems.totaler_krieg.rules.pieces import T, piece, pieces, put, send, world_of
from pbem.systems.totaler_krieg.rules.strength import Assault
from pbem.testing.runner import prepare
from tests.nightly import IN_CI

from .plain import Plain

ATTACKS = 10_000 if os.environ.get("PBEM_LONG") else 600
SHARES = 4
WEATHER = ("clear", "clear", "mud", "snow", "storms")


SCENARIO = SYSTEM.scenario("lodestar")


def drive(coroutine: Coroutine[Any, Any, Any], game: Game, die: int, hold: int) -> Any:
    """Run a procedure without an engine: defaults for every question, this die for every roll."""
    given: Any = None
    try:
        while True:
            request = coroutine.send(given)
            if isinstance(request, RollRequest):
                given = Roll(("test",), request.dice, (die,))
            else:
                assert isinstance(request, AskRequest)
                given = [
                    min(hold, one.most) if isinstance(one, Hold) else one.default(game)
                    for one in request.decisions
                ]
    except StopIteration as end:
        return end.value


def scattered(game: Game, rng: random.Random) -> Game:
    """A position by chance: two or three factions close to each other, markers and aircraft among them."""
    world = world_of(game)
    T.of(game).weather = {"north": rng.choice(WEATHER), "desert": rng.choice(WEATHER)}
    centre = rng.choice([hex for hex in world.hexes if world.land(hex)])
    near = [hex for hex in world.within(centre, rng.choice((2, 3, 4))) if world.land(hex)]
    beach(game, rng)
    taken: dict[str, str] = {}
    for one in pieces(game):
        if one.owner not in world.factions or one.type in (
            "convoy",
            "surface_fleet",
            "sub_fleet",
            "logistics",
        ):
            continue
        send(one, "pool")
        if rng.random() < 0.35 or one.type in ("cv_fleet", "partisan_base"):
            continue
        if one.type in ("air_force", "blitz"):
            put(one, rng.choice(near))
            continue
        hex = rng.choice(near if rng.random() < 0.8 else [hex for hex in world.hexes if world.land(hex)])
        if rng.random() < 0.1 and taken.get("0507", one.owner) == "western" == one.owner:
            hex = "0507"
        if one.print.airdrop_side and rng.random() < 0.5:
            put(one, hex, 1)
            one.back = "airdrop"
        elif taken.setdefault(hex, one.owner) == one.owner:
            put(one, hex, rng.choice(sorted(one.print.faces)))
    return game


def beach(game: Game, rng: random.Random) -> None:
    """Sometimes a western beachhead off 0607, with or without its convoy."""
    fleet = piece(game, "A-SF1")
    if rng.random() < 0.5:
        put(fleet, "0507")
        fleet.back, fleet.facing = "beachhead", 3
    if rng.random() < 0.3:
        send(piece(game, "A-CON1"), "pool")


def plainly(game: Game) -> Plain:
    """The same position for the reference algorithm."""
    found = Plain(SCENARIO, SYSTEM.data("tables/combat.yaml"))
    found.weather = dict(T.of(game).weather)
    for one in pieces(game):
        printed = one.print
        faces = {n: [f.attack, f.defence, f.movement] for n, f in printed.faces.items()}
        found.units[one.id] = {
            "id": one.id,
            "f": one.owner,
            "c": one.country,
            "t": one.type,
            "hex": one.hex if one.spot == "map" else None,
            "where": one.spot,
            "steps": one.steps,
            "faces": faces,
            "face": faces.get(one.steps),
            "traits": printed.traits,
            "delay": printed.delay,
            "back": one.back,
            "role": one.role,
            "side": one.side,
            "facing": one.facing,
            "strength": printed.beachhead,
        }
    return found


def chosen(game: Game, rng: random.Random) -> tuple[Attack, str, str] | None:
    """An attack by chance, legal or not: units beside a target, sometimes an HQ."""
    world = world_of(game)
    on_map = [one for one in pieces(game, spot="map") if one.role == "ground"]
    if not on_map:
        return None
    target = rng.choice(on_map)
    hex = target.hex or ""
    near = [one for one in on_map if one.hex in world.beside(hex) and one.owner != target.owner]
    if not near:
        return None
    faction = rng.choice(sorted({one.owner for one in near}))
    near = [one for one in near if one.owner == faction]
    units = rng.sample(near, rng.randint(1, len(near)))
    hqs = [one.id for one in on_map if one.type == "hq" and one.owner == faction and one not in units]
    hq = rng.choice(hqs) if hqs and rng.random() < 0.6 else None
    return Attack("A", hex, tuple(one.id for one in units), hq), faction, rng.choice(("blitz", "regular"))


def state(game: Game) -> dict[str, Any]:
    """Where every ground unit is, and with how many steps."""
    return {
        one.id: (one.hex, "map", one.steps) if one.spot == "map" else (None, one.spot, 0)
        for one in pieces(game)
        if one.print.ground
    }


def plain_state(found: Plain, ids: Any) -> dict[str, Any]:
    return {
        id: (u["hex"], u["where"], u["steps"] if u["where"] == "map" else 0)
        for id, u in found.units.items()
        if id in ids
    }


@pytest.mark.parametrize(
    "share", [pytest.param(share, marks=IN_CI if share else ()) for share in range(SHARES)]
)
def test_the_rules_resolve_an_attack_as_the_reference_algorithm_does(share: int) -> None:
    rng = random.Random(f"attacks {share}")
    codes: Counter[str] = Counter()
    start = prepare(SYSTEM, {})
    while sum(codes.values()) - codes["refused"] < ATTACKS // SHARES:
        game = scattered(start.copy(), rng)
        for _ in range(6):
            made = chosen(game, rng)
            if made is None:
                break
            codes[_compared(game, *made, rng)] += 1
    assert {"refused", "Ad", "Ex", "Dr1", "Dr2", "Dr3"} <= set(codes), codes
    assert codes["refused"] > ATTACKS // SHARES // 2, "attacks that are refused are compared too"


def _compared(game: Game, order: Attack, faction: str, segment: str, rng: random.Random) -> str:
    board = game.copy()
    die, hold = rng.randint(1, 6), rng.choice((0, 0, 1, 2))
    plain = plainly(board)
    expected = plain.attack(order.target, list(order.units), order.hq, segment == "blitz", die, hold)
    if hard(Assault(board, faction, order, segment).faults()):
        code = "refused"
    else:
        code = drive(Fight(board, faction, order, segment).run(), board, die, hold)
    known = state(board)
    assert (code, known) == (expected, plain_state(plain, known)), (
        order,
        segment,
        die,
        hold,
        T.of(board).weather,
    )
    return code
