"""Movement search over sheets, boxes and areas: the reach of a naive search, by paths that can be walked."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.kit.costs import StepCosts, both_ways
from pbem.kit.paths import Reached, entered, flood, reach, search, turned
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


def searched(country: Country, start: int, limit: int, first: bool) -> Reached:
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
    assert found.nodes == tuple(sorted(found.costs))
    assert list(found.costs.values()) == sorted(found.costs.values())


@given(countries(), st.integers(0, 9), st.booleans(), st.data())
@settings(max_examples=60)
def test_every_path_can_be_walked_at_the_cost_that_was_told(
    country: Country, limit: int, first: bool, data: st.DataObject
) -> None:
    found = searched(country, start := data.draw(country.anywhere), limit, first)
    for hex, cost in found.costs.items():
        path = found.way(hex)
        assert (path[0], path[-1]) == (start, hex)
        prices = [country.costs.step(a, b) for a, b in pairwise(path)]
        assert sum(price for price in prices if price is not None) == cost and None not in prices
        assert not set(path[1:]) & country.closed
        assert not set(path[1:-1]) & country.stops
        assert len(set(path)) == len(path)


def test_a_unit_stays_where_it_is_for_nothing() -> None:
    (start,) = at("0305")
    reached = reach(GRID.table, start, 0, one)
    assert reached.nodes == (start,)
    assert reached.way(start) == (start,)


def test_within_clear_country_a_unit_reaches_every_hex_so_far_away() -> None:
    (start,) = at("0604")
    assert reach(GRID.table, start, 3, one).nodes == GRID.within(start, 3)


def test_march_by_road_over_a_bridge_and_off_road_over_the_river() -> None:
    """victory EX-8: three road links are 3, clear across a river 2, a mountain the only step of a move."""
    road = at("0305", "0306", "0406", "0507")
    forest, mountain = at("0404", "0204")
    entry: list[int | None] = [1] * 96
    entry[forest], entry[mountain] = 2, 3
    river = [(there, road[3]) for there in at("0406", "0407", "0506")]
    steps = both_ways(river, 2) | both_ways(pairwise(road), 1)
    cost = StepCosts(GRID, entry, steps).step

    def march(start: int, limit: int, first: bool = False) -> Reached:
        return reach(GRID.table, start, limit, cost, first_hex_always=first)

    assert march(road[0], 3).costs[road[-1]] == 3
    assert march(road[0], 3).way(road[-1]) == road
    assert march(at("0407")[0], 2).costs[road[-1]] == 2
    assert mountain not in march(road[0], 2)
    assert march(road[0], 2, True).costs[mountain] == 3
    assert march(road[1], 3).costs[forest] == 3
    assert forest not in march(road[1], 2)


def test_the_first_hex_beyond_the_limit_is_also_the_last() -> None:
    def dear(origin: int, target: int) -> int | None:
        return None if target == at("0304")[0] else 9

    (start,) = at("0305")
    reached = reach(GRID.table, start, 2, dear, first_hex_always=True)
    assert set(reached.nodes) == {start, *GRID.neighbours(start)} - {*at("0304")}
    assert reach(GRID.table, start, 2, dear).nodes == (start,)


def test_a_hex_where_one_must_stop_is_entered_but_not_left() -> None:
    start, zone, beyond = at("0305", "0306", "0307")
    walls = {*GRID.neighbours(start)} - {zone}

    def cost(origin: int, target: int) -> int | None:
        return None if target in walls else 1

    reached = reach(GRID.table, start, 5, cost, stop=lambda hex: hex == zone)
    assert reached.nodes == tuple(sorted((start, zone)))
    assert beyond in reach(GRID.table, start, 5, cost)
    # who begins his move there may leave
    assert beyond in reach(GRID.table, zone, 5, cost, stop=lambda hex: hex == zone)


def test_of_equal_paths_the_one_through_the_lower_hex_is_taken() -> None:
    start, goal = at("0404", "0604")
    # 0504 and 0505 both lie between them
    assert reach(GRID.table, start, 2, one).way(goal) == (start, *at("0504"), goal)


def test_what_is_out_of_reach_has_no_path() -> None:
    start, far = at("0101", "1208")
    reached = reach(GRID.table, start, 2, one)
    assert far not in reached
    with pytest.raises(KeyError):
        reached.way(far)


def test_steps_that_cost_nothing_are_taken_even_with_nothing_left() -> None:
    road = at("0101", "0102", "0103", "0104")
    costs = StepCosts(GRID, [1] * 96, both_ways(pairwise(road[1:]), 0))
    reached = reach(GRID.table, road[0], 1, costs.step)
    assert reached.costs[road[-1]] == 1
    assert reached.way(road[-1]) == road


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


# the search itself: labels, several starts, backwards, the first way


def rows_of(country: Country) -> list[dict[int, int]]:
    """What steps of a random country cost, by where they begin; none where one must stop."""
    rows: list[dict[int, int]] = []
    for one, beside in enumerate(country.chart.table):
        steps = {to: country.costs.step(one, to) for to in beside if to not in country.closed}
        open_ = {to: step for to, step in steps.items() if step is not None}
        rows.append({} if one in country.stops else open_)
    return rows


@given(countries(), st.integers(4, 9), st.data())
@settings(max_examples=80)
def test_several_starts_have_costs_of_their_own(country: Country, limit: int, data: st.DataObject) -> None:
    rows = rows_of(country)
    starts = data.draw(st.dictionaries(country.anywhere, st.integers(0, 4), min_size=1, max_size=4))
    answer = search(starts, rows.__getitem__, len(rows), limit=limit)
    naive_ones = cheapest(
        country.chart.table, starts, lambda a, b: rows[a].get(b), lambda hex: hex not in country.stops
    )
    wanted = {hex: cost for hex, cost in naive_ones.items() if cost <= limit}
    assert answer.costs == wanted
    assert list(answer.costs.values()) == sorted(answer.costs.values())
    for hex, cost in answer.costs.items():
        way = answer.way(hex)
        assert starts[way[0]] + sum(rows[a][b] for a, b in pairwise(way)) == cost


@given(countries(), st.integers(0, 9), st.data())
@settings(max_examples=60)
def test_a_search_backwards_finds_what_reaches_the_goal(
    country: Country, limit: int, data: st.DataObject
) -> None:
    rows, goal = rows_of(country), data.draw(country.anywhere)
    back = search({goal: 0}, turned(rows).__getitem__, len(rows), limit=limit)
    for start in country.chart.locations:
        forwards = search({start: 0}, rows.__getitem__, len(rows), limit=limit)
        assert back.costs.get(start) == forwards.costs.get(goal)


@given(countries(), st.integers(0, 9), st.integers(0, 3), st.data())
@settings(max_examples=80)
def test_a_label_counts_what_is_used_besides_the_cost(
    country: Country, limit: int, most: int, data: st.DataObject
) -> None:
    """Some places take a toll. Of each place: the fewest tolls, and of such ways the least cost."""
    rows, size = rows_of(country), len(country.chart.table)
    tolls = data.draw(st.frozensets(country.anywhere, max_size=6))
    start = data.draw(country.anywhere)

    def labelled(node: int) -> dict[int, int]:
        label, here = divmod(node, size)
        found = {((label + (to in tolls)) * size + to): step for to, step in rows[here].items()}
        return {to: step for to, step in found.items() if to < (most + 1) * size}

    # each state by itself: none shuts out another
    every = search({start: 0}, labelled, size * (most + 1), limit=limit).costs
    wanted: dict[int, tuple[int, int]] = {}
    for node in sorted(every):
        wanted.setdefault(node % size, (node // size, every[node]))
    answer = search({start: 0}, labelled, size, limit=limit, labels=most + 1)
    least: dict[int, tuple[int, int]] = {}
    for node in sorted(answer.costs):
        least.setdefault(node % size, (node // size, answer.costs[node]))
        way = answer.way(node)
        assert sum(rows[a % size][b % size] for a, b in pairwise(way)) == answer.costs[node]
        assert sum(b % size in tolls for b in way[1:]) == node // size
    assert least == wanted


def test_a_place_is_entered_again_only_with_a_smaller_label() -> None:
    looked_at: list[int] = []

    def rows(node: int) -> dict[int, int]:
        """Three places in a row; a dear step to the last without a label, a cheap one with label 1."""
        looked_at.append(node)
        return {0: {1: 5, 3 + 1: 1}, 3 + 1: {3 + 2: 1}, 1: {2: 1}}.get(node, {})

    answer = search({0: 0}, rows, 3, labels=2)
    assert answer.costs == {0: 0, 4: 1, 5: 2, 1: 5, 2: 6}
    assert answer.way(2) == (0, 1, 2) and answer.way(5) == (0, 4, 5)
    assert looked_at == [0, 4, 5, 1, 2]
    # a larger label at the same place comes too late: it is never taken up
    late = search({0: 0}, lambda node: {0: {1: 1, 3 + 1: 2}}.get(node, {}), 3, labels=2)
    assert late.costs == {0: 0, 1: 1}


def test_a_search_ends_with_the_first_node_that_is_looked_for() -> None:
    answer = search({0: 0}, lambda node: {node + 1: 1}, 1000, until=lambda node: node == 3)
    assert list(answer.costs) == [0, 1, 2, 3]
    assert 4 not in answer
    with pytest.raises(KeyError):
        answer.way(4)


def every_way(rows: list[dict[int, int]], start: int, end: int) -> list[tuple[int, tuple[int, ...]]]:
    """All ways that enter no place twice, with their costs."""
    front: list[tuple[int, tuple[int, ...]]] = [(0, (start,))]
    found = list(front) if start == end else []
    while front:
        cost, way = front.pop()
        for to, step in rows[way[-1]].items():
            if to not in way:
                (found if to == end else front).append((cost + step, (*way, to)))
    return found


@given(st.data())
@settings(max_examples=150)
def test_the_first_way_is_the_first_of_all_cheapest_ones(data: st.DataObject) -> None:
    """With steps for nothing there and back, as rails have them."""
    size = data.draw(st.integers(2, 6))
    place = st.integers(0, size - 1)
    steps = data.draw(st.dictionaries(st.tuples(place, place), st.sampled_from([0, 0, 0, 1, 2]), max_size=18))
    rows: list[dict[int, int]] = [{} for _ in range(size)]
    for (one, to), step in steps.items():
        if one != to:
            rows[one][to] = step
    order = data.draw(st.permutations(range(size)))
    answer = search({0: 0}, rows.__getitem__, size)
    for end in answer.costs:
        cost, _, way = min((cost, [order[n] for n in way], way) for cost, way in every_way(rows, 0, end))
        assert answer.costs[end] == cost
        assert answer.first_way(end, rows.__getitem__, turned(rows).__getitem__, order.__getitem__) == way


@given(countries(), st.data())
@settings(max_examples=40)
def test_a_flood_counts_steps(country: Country, data: st.DataObject) -> None:
    start, far = data.draw(country.anywhere), data.draw(st.integers(0, 4))
    table = country.chart.table
    found = flood([start], table.__getitem__, far)
    steps = reach(table, start, far, one).costs
    assert found.keys() == steps.keys()
    assert {hex: len(entered(found, hex)) for hex in found} == steps
    assert flood([start], table.__getitem__).keys() == reach(table, start, 10**6, one).costs.keys()
