"""Supply: who can trace to a source, how dearly, along which chain; both searches against a naive one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.board.map import GameMap
from pbem.kit.costs import StepCosts, both_ways
from pbem.kit.hexsets import from_flags, pack, unpack
from pbem.kit.supply import SupplyNet, Trace, supplied, supplied_over, supply_net, supply_net_over, trace
from tests.unit.kit.oracles import Country, cheapest, countries

GRID = HexGrid(12, 8)


def at(*numbers: str) -> tuple[int, ...]:
    return tuple(GRID.index(number) for number in numbers)


def naive(country: Country, hex: int, sources: frozenset[int]) -> int | None:
    """The cost of the cheapest chain, found from the unit's side: no blocked hex after the first."""

    def step(origin: int, target: int) -> int | None:
        return None if target in country.closed else country.costs.step(origin, target)

    costs = cheapest(country.grid.table, [hex], step, lambda _: True)
    return min((costs[source] for source in sources if source in costs), default=None)


@given(countries(), st.none() | st.integers(0, 6), st.data())
@settings(max_examples=120)
def test_both_searches_agree_with_a_search_from_each_unit(
    country: Country, limit: int | None, data: st.DataObject
) -> None:
    grid, costs, closed = country.grid, country.costs, country.closed
    sources = data.draw(st.frozensets(st.sampled_from(grid.hexes), max_size=3))
    slow = supply_net(grid.table, sources, costs.step, limit=limit, blocked=closed.__contains__)
    fast = supply_net_over(costs, sources, limit=limit, closed=closed)
    wanted = {}
    for hex in grid.hexes:
        cost = naive(country, hex, sources)
        if cost is not None and (limit is None or cost <= limit):
            wanted[hex] = cost
    assert slow.costs == fast.costs == wanted
    units = {f"unit {hex}": hex for hex in data.draw(st.lists(st.sampled_from(grid.hexes), max_size=6))}
    status = {id: hex in wanted for id, hex in units.items()}
    assert (
        supplied(grid.table, units, sources, costs.step, limit=limit, blocked=closed.__contains__) == status
    )
    assert supplied_over(costs, units, sources, limit=limit, closed=closed) == status
    assert list(supplied_over(costs, units, sources)) == sorted(units)
    for hex in grid.hexes:
        assert slow.trace(hex) == fast.trace(hex)
        check_trace(country, slow, hex)


def check_trace(country: Country, net: SupplyNet, hex: int) -> None:
    """A chain can be followed, costs what was told, and ends at a source."""
    found = net.trace(hex)
    assert (found is None) == (hex not in net) == (net.cost(hex) is None)
    if found is None:
        return
    assert found.chain[0] == hex
    assert found.source in net.sources
    assert tuple(country.costs.step(a, b) for a, b in pairwise(found.chain)) == found.steps
    assert found.cost == net.cost(hex)
    assert not set(found.chain[1:]) & country.closed


def strait() -> GameMap:
    """The western half of the victory sample map, as far as EX-19 needs it."""
    return GameMap.from_data(
        {
            "terrain": ["f.h.~~~", ".....~~", "hf..~~~", "mm.f.~~",
                        ".....~~", ".h..f.~", "f.s....", "...h.f."],
            "links": {"road": ["0202-0302-0402-0502", "0302-0303-0304-0305", "0305-0405-0505",
                               "0305-0306-0406-0507-0606-0707", "0106-0205-0305"]},
            "places": {"base": [{"hex": hex} for hex in ("0202", "0502", "0305", "0505")]},
        },
        legend={".": "clear", "f": "forest", "h": "hills", "s": "swamp", "m": "mountain", "~": "sea"},
    )  # fmt: skip


def test_attrition_of_the_victory_example_19() -> None:
    """R-IN2 and R-AR1 are supplied over Velm; R-IN1 is three off-road steps away: the example's figures."""
    chart = strait()
    index = chart.grid.index
    enemy = {index("0406")}

    def step(origin: int, target: int) -> int | None:
        if "sea" in (chart.terrain(origin), chart.terrain(target)):
            return None
        return 0 if chart.linked("road", origin, target) else 1

    def is_enemy(hex: int) -> bool:
        return hex in enemy

    bases = [base.hex for base in chart.places("base")]
    red = {"R-IN1": index("0408"), "R-AR1": index("0507"), "R-IN2": index("0506"), "R-SU1": index("0305")}
    status = supplied(chart.grid.table, red, bases, step, limit=2, blocked=is_enemy)
    assert status == {"R-AR1": True, "R-IN1": False, "R-IN2": True, "R-SU1": True}
    found = trace(chart.grid.table, index("0507"), bases, step, limit=2, blocked=is_enemy)
    assert found == Trace((index("0507"), index("0506"), index("0505")), (1, 1))
    assert trace(chart.grid.table, index("0408"), bases, step, limit=2, blocked=is_enemy) is None
    without_limit = trace(chart.grid.table, index("0408"), bases, step, blocked=is_enemy)
    assert without_limit is not None and without_limit.cost == 3


def test_a_road_carries_supply_any_distance_and_two_steps_go_off_it() -> None:
    road = at("0202", "0302", "0402", "0502", "0602", "0702", "0802", "0902", "1002")
    costs = StepCosts(GRID, [1] * 96, both_ways(pairwise(road), 0))
    net = supply_net_over(costs, road[:1], limit=2)
    assert {net.cost(hex) for hex in road} == {0}
    found = net.trace(at("1004")[0])
    assert found is not None and (found.cost, found.source) == (2, road[0])
    assert at("1005")[0] not in net


def test_a_unit_in_a_blocked_hex_can_be_supplied_but_nobody_through_it() -> None:
    source, battle, beyond = at("0101", "0102", "0103")
    corridor = {source, battle, beyond}

    def step(origin: int, target: int) -> int | None:
        return 1 if target in corridor else None

    net = supply_net(GRID.table, [source], step, blocked=lambda hex: hex == battle)
    assert net.cost(battle) == 1
    assert beyond not in net
    assert supply_net(GRID.table, [source], step).cost(beyond) == 2


def test_a_blocked_source_supplies_only_who_stands_on_it() -> None:
    (source,) = at("0305")
    costs = StepCosts(GRID, [1] * 96)
    for net in (
        supply_net(GRID.table, [source], costs.step, blocked=lambda hex: hex == source),
        supply_net_over(costs, [source], closed={source}),
    ):
        assert net.costs == {source: 0}
        assert net.trace(source) == Trace((source,), ())


def test_steps_are_counted_from_the_unit_to_the_source() -> None:
    """One-way costs: uphill is dear, downhill is free."""
    hill, valley = at("0303", "0304")
    costs = StepCosts(GRID, [None] * 96, {(hill, valley): 0, (valley, hill): 3})
    assert supply_net_over(costs, [hill]).cost(valley) == 3
    assert supply_net_over(costs, [valley]).cost(hill) == 0
    assert supply_net(GRID.table, [hill], costs.step).costs == {hill: 0, valley: 3}


def test_of_equally_cheap_chains_the_one_with_the_fewest_hexes_is_told() -> None:
    start, source = at("0101", "0104")
    around = at("0101", "0201", "0202", "0203", "0204", "0104")
    straight = at("0101", "0102", "0103", "0104")
    steps = both_ways([*pairwise(around), *pairwise(straight)], 0)
    found = supply_net_over(StepCosts(GRID, [None] * 96, steps), [source]).trace(start)
    assert found == Trace(straight, (0, 0, 0))


def test_without_sources_nobody_is_supplied() -> None:
    costs = StepCosts(GRID, [1] * 96)
    units = {"b": 3, "a": 4}
    assert supplied(GRID.table, units, [], costs.step) == {"a": False, "b": False}
    assert supplied_over(costs, units, []) == {"a": False, "b": False}
    assert supplied(GRID.table, {}, [3], costs.step) == {}


def test_an_answer_that_changes_within_a_search_is_noticed() -> None:
    answers = iter([1] * 6)
    net = supply_net(GRID.table, [0], lambda origin, target: next(answers, None), limit=1)
    with pytest.raises(AssertionError, match="two different answers"):
        net.trace(1)


def test_a_step_of_a_chain_cannot_cost_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="costs -1"):
        supply_net(GRID.table, [0], lambda origin, target: -1)


@given(st.frozensets(st.integers(0, 70)))
def test_sets_of_hexes_are_packed_and_unpacked(hexes: frozenset[int]) -> None:
    bits = pack(sorted(hexes), 71)
    assert bits == sum(1 << hex for hex in hexes)
    assert unpack(bits) == sorted(hexes)


def test_an_empty_map_has_an_empty_set() -> None:
    assert from_flags(b"") == 0
    assert unpack(0) == []


@given(countries())
@settings(max_examples=40)
def test_lanes_hold_every_step_once_at_its_cost(country: Country) -> None:
    costs = country.costs
    found: dict[tuple[int, int], list[int]] = {}
    for zone_cost, zone in costs.lanes.zones:
        for offset, targets in costs.lanes.plain:
            for target in unpack(zone & targets):
                found.setdefault((target - offset, target), []).append(zone_cost)
    for cost, offset, targets in costs.lanes.special:
        for target in unpack(targets):
            found.setdefault((target - offset, target), []).append(cost)
    wanted = {
        (a, b): [price]
        for a in country.grid.hexes
        for b in country.grid.neighbours(a)
        if (price := costs.step(a, b)) is not None
    }
    assert found == wanted
