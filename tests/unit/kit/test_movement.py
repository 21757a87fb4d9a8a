"""Movement search over sheets, boxes and areas: the reach of a naive search, by paths that can be walked."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.kit.costs import StepCosts, both_ways
from pbem.kit.movement import Reach, reach
from tests.unit.kit.oracles import Country, cheapest, countries

GRID = HexGrid(12, 8)


def at(*numbers: str) -> tuple[int, ...]:
    return tuple(GRID.index(number) for number in numbers)


def one(origin: int, target: int) -> int:
    return 1


def naive(country: Country, start: int, limit: int, first_hex_always: bool) -> dict[int, int]:
    """What is within reach, by Bellman and Ford and the rule of the first hex said again."""
    table, step = country.chart.table, country.costs.step

    def enter(origin: int, target: int) -> int | None:
        return None if target in country.closed else step(origin, target)

    # a hex beyond the limit lets nobody go on, and costs only ever grow
    found = cheapest(table, {start: 0}, enter, lambda hex: hex == start or hex not in country.stops)
    within = {hex: cost for hex, cost in found.items() if cost <= limit}
    if first_hex_always:
        for hex in table[start]:
            cost = enter(start, hex)
            if cost is not None and hex not in within:
                within[hex] = cost
    return within


def searched(country: Country, start: int, limit: int, first: bool) -> Reach:
    def cost(origin: int, target: int) -> int | None:
        return None if target in country.closed else country.costs.step(origin, target)

    stop = country.stops.__contains__
    return reach(country.chart.table, start, limit, cost, stop=stop, first_hex_always=first)


@given(countries(), st.integers(0, 9), st.booleans(), st.data())
@settings(max_examples=120)
def test_the_search_finds_what_a_naive_search_finds(
    country: Country, limit: int, first: bool, data: st.DataObject
) -> None:
    start = data.draw(country.anywhere)
    found = searched(country, start, limit, first)
    assert found.costs == naive(country, start, limit, first)
    assert found.hexes == tuple(sorted(found.costs))
    assert list(found.costs.values()) == sorted(found.costs.values())


@given(countries(), st.integers(0, 9), st.booleans(), st.data())
@settings(max_examples=60)
def test_every_path_can_be_walked_at_the_cost_that_was_told(
    country: Country, limit: int, first: bool, data: st.DataObject
) -> None:
    found = searched(country, start := data.draw(country.anywhere), limit, first)
    for hex, cost in found.costs.items():
        path = found.path_to(hex)
        assert (path[0], path[-1]) == (start, hex)
        prices = [country.costs.step(a, b) for a, b in pairwise(path)]
        assert sum(price for price in prices if price is not None) == cost and None not in prices
        assert not set(path[1:]) & country.closed
        assert not set(path[1:-1]) & country.stops
        assert len(set(path)) == len(path)


def test_a_unit_stays_where_it_is_for_nothing() -> None:
    (start,) = at("0305")
    found = reach(GRID.table, start, 0, one)
    assert found.hexes == (start,)
    assert found.path_to(start) == (start,)


def test_within_clear_country_a_unit_reaches_every_hex_so_far_away() -> None:
    (start,) = at("0604")
    assert reach(GRID.table, start, 3, one).hexes == GRID.within(start, 3)


def test_march_by_road_over_a_bridge_and_off_road_over_the_river() -> None:
    """victory EX-8: three road links are 3, clear across a river 2, a mountain the only step of a move."""
    road = at("0305", "0306", "0406", "0507")
    forest, mountain = at("0404", "0204")
    entry: list[int | None] = [1] * 96
    entry[forest], entry[mountain] = 2, 3
    river = [(there, road[3]) for there in at("0406", "0407", "0506")]
    steps = both_ways(river, 2) | both_ways(pairwise(road), 1)
    cost = StepCosts(GRID, entry, steps).step

    def march(start: int, limit: int, first: bool = False) -> Reach:
        return reach(GRID.table, start, limit, cost, first_hex_always=first)

    assert march(road[0], 3).costs[road[-1]] == 3
    assert march(road[0], 3).path_to(road[-1]) == road
    assert march(at("0407")[0], 2).costs[road[-1]] == 2
    assert mountain not in march(road[0], 2)
    assert march(road[0], 2, True).costs[mountain] == 3
    assert march(road[1], 3).costs[forest] == 3
    assert forest not in march(road[1], 2)


def test_the_first_hex_beyond_the_limit_is_also_the_last() -> None:
    def dear(origin: int, target: int) -> int | None:
        return None if target == at("0304")[0] else 9

    (start,) = at("0305")
    found = reach(GRID.table, start, 2, dear, first_hex_always=True)
    assert set(found.hexes) == {start, *GRID.neighbours(start)} - {*at("0304")}
    assert reach(GRID.table, start, 2, dear).hexes == (start,)


def test_a_hex_where_one_must_stop_is_entered_but_not_left() -> None:
    start, zone, beyond = at("0305", "0306", "0307")
    walls = {*GRID.neighbours(start)} - {zone}

    def cost(origin: int, target: int) -> int | None:
        return None if target in walls else 1

    found = reach(GRID.table, start, 5, cost, stop=lambda hex: hex == zone)
    assert found.hexes == tuple(sorted((start, zone)))
    assert beyond in reach(GRID.table, start, 5, cost)
    # who begins his move there may leave
    assert beyond in reach(GRID.table, zone, 5, cost, stop=lambda hex: hex == zone)


def test_of_equal_paths_the_one_through_the_lower_hex_is_taken() -> None:
    start, goal = at("0404", "0604")
    # 0504 and 0505 both lie between them
    assert reach(GRID.table, start, 2, one).path_to(goal) == (start, *at("0504"), goal)


def test_what_is_out_of_reach_has_no_path() -> None:
    start, far = at("0101", "1208")
    found = reach(GRID.table, start, 2, one)
    assert far not in found
    with pytest.raises(KeyError):
        found.path_to(far)


def test_steps_that_cost_nothing_are_taken_even_with_nothing_left() -> None:
    road = at("0101", "0102", "0103", "0104")
    costs = StepCosts(GRID, [1] * 96, both_ways(pairwise(road[1:]), 0))
    found = reach(GRID.table, road[0], 1, costs.step)
    assert found.costs[road[-1]] == 1
    assert found.path_to(road[-1]) == road


def test_a_step_cannot_cost_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="costs -1"):
        reach(GRID.table, 0, 3, lambda origin, target: -1)
    with pytest.raises(ValueError, match="less than nothing"):
        StepCosts(GRID, [-1] * 96)
    with pytest.raises(ValueError, match="less than nothing"):
        StepCosts(GRID, [1] * 96, {at("0101", "0102"): -2})  # type: ignore[dict-item]


def test_costs_must_fit_the_map() -> None:
    with pytest.raises(ValueError, match="wanted 96"):
        StepCosts(GRID, [1] * 95)
    with pytest.raises(ValueError, match="no step leads from 0101 to 0103"):
        StepCosts(GRID, [1] * 96, {at("0101", "0103"): 1})  # type: ignore[dict-item]
