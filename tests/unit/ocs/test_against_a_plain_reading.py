"""Supply paths and odds against a second implementation that was written from the rules alone."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.fighting.strength import column
from pbem.systems.ocs.rules.pieces import T, units, world_of
from pbem.systems.ocs.rules.supply.reach import Net
from pbem.systems.ocs.rules.supply.trace import Tracing
from pbem.testing.runner import prepare
from tests.unit.ocs.plain import Plain, distance, neighbours


@pytest.mark.parametrize("seed", range(12))
def test_supply_paths_reach_what_a_plain_search_reaches(seed: int) -> None:
    rng = random.Random(seed)
    game = prepare(SYSTEM, {})
    world = world_of(game)
    land = [hex for hex in world.hexes if world.land(hex)]
    taken: dict[str, str] = {}
    for u in units(game):
        free = [hex for hex in land if taken.get(hex, u.owner) == u.owner]
        u.hex = rng.choice(free)
        taken[u.hex] = u.owner
        u.facing = rng.choice(("combat", "move"))
    plain = Plain(SYSTEM.scenario("crossing_the_tol"), SYSTEM.data("tables/movement.yaml"))
    for side in world.seats:
        net = Net(game, side)
        for m in ("leg", "track", "truck"):
            start, limit = rng.choice([h for h in land if taken.get(h, side) == side]), rng.randrange(1, 9)
            reached = net.reach(start, limit, m)
            costs = {hex: Fraction(cost, world.scale) for hex, (_, cost) in reached.costs.items()}
            assert costs == plain.reach(game, side, start, limit, m)


@pytest.mark.parametrize("seed", range(6))
def test_the_hexes_in_supply_are_those_in_which_a_unit_would_be_in_trace(seed: int) -> None:
    """The layer of the map searches backwards from the sources; each hex is asked for by itself here."""
    rng = random.Random(seed)
    game = prepare(SYSTEM, {})
    world = world_of(game)
    land = [hex for hex in world.hexes if world.land(hex)]
    for u in units(game):
        u.hex, u.facing = rng.choice(land), rng.choice(("combat", "move"))
    T.of(game).ground = rng.choice(("dry", "mud", "freeze"))
    for side in world.seats:
        tracing = Tracing(game, side)
        hqs = [hq for hq in tracing.net.hqs() if tracing.of_hq(hq) is not None]
        each = {
            hex
            for hex in land
            if hex not in tracing.net.ground.hostile
            and (
                tracing.direct(hex) is not None or any(tracing.net.throws(hq, hex) is not None for hq in hqs)
            )
        }
        assert {hex for hex in tracing.fed() if world.land(hex)} == each


@pytest.mark.parametrize("seed", range(6))
def test_searches_from_targets_come_to_the_same_costs(seed: int) -> None:
    """A net that is asked from many hexes searches backwards; each hex is asked for by itself here."""
    rng = random.Random(seed)
    game = prepare(SYSTEM, {})
    world = world_of(game)
    land = [hex for hex in world.hexes if world.land(hex)]
    for u in units(game):
        u.hex, u.facing = rng.choice(land), rng.choice(("combat", "move"))
    T.of(game).ground = rng.choice(("dry", "mud", "freeze"))
    for side in world.seats:
        net, m, limit = Net(game, side), rng.choice(("truck", "leg", "track")), rng.randrange(1, 9)
        for target in rng.sample(world.hexes, 6):
            forwards = {
                start: cost[1]
                for start in world.hexes
                if (cost := net.reach(start, limit, m).near(target)) is not None
            }
            assert net.towards(target, limit, m) == forwards


def test_the_grid_lies_as_the_rules_say() -> None:
    world = world_of(prepare(SYSTEM, {}))
    for hex in world.hexes:
        assert set(world.beside(hex)) == {n for n in neighbours(hex) if n in world.index}
        assert world.distance(hex, "08.06") == distance(hex, "08.06")


@pytest.mark.parametrize("row", ["open", "close", "very_close", "extremely_close"])
def test_the_column_is_the_highest_that_the_odds_reach(row: str) -> None:
    world = world_of(prepare(SYSTEM, {}))
    heads = world.combat["odds"][row]
    for a in range(1, 120, 7):
        for d in range(1, 60, 5):
            big, small = max(a, d), min(a, d)
            ratio = int(Fraction(big, small) + Fraction(1, 2))
            mine = Fraction(ratio) if a >= d else Fraction(1, ratio)
            reached = [n for n, head in enumerate(heads) if Fraction(*map(int, head.split(":"))) <= mine]
            assert column(world, row, Fraction(a), Fraction(d))[0] == max(reached, default=0)


def test_the_way_of_a_supply_path_commits_and_costs_what_is_told() -> None:
    """R-128: The way told is the one counted: its steps cost that much and enter so many hexes where a
    friend must be committed."""
    assert sum(map(ways_that_commit_several, range(8)))


def ways_that_commit_several(seed: int) -> int:
    """Check the ways of one random board; how many of them commit two units or more."""
    rng = random.Random(seed)
    game = prepare(SYSTEM, {})
    world, several = world_of(game), 0
    land = [hex for hex in world.hexes if world.land(hex)]
    for u in units(game):
        u.hex, u.facing = rng.choice(land), "combat"
    T.of(game).phase, T.of(game).acting = "C", rng.choice(world.seats)
    for side in world.seats:
        net, limit = Net(game, side, trace=False), rng.randrange(3, 9)
        for start in rng.sample(land, 20):
            reached = net.reach(start, limit, "truck")
            for hex, (tolls, cost) in reached.costs.items():
                way = world.index[start], *map(world.at, reached.way(hex))
                rows = [net.steps(one, "truck").row for one in way[:-1]]
                every = [row.get(to, limit * world.scale) for row, to in zip(rows, way[1:], strict=True)]
                assert sum(every) == cost
                assert sum(to in net.tolls("truck") for to in reached.way(hex)) == tolls
                several += tolls > 1
    return several
