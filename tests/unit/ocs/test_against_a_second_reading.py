"""Supply, trace and fights of random small wars against `second.py`, written from the rules alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import copy
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.system import System
from pbem.rules import Game
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.fighting.losses import Retreat, by_combat_rule
from pbem.systems.ocs.rules.fighting.strength import fight, read_result, shifted, surprise
from pbem.systems.ocs.rules.pieces import Unit, units, world_of
from pbem.systems.ocs.rules.supply.reach import Net
from pbem.systems.ocs.rules.supply.trace import Tracing
from pbem.testing.runner import prepare
from tests.unit.ocs.second import Fight, Supply, around

COLUMNS, ROWS = 11, 8
KINDS = {
    ".": "open", "w": "woods", "f": "forest", "h": "hills", "r": "rough", "m": "mountain", "s": "swamp",
    "v": "village", "c": "minor_city", "C": "major_city", "~": "sea",
}  # fmt: skip
MOBILITIES = ("leg", "track", "truck")
CHART = SYSTEM.data("tables/movement.yaml")


def war(rng: random.Random) -> System:
    """A small map of every terrain with rivers, roads and railroads; two armies with HQs of every
    mobility, one of them divisional, and a formation."""
    data: dict[str, Any] = dict(SYSTEM.scenario("crossing_the_tol"))
    letters = "......wwhhfrmsvvccC~"
    grid = [[rng.choice(letters) for _ in range(COLUMNS)] for _ in range(ROWS)]
    hexes = [f"{c:02}.{r:02}" for c in range(1, COLUMNS + 1) for r in range(1, ROWS + 1)]
    land = [h for h in hexes if grid[ROWS - int(h[3:])][int(h[:2]) - 1] != "~"]
    on_map = set(hexes)
    sides = [(a, b) for a in hexes for b in around(a) if a < b and b in on_map]

    def some(n: int) -> list[str]:
        return [f"{a}/{b}" for a, b in rng.sample(sides, n)]

    def line() -> str:
        way = [rng.choice(land)]
        while len(way) < 9:
            free = [n for n in around(way[-1]) if n in land and n not in way]
            if not free:
                break
            way.append(rng.choice(free))
        return "-".join(way)

    def lines(n: int) -> list[str]:
        return [way for way in (line() for _ in range(n)) if "-" in way]

    links = {kind: lines(n) for kind, n in (("road", 2), ("track", 1), ("railroad", 5))}
    on_rails = sorted({hex for way in links["railroad"] for hex in way.split("-")})
    data["map"] = {
        **{key: data["map"][key] for key in ("shifted", "rows_from", "separator")},
        "legend": KINDS,
        "terrain": [" ".join(row) for row in grid],
        "hexsides": {"minor_river": some(18), "major_river": some(8)},
        "links": links,
    }
    ports = rng.sample(land, 3)
    data["ports"] = {hex: {"printed_T": 8, "owner": rng.choice(["aster", "bren"])} for hex in ports}
    data["supply_sources"] = {
        side: [*rng.sample(on_rails, min(2, len(on_rails))), *rng.sample(ports, 1), rng.choice(land)]
        for side in ("aster", "bren")
    }
    data["control"] = {"aster": {"columns": [1, 6]}, "bren": {"columns": [7, COLUMNS]}}
    data |= {"air_bases": {}, "hedgehogs": {}}
    data["victory"] = {**data["victory"], "held_for": {}, "lost": {}}
    data["oob"] = {"repl_unit": data["oob"]["repl_unit"]} | {s: army(rng, s, land) for s in ("aster", "bren")}
    system = copy(SYSTEM)
    system._data = {**SYSTEM._data, "scenarios/crossing_the_tol.yaml": data}
    return system


def army(rng: random.Random, side: str, land: list[str]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for n in range(14):
        hq = n < 5
        foot = [rng.choice([0, 3, None]), 3, rng.choice(MOBILITIES)]
        row: dict[str, Any] = {
            "id": f"{side}-{n}", "name": f"Unit {n}", "size": "div" if n == 13 else "rgt",
            "hex": rng.choice(land), "category": "other", "kind": "hq" if hq else "infantry_type",
            "ar": 0 if hq else 3, "c": [None, 0, "truck"] if hq else foot,
            "m": [None, 10, "truck"] if hq else [2, 5, rng.choice(["leg", "truck"])],
        }  # fmt: skip
        if hq:
            throw = [rng.randint(0, 6), rng.randint(0, 3)]
            row |= {"throw": throw, "throw_mobility": rng.choice(MOBILITIES)}
        if n == 4:
            row |= {"flags": ["divisional_hq"]}
        if n == 13:
            row |= {"steps": 3, "re": 3}
        rows.append(row)
    dumps = {hex: rng.randint(1, 9) for hex in rng.sample(land, 4)}
    return {
        "reserve_markers": 4, "rail_cap": 3, "start_supply_T": dumps, "units": rows,
        "formations": {f"{side}-F": [f"{side}-4", f"{side}-5", f"{side}-6"]},
    }  # fmt: skip


def position(system: System, rng: random.Random, phase: str, crowd: int = 0) -> Game:
    """Everybody anywhere on land (`crowd`: in so many hexes), no two sides together, in every state."""
    game = prepare(system, {})
    land = [hex for hex in world_of(game).hexes if world_of(game).land(hex)]
    tracks, taken = game.tracks, dict[str, str]()
    places = {"aster": land, "bren": land}
    if crowd:
        chosen = rng.sample(land, crowd)
        places = {"aster": chosen[::2], "bren": chosen[1::2]}
    for u in units(game):
        u.hex = rng.choice([h for h in places[u.owner] if taken.get(h, u.owner) == u.owner])
        taken[u.hex] = u.owner
        u.facing = rng.choice(("combat", "combat", "move"))
        u.marker = rng.choice(("none", "none", "none", "reserve", "dg", "strat"))
        u.oos = rng.random() < 0.1
        u.done = rng.random() < 0.3
        u.released = rng.random() < 0.2
    tracks["control"] = {hex: rng.choice(["aster", "bren"]) for hex in land} | taken  # type: ignore[dict-item]
    tracks["dumps"] = {  # type: ignore[assignment]
        hex: one
        for hex, one in tracks["dumps"].items()
        if taken.get(hex, one["owner"]) == one["owner"]  # type: ignore[union-attr, index, call-overload]
    }
    for hex, port in list(tracks["ports"].items()):  # type: ignore[union-attr]
        tracks["ports"][hex] = {**port, "hits": rng.randrange(5)}  # type: ignore[index, call-overload, dict-item]
    tracks |= {"phase": phase, "acting": "aster", "ground": rng.choice(["dry", "mud", "freeze"])}
    for side in ("aster", "bren"):
        for n in range(2):
            hex = rng.choice([h for h in land if taken.get(h, side) == side])
            m = rng.choice(["leg", "truck"])
            moved = {"mobility": m, "ma": 40, "point_mobility": m, "range": rng.randint(2, 8)}
            fields = {"owner": side, "kind": "extender", "hex": hex, "type": "truck", **moved}
            game.position.add(f"{side}-X{n}", fields)
    return game


def second(system: System, game: Game, side: str, still: bool) -> Supply:
    scenario = system.scenario("crossing_the_tol")
    return Supply(scenario, CHART, dict(game.position.counters), dict(game.tracks), side, still)


@pytest.mark.parametrize("seed", range(6))
def test_who_is_in_trace_and_by_what(seed: int) -> None:
    rng = random.Random(seed)
    system = war(rng)
    game = position(system, rng, "D")
    for side in ("aster", "bren"):
        tracing, plain = Tracing(game, side), second(system, game, side, True)
        sources = plain.sources()
        assert set(tracing.sources) == sources
        for u in units(game, side):
            drawn, served = plain.traced(u.id, sources)
            links = tracing.links(u)
            assert {link.hq for link in links if link.hq} == served, u.id
            direct = {link.source for link in links if not link.hq}
            assert direct <= drawn and bool(direct) == bool(drawn), u.id
            assert u.formation is None or direct == drawn


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("phase", ["C", "E", "F", "G"])
def test_which_dumps_a_unit_can_use_in_which_order_and_who_must_stay_for_it(seed: int, phase: str) -> None:
    rng = random.Random(repr((seed, phase)))
    system = war(rng)
    game = position(system, rng, phase)
    scale = world_of(game).scale
    for side in ("aster", "bren"):
        for still in (True, False):
            net, plain = Net(game, side, trace=still), second(system, game, side, still)
            for u in units(game, side):
                found = [
                    (s.tolls, s.thrown, Fraction(s.cost, scale), s.hex) for s in net.usable(u.hex or "", u)
                ]
                assert found == plain.usable(u.id), u.id


@pytest.mark.parametrize("seed", [*range(6), 242, 247])  # the last two: a full hex, a second hex that counts
def test_where_a_group_falls_back_to_and_what_that_costs(seed: int) -> None:
    rng = random.Random(repr(("retreat", seed)))
    system = war(rng)
    game = position(system, rng, "F", rng.choice([6, 12, 40]))
    for side in ("aster", "bren"):
        plain = second(system, game, side, True)
        barred = frozenset(u.hex or "" for u in units(game, world_of(game).enemy(side)))
        for hex in sorted({u.hex or "" for u in units(game, side)}):
            group = units(game, side, hex)
            for n in (1, 2, 3):
                paths = Retreat(game, group, n, barred)
                way = paths.default()
                wanted = plain.retreat([u.id for u in group], n)
                assert (way and (way.lost, way.path)) == wanted, (hex, n)


STATES: tuple[Callable[[random.Random], dict[str, Any]], ...] = (
    lambda rng: {},
    lambda rng: {"marker": "dg"},
    lambda rng: {"oos": True},
    lambda rng: {"facing": "move"},
    lambda rng: {"lost": rng.choice([1, 2])},
)


def printed(rng: random.Random, owner: str) -> dict[str, Any]:
    """A unit of any category, size and level of anti-tank; of the defender's some in parentheses."""
    steps = rng.choice([1, 1, 3])
    kinds = ["infantry_type", "artillery", "hq"] if owner == "bren" else ["infantry_type"]
    row: dict[str, Any] = {
        "name": "Unit", "size": "div" if steps > 1 else "rgt", "steps": steps, "re": steps,
        "kind": rng.choice(kinds), "ar": rng.randint(0, 5),
        "category": rng.choice(["armor", "mech", "other"]),
        "flags": [one for one in ("tank_symbol", "anti_tank") if rng.random() < 0.2],
        "c": [rng.randint(0, 12), 3, "leg"], "m": [rng.randint(0, 6), 5, "leg"],
    }  # fmt: skip
    if row["kind"] != "infantry_type":
        row |= {"c": [None, 3, "leg"], "m": [None, 5, "leg"]}
    return row


@pytest.mark.parametrize("seed", range(30))
def test_a_fight_from_strengths_to_its_result(seed: int) -> None:
    rng = random.Random(seed)
    charts = SYSTEM.data("tables/combat.yaml")
    level = rng.choice([0, 0, 0, 1, 3])
    target = rng.choice(["08.06", "08.03", "08.07", "08.10", "09.07"])
    near = [h for h in around(target) if h[:2] in ("07", "08", "09")]
    ground = rng.choice(["dry", "freeze"])
    counters: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    scenario = SYSTEM.scenario("crossing_the_tol")
    rivers = {frozenset(one.split("/")) for one in scenario["map"]["hexsides"]["minor_river"]}

    def unit(id: str, owner: str, hex: str, state: dict[str, Any]) -> None:
        rows[id] = row = printed(rng, owner)
        kept = state if row["steps"] > 1 else {key: state[key] for key in state if key != "lost"}
        counters[id] = {"owner": owner, "kind": row["kind"], "hex": hex, "printed": row, **kept}

    for n in range(rng.randint(1, 4)):
        unit(f"X-{n}", "aster", rng.choice(near), rng.choice(STATES)(rng))
    for n in range(rng.randint(1, 3)):
        state = rng.choice((*STATES, lambda rng: {"marker": "reserve"}, lambda rng: {"marker": "strat"}))(rng)
        unit(f"Y-{n}", "bren", target, state)
    given = {"only": ["A-DD"], "counters": counters, "tracks": {"ground": ground, "hedgehogs": {}}}
    game = prepare(SYSTEM, given)
    game.tracks["hedgehogs"] = {target: {"owner": "bren", "level": level}} if level else {}
    mine = [Unit(game, id) for id in sorted(counters) if id[0] == "X"]
    theirs = [Unit(game, id) for id in sorted(counters) if id[0] == "Y"]
    fed = {u.id: rng.random() < 0.7 for u in theirs}
    s = fight(game, target, mine, theirs, fed)
    plain = Fight(charts, ground, [world_of(game).terrain[target]], level)
    by_hex = [
        (
            ["minor_river"] if frozenset((hex, target)) in rivers else [],
            [(rows[u.id], counters[u.id]) for u in mine if u.hex == hex],
        )
        for hex in sorted({u.hex or "" for u in mine})
    ]
    defenders = [(rows[u.id], {**counters[u.id], "supplied": fed[u.id]}) for u in theirs]
    a = plain.strength(by_hex, defenders)
    d, row, at = plain.defence(a, defenders)
    assert (s.a, s.d, s.row, s.column) == (a, d, row, at)
    for u in (*mine, *theirs):
        assert u.ar == plain.rating(rows[u.id], counters[u.id])
    world = world_of(game)
    for _ in range(20):
        kind, edge = rng.choice(["regular", "overrun"]), rng.randint(-5, 5)
        first, die, dice = rng.randint(2, 12), rng.randint(1, 6), rng.randint(2, 12)
        by = surprise(world, kind, first + edge - (1 if level else 0))
        end = shifted(world, s.column, by * die)
        code = read_result(world, end, dice + edge - level).code
        assert (end, code) == plain.result(at, kind == "overrun", edge, first, die, dice)


@pytest.mark.parametrize("seed", range(15))
def test_losses_of_a_fight_fall_first_on_the_rating_unit_then_on_nobody_twice(seed: int) -> None:
    rng = random.Random(seed)
    counters: dict[str, Any] = {}
    for n in range(rng.randint(1, 4)):
        steps = rng.randint(1, 3)
        row = {"name": str(n), "size": "div", "kind": "infantry_type", "category": "other", "ar": 3}
        row |= {"c": [rng.randint(1, 9), 3, "leg"], "m": [1, 3, "leg"], "steps": steps, "re": steps}
        counters[f"X-{n}"] = {"owner": "aster", "kind": "infantry_type", "hex": "05.05", "printed": row}
    game = prepare(SYSTEM, {"only": ["A-DD"], "counters": counters})
    pool = [Unit(game, id) for id in sorted(counters)]
    ar, wanted = rng.choice(sorted(counters)), rng.randint(0, 9)
    falls = by_combat_rule(pool, wanted, ar, {})
    left = {u.id: u.steps for u in pool}
    assert len(falls) == min(wanted, sum(left.values()))
    assert not falls or falls[0] == ar
    lost = dict.fromkeys(left, 0)
    for id in falls:
        untouched = [one for one in left if not lost[one]]
        assert lost[id] == 0 or not untouched
        lost[id] += 1
        assert lost[id] <= left[id]
