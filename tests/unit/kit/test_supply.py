"""Supply: who can trace to a source, how dearly, along which chain; the search against a naive one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.board.map import GameMap
from pbem.kit.costs import StepCosts, both_ways
from pbem.kit.hexsets import from_flags, members, pack, unpack
from pbem.kit.supply import SupplyNet, Trace, supply_net
from tests.unit.kit.oracles import Country, cheapest, countries

GRID = HexGrid(12, 8)


def at(*numbers: str) -> tuple[int, ...]:
    return tuple(GRID.index(number) for number in numbers)


def naive(country: Country, unit: int, sources: dict[int, int], outwards: bool) -> int | None:
    """The cost of the cheapest chain, found from the unit's side: nothing closed after the first location."""

    def step(origin: int, target: int) -> int | None:
        if target in country.closed:
            return None
        return country.costs.step(target, origin) if outwards else country.costs.step(origin, target)

    costs = cheapest(country.chart.table, {unit: 0}, step, lambda _: True)
    return min(
        (costs[source] + begins for source, begins in sources.items() if source in costs), default=None
    )


@given(countries(), st.none() | st.integers(0, 6), st.booleans(), st.data())
@settings(max_examples=200)
def test_the_search_agrees_with_one_from_each_unit(
    country: Country, limit: int | None, outwards: bool, data: st.DataObject
) -> None:
    chart, costs, closed = country.chart, country.costs, country.closed
    sources = data.draw(st.dictionaries(country.anywhere, st.integers(0, 3), max_size=3))
    net = supply_net(costs, sources, limit=limit, closed=closed, outwards=outwards)
    wanted = {}
    for i in chart.locations:
        cost = naive(country, i, sources, outwards)
        if cost is not None and (limit is None or cost <= limit):
            wanted[i] = cost
    assert net.costs == wanted
    assert {i for i in chart.locations if i in net} == set(unpack(net.reached)) == set(wanted)
    for i in chart.locations:
        check_trace(country, net, i, outwards)


def check_trace(country: Country, net: SupplyNet, i: int, outwards: bool) -> None:
    """A chain can be followed, costs what was told, and ends at a source."""
    trace = net.trace(i)
    assert (trace is None) == (i not in net) == (net.cost(i) is None)
    if trace is None:
        return
    assert trace.chain[0] == i
    steps = [(b, a) if outwards else (a, b) for a, b in pairwise(trace.chain)]
    assert tuple(country.costs.step(a, b) for a, b in steps) == trace.steps
    assert trace.cost + net.sources[trace.source] == net.cost(i)
    assert not set(trace.chain[1:]) & country.closed


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
    index = chart.index
    roads = both_ways(chart.links("road"), 0)
    costs = StepCosts(chart, [None if kind == "sea" else 1 for kind in chart.terrains()], roads)
    bases = [base.hex for base in chart.places("base")]
    net = supply_net(costs, bases, limit=2, closed={index("0406")})
    red = {"R-IN1": "0408", "R-AR1": "0507", "R-IN2": "0506", "R-SU1": "0305"}
    assert {id: index(hex) in net for id, hex in red.items()} == {
        "R-AR1": True, "R-IN1": False, "R-IN2": True, "R-SU1": True,
    }  # fmt: skip
    assert net.trace(index("0507")) == Trace((index("0507"), index("0506"), index("0505")), (1, 1))
    assert net.trace(index("0408")) is None
    assert supply_net(costs, bases, closed={index("0406")}).cost(index("0408")) == 3


def test_a_road_carries_supply_any_distance_and_two_steps_go_off_it() -> None:
    road = at("0202", "0302", "0402", "0502", "0602", "0702", "0802", "0902", "1002")
    costs = StepCosts(GRID, [1] * 96, both_ways(pairwise(road), 0))
    net = supply_net(costs, road[:1], limit=2)
    assert {net.cost(hex) for hex in road} == {0}
    trace = net.trace(at("1004")[0])
    assert trace is not None and (trace.cost, trace.source) == (2, road[0])
    assert at("1005")[0] not in net


def test_a_unit_in_a_closed_hex_can_be_supplied_but_nobody_through_it() -> None:
    source, battle, beyond = at("0101", "0102", "0103")
    entry: list[int | None] = [1 if hex in (source, battle, beyond) else None for hex in range(96)]
    costs = StepCosts(GRID, entry)
    net = supply_net(costs, [source], closed={battle})
    assert net.cost(battle) == 1
    assert beyond not in net
    assert supply_net(costs, [source]).cost(beyond) == 2


def test_a_closed_source_supplies_only_who_stands_on_it() -> None:
    (source,) = at("0305")
    net = supply_net(StepCosts(GRID, [1] * 96), [source], closed={source})
    assert net.costs == {source: 0}
    assert net.trace(source) == Trace((source,), ())


def test_steps_are_paid_towards_the_source_or_where_the_rules_say_so_towards_the_unit() -> None:
    """One-way costs: uphill is dear, downhill is free."""
    hill, valley = at("0303", "0304")
    costs = StepCosts(GRID, [None] * 96, {(hill, valley): 0, (valley, hill): 3})
    assert supply_net(costs, [hill]).cost(valley) == 3
    assert supply_net(costs, [valley]).cost(hill) == 0
    assert supply_net(costs, [hill], outwards=True).cost(valley) == 0
    assert supply_net(costs, [valley], outwards=True).cost(hill) == 3


def test_a_source_that_was_reached_at_a_cost_begins_with_it() -> None:
    """A chain in two links: by sea to a port, then over land, both against one allowance."""
    port, depot, unit = at("0303", "0306", "0304")
    net = supply_net(StepCosts(GRID, [1] * 96), {port: 2, depot: 0}, limit=3)
    assert (net.cost(port), net.cost(unit)) == (2, 2)
    trace = net.trace(unit)
    assert trace is not None and trace.source == depot
    with pytest.raises(ValueError, match="less than nothing"):
        supply_net(StepCosts(GRID, [1] * 96), {port: -1})


def test_supply_goes_over_sheets_boxes_and_sea_areas() -> None:
    """From a box off the map by sea to a port, over the seam of two sheets to a unit."""
    chart = GameMap.from_data(
        {
            "sheets": {"w": {"prefix": "w", "terrain": ["..", ".."]},
                       "e": {"prefix": "e", "terrain": ["..", ".."], "joins": {"sheet": "w", "at": "w0301"}}},
            "boxes": {"Home": None},
            "areas": {"sea": {"NS": {}, "WO": {}}},
            "links": {"lane": ["Home-WO-NS"], "port": ["NS-w0101"]},
        },
        legend={".": "clear"},
    )  # fmt: skip
    entry = [1 if chart.kind(i) == "hex" else 0 for i in range(len(chart.table))]
    net = supply_net(StepCosts(chart, entry), [chart.index("Home")])
    trace = net.trace(chart.index("e0202"))
    assert trace is not None
    assert chart.numbers(trace.chain) == ("e0202", "e0102", "w0201", "w0101", "NS", "WO", "Home")
    assert trace.cost == 3
    barred = supply_net(StepCosts(chart, entry), [chart.index("Home")], closed={chart.index("NS")})
    assert chart.numbers(unpack(barred.reached)) == ("Home", "NS", "WO")


def test_of_equally_cheap_chains_the_one_with_the_fewest_hexes_is_told() -> None:
    start, source = at("0101", "0104")
    around = at("0101", "0201", "0202", "0203", "0204", "0104")
    straight = at("0101", "0102", "0103", "0104")
    steps = both_ways([*pairwise(around), *pairwise(straight)], 0)
    found = supply_net(StepCosts(GRID, [None] * 96, steps), [source]).trace(start)
    assert found == Trace(straight, (0, 0, 0))


def test_without_sources_nobody_is_supplied() -> None:
    net = supply_net(StepCosts(GRID, [1] * 96), [])
    assert not any(hex in net for hex in GRID.hexes) and net.costs == {} and net.trace(3) is None


@given(st.frozensets(st.integers(0, 70)))
def test_sets_of_hexes_are_packed_and_unpacked(hexes: frozenset[int]) -> None:
    bits = pack(sorted(hexes), 71)
    assert bits == sum(1 << hex for hex in hexes)
    assert unpack(bits) == list(members(bits)) == sorted(hexes)


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
    for origin, target, cost in costs.lanes.jumps:
        found.setdefault((origin, target), []).append(cost)
    wanted = {
        (a, b): [price]
        for a in country.chart.locations
        for b in country.chart.neighbours(a)
        if (price := costs.step(a, b)) is not None
    }
    assert found == wanted


def islands(*links: tuple[str, str]) -> GameMap:
    """Two sheets of one row each, which nothing joins but links between far places."""
    row = {"shifted": "even", "rows_from": "top", "terrain": ["......"]}
    return GameMap.from_data(
        {
            "legend": {".": "land"},
            "sheets": {"west": {**row, "prefix": "w"}, "east": {**row, "prefix": "e"}},
            "links": {"lane": {"far": True, "chains": [list(link) for link in links]}},
        }
    )


@pytest.mark.parametrize("outwards", [False, True])
@pytest.mark.parametrize("price", [None, 0, 1, 7])
def test_a_chain_over_the_sea_costs_what_the_link_costs(price: int | None, outwards: bool) -> None:
    """No lane fits a link between two sheets; the way back over it costs something else."""
    chart = islands(("w0601", "e0301"), ("w0101", "e0501"))
    at = chart.index
    there, back = (at("e0301"), at("w0601")), (at("w0601"), at("e0301"))
    off = (at("w0101"), at("e0501"))
    steps = StepCosts(chart, [1] * len(chart.table), {there: price, back: 9, off: None, off[::-1]: None})
    pay = back if outwards else there
    over = steps.step(*pay)
    net = supply_net(steps, [at("w0501")], outwards=outwards)
    shore = net.costs[at("w0601")]
    wanted = {} if over is None else {f"e0{n}01": shore + over + abs(n - 3) for n in range(1, 7)}
    assert {chart.number(i): cost for i, cost in net.costs.items() if chart.number(i)[0] == "e"} == wanted
    trace = net.trace(at("e0301"))
    assert (trace is None) == (over is None)
    if trace is not None:
        assert [chart.number(i) for i in trace.chain] == ["e0301", "w0601", "w0501"]
        assert trace.steps == (over, 1)
    assert steps.lanes.jumps_to.get(at("w0601")) == (None if price is None else [(at("e0301"), price)])
    assert steps.lanes.jumps_from[at("w0601")] == [(at("e0301"), 9)]
    assert set(unpack(steps.lanes.landings)) == {at("e0301"), *([] if price is None else [at("w0601")])}
    assert set(unpack(steps.lanes.starts)) == {at("w0601"), *([] if price is None else [at("e0301")])}


def test_costs_that_cannot_be_are_refused() -> None:
    far = (0, 50)
    for entry, steps in [
        ([1] * 95, {}),
        ([-1] * 96, {}),
        ([1] * 96, {far: 1}),
        ([1] * 96, {(0, 1): -1} if 1 in GRID.neighbours(0) else {(0, GRID.neighbours(0)[0]): -1}),
    ]:
        with pytest.raises(ValueError):
            StepCosts(GRID, entry, steps)
    with pytest.raises(ValueError):
        supply_net(StepCosts(GRID, [1] * 96), {3: -1})
    wide = HexGrid(20, 15)
    assert StepCosts(wide, [min(n, 254) for n in range(300)]).lanes.zones
    with pytest.raises(ValueError):
        StepCosts(wide, [*range(300)])
