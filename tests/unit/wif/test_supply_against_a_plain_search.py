"""The supply search of 4.1 beside a plain one, on boards by chance: maps, holders, troops, ports, seas."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.rules import Game, System
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.paths import Goal, NoPath, Path
from pbem.systems.wif.rules.pieces import Unit
from pbem.systems.wif.rules.sources import Supply
from pbem.systems.wif.rules.world import world_of

from .plain import Plain

ROUNDS = 25


class Built(System):
    """The system with a scenario of its own."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self.__dict__.update(SYSTEM.__dict__)
        self._data = {**SYSTEM._data, "scenarios/chance.yaml": scenario}

    def scenarios(self) -> tuple[str, ...]:
        return ("chance",)


def chance_board(rng: random.Random, name: str = "narrow_sea_1943") -> Game:
    """The Narrow Sea with terrain, troops, holders, ports and convoys by chance."""
    base: dict[str, Any] = dict(SYSTEM.scenario(name))
    chart = dict(base["map"])
    rows = [row.split() for row in chart["terrain"]]
    chart["terrain"] = [" ".join(c if c in "WN" else rng.choice("ccccfms") for c in row) for row in rows]
    game = game_of(SYSTEM, *_started(SYSTEM, name))
    world = world_of(game)
    closed = {}
    land = [h for h in world.hexes if world.land(h)]
    pairs = sorted({tuple(sorted((a, b))) for a in land for b in world.beside(a) if world.land(b)})
    for kind in ("alpine", "lake", "strait"):
        closed[kind] = ["/".join(pair) for pair in rng.sample(pairs, 4)]
    chart["hexsides"] = {**chart["hexsides"], **closed}
    coasts = sorted(h for h in land if any(n in world.area_of for n in world.beside(h)))
    chart["places"] = {
        "site": [
            {"hex": h, "name": h, "city": True, "port": rng.choice(["minor", "minor", "major"])}
            for h in coasts
            if rng.randrange(2)
        ]
    }
    scenario = {**base, "map": chart, "units": {}}
    built = Built(scenario)
    fresh = game_of(built, *_started(built, "chance"))
    tracks = fresh.tracks
    for hex in land:
        if rng.randrange(3) == 0:
            tracks["control"][hex] = rng.choice(["CW", "USA", "GE"])
    tracks["damaged"] = sorted(h for h in world_of(fresh).sites if rng.randrange(6) == 0)
    for n in range(8):
        owner = rng.choice(["CW", "USA", "GE", "GE"])
        size = rng.choice(["corps", "corps", "division"])
        _put(fresh, f"u{n}", owner, rng.choice(["INF", "ARM"]), f"{size} 5-3", rng.choice(land))
    for n, area in enumerate(("NS", "WO")):
        for box, owner in enumerate(("CW", "GE")):
            _put(fresh, f"c{n}{owner}", owner, "CONV", "", f"{area}.{box}")
        if rng.randrange(3) == 0:
            _put(fresh, f"b{n}", rng.choice(["CW", "GE"]), "BB", "att 5", f"{area}.2")
    return fresh


def _started(system: System, name: str) -> tuple[Any, Any]:
    state = start(system, name, {})
    return state, state.position


def _put(game: Game, id: str, owner: str, type: str, printed: str, hex: str) -> None:
    if any(
        (o["owner"] == "GE") != (owner == "GE") and o["hex"] == hex for o in game.position.counters.values()
    ):
        return
    game.position.add(id, {"owner": owner, "type": type, "printed": printed, "hex": hex})


SIDES = {"CW": "allied", "USA": "allied", "GE": "axis"}


def _open_seas(
    own: str, power: str, carriers: dict[str, set[str]], warships: dict[str, set[str]]
) -> set[str]:
    """S-5 Sea areas that a power's paths may cross."""
    partners = {"CW": {"CW", "USA"}, "USA": {"CW", "USA"}, "GE": {"GE"}}[power]
    open_ = set()
    for area in ("NS", "WO"):
        theirs = any(SIDES[o] != own for o in warships.get(area, ()))
        mine = any(SIDES[o] == own for o in warships.get(area, ()))
        if carriers.get(area, set()) & partners and not (theirs and not mine):
            open_.add(area)
    return open_


def _shut(game: Game, land: list[str]) -> set[frozenset[str]]:
    """Hexsides that nothing crosses."""
    world = world_of(game)
    kinds = ("alpine", "lake", "sea")
    return {frozenset((a, b)) for k in kinds for a in land for b in world.beside(a) if world.crosses(k, a, b)}


def plain_of(game: Game, own: str, power: str) -> Plain:
    """The same board in plain sets, from the position and the chart of the map alone."""
    world, tracks = world_of(game), game.tracks
    land = [h for h in world.hexes if world.terrain[h] != "sea"]
    side = SIDES
    holder = {h: tracks["control"].get(h, world.home_control.get(h)) for h in land}
    enemies: set[str] = set()
    ours: set[str] = set()
    zones: set[str] = set()
    shut = _shut(game, land)
    carriers: dict[str, set[str]] = {}
    warships: dict[str, set[str]] = {}
    for fields in game.position.counters.values():
        hex, owner = str(fields["hex"]), str(fields["owner"])
        if fields["type"] in ("CONV", "BB"):
            into = carriers if fields["type"] == "CONV" else warships
            into.setdefault(hex.split(".")[0], set()).add(owner)
        elif side[owner] == own:
            ours.add(hex)
        else:
            enemies.add(hex)
            zones.add(hex)
            if "corps" in str(fields["printed"]) or fields["type"] == "HQ-I":
                zones |= {n for n in world.beside(hex) if n in land and frozenset((hex, n)) not in shut}
    open_ = _open_seas(own, power, carriers, warships)
    area_of = {
        h: ("WO" if world.map.area("sea", world.index[h]) == "WO" else "NS")
        for h in world.hexes
        if world.terrain[h] == "sea"
    }
    coast = {h: {area_of[n] for n in world.beside(h) if n in area_of} for h in land}
    coast = {h: areas for h, areas in coast.items() if areas}
    ports = {
        h: str(s.port)
        for h, s in world.sites.items()
        if s.port and side.get(str(holder[h])) == own and h in coast
    }
    rails = {frozenset((a, b)) for a in land for b in world.linked("rail", a)}
    straits = {frozenset((a, b)) for a in land for b in world.beside(a) if world.crosses("strait", a, b)}
    board: dict[str, Any] = {
        "terrain": {h: world.terrain[h] for h in land},
        "beside": {h: list(world.beside(h)) for h in land},
        "closed": shut,
        "straits": straits,
        "rails": rails,
        "friendly": {h for h in land if side.get(str(holder[h])) == own},
        "neutral": {h for h in land if holder[h] is None},
        "ours": ours,
        "enemies": enemies,
        "zones": zones,
        "ports": ports,
        "damaged": set(tracks["damaged"]),
        "coast": coast,
        "seas": [open_] if open_ else [],
    }
    return Plain(board)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_the_path_of_an_order_is_that_of_a_plain_search(seed: int) -> None:
    rng = random.Random(seed)
    game = chance_board(rng)
    world = world_of(game)
    land = [h for h in world.hexes if world.land(h)]
    coasts = list(world.coasts)
    for own, power in (("allied", "CW"), ("axis", "GE")):
        supply = Supply(game, own)
        plain = plain_of(game, own, power)
        assert {h for h in land if supply.ground.usable[world.index[h]]} == {
            h for h in land if plain.usable(h)
        }
        for _ in range(24):
            begin, end = rng.choice(coasts if rng.randrange(2) else land), rng.choice(land)
            rail, coastal, limit = rng.random() < 0.5, rng.random() < 0.3, rng.choice([2, 3, 4])
            full = {p for p in plain.ports if rng.randrange(4) == 0 and plain.ports[p] == "minor"}
            slots = dict.fromkeys(full, 2)
            found = supply.paths.find(power, begin, Goal(end, coast=coastal), limit, rail=rail, slots=slots)
            wanted = plain.best(begin, end, limit, rail=rail, coastal=coastal, full=full)
            if wanted is None:
                assert isinstance(found, NoPath), (begin, end, found)
                assert (found.code == "E-PATH") == _no_other(plain, begin, end, limit, rail, coastal)
            else:
                assert isinstance(found, Path), (begin, end, wanted, found)
                assert (bool(found.ports), len(found.slots), found.cost, found.way) == wanted


def _no_other(plain: Plain, begin: str, end: str, limit: int, rail: bool, coastal: bool) -> bool:
    """Is there no path even if ports were neither full nor damaged?"""
    damaged, plain.damaged = plain.damaged, set()
    found = plain.best(begin, end, limit, rail=rail, coastal=coastal, full=set())
    plain.damaged = damaged
    return found is None


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_who_is_in_supply_is_what_a_plain_reading_says(seed: int) -> None:
    """S-7 to S-9 with headquarters, aligned capitals, limited sources, weather, many overseas legs."""
    rng = random.Random(f"supply {seed}")
    game = chance_board(rng)
    world = world_of(game)
    land = [h for h in world.hexes if world.land(h)]
    for n in range(5):
        _put(game, f"hq{n}", rng.choice(["CW", "USA", "GE"]), "HQ-I", "3-3 reorg 2", rng.choice(land))
    game.tracks["weather"] = {
        zone: rng.choice(["fine", "snow", "blizzard"]) for zone in game.tracks["weather"]
    }
    for own in ("allied", "axis"):
        supply = Supply(game, own)
        for id in sorted(game.position.counters):
            u = Unit(game, id)
            if world.side_of[u.owner] != own or u.at_sea:
                continue
            found = supply.in_supply(u)
            assert found == _plainly(game, u, own), (id, u.hex)


def _plainly(game: Game, u: Unit, own: str) -> bool:
    world, tracks = world_of(game), game.tracks
    length = {"fine": 4, "snow": 3, "blizzard": 2}
    zones = {h: game.tracks["weather"][str(world.area("weather", h))] for h in world.hexes}
    homes = {"CW": {"Albion", "Union"}, "USA": {"Albion", "Union"}, "GE": {"Reich"}}[u.owner]
    boards = {
        power: plain_of(game, own, power) for power in ("CW", "USA", "GE") if world.side_of[power] == own
    }
    plain = boards[u.owner]
    cities = {h: str(world.area("country", h)) for h in world.sites if h in plain.friendly}
    primary = {h for h, name in cities.items() if name in homes}
    pending: list[tuple[str, str]] = []
    for fields in game.position.counters.values():
        owner = str(fields["owner"])
        if fields["type"] == "HQ-I" and world.cooperate(owner, u.owner):
            pending.append((str(fields["hex"]), owner))
    minor = {"CW": "0801", "USA": None, "GE": "1109"}[u.owner]
    if minor in cities:
        pending.append((str(minor), str(tracks["control"].get(minor, world.home_control[str(minor)]))))
    starts = set(primary)
    while joined := [
        (hex, power)
        for hex, power in pending
        if boards[power].flood(starts, rail=True).get(hex, 99) <= length[zones[hex]]
    ]:
        starts |= {hex for hex, _ in joined}
        pending = [one for one in pending if one not in joined]
    limit = length[zones[u.place]]
    coastal = u.type == "INF" and "division" in u.printed
    if any(plain.best(s, u.place, limit, rail=False, coastal=coastal, full=set()) for s in starts):
        return True
    limited = u.place in cities and u.place not in primary and u.place != minor
    holder = str(tracks["control"].get(u.place, world.home_control.get(u.place)))
    if not limited or u.place in plain.damaged:
        return False
    return u.place in boards[holder].flood(starts, rail=True, rails_only=True)
