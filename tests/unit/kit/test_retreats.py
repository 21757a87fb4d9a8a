"""Retreats: every legal way and no other, the best to each end, the default first."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.kit.retreats import further, nearest_first, retreats, wished

GRID = HexGrid(6, 5)
HEXES = range(len(GRID.table))


def around(hex: int) -> list[int]:
    return [to for to in GRID.table[hex] if to >= 0]


@given(st.sampled_from(HEXES), st.integers(1, 3), st.integers(0, 1), st.sets(st.sampled_from(HEXES)))
def test_the_ways_are_those_that_a_list_of_all_walks_has(
    start: int, hexes: int, more: int, closed: set[int]
) -> None:
    found = list(retreats(start, hexes, around, lambda way, to: to not in closed, longest=hexes + more))
    walks: list[tuple[int, ...]] = []
    for length in range(hexes, hexes + more + 1):
        for turns in product(range(6), repeat=length):
            way: list[int] = []
            for turn in turns:
                beside = around(way[-1] if way else start)
                if turn >= len(beside) or beside[turn] in (start, *way) or beside[turn] in closed:
                    break
                way.append(beside[turn])
            else:
                walks.append(tuple(way))
    assert found == walks


@given(st.sampled_from(HEXES), st.integers(1, 3))
def test_ever_further_away_ends_at_that_distance(start: int, hexes: int) -> None:
    found = list(retreats(start, hexes, around, further(start, GRID.distance)))
    assert all([GRID.distance(start, hex) for hex in way] == list(range(1, hexes + 1)) for way in found)
    assert {way[-1] for way in found} == {to for to in HEXES if GRID.distance(start, to) == hexes}


def test_a_way_may_have_to_end_somewhere() -> None:
    start = HEXES[14]
    ends = set(around(start)[:2])
    found = retreats(start, 1, around, lambda way, to: True, may_end=lambda way: way[-1] in ends)
    assert {way[-1] for way in found} == ends


def test_by_default_to_the_best_rank_then_the_nearest_goal_then_the_lowest_id() -> None:
    def apart(one: str, other: str) -> int:
        return abs(int(one) - int(other))

    places = ["09", "03", "05", "01"]
    assert nearest_first(places, ["04"], apart) == ["03", "05", "01", "09"]
    assert nearest_first(places, ["04"], apart, rank=lambda place: place != "09") == ["09", "03", "05", "01"]
    assert nearest_first(places, [], apart) == ["01", "03", "05", "09"]


def test_the_first_wish_that_is_legal_counts() -> None:
    assert wished(["a", "b"], ["x", "b", "a"]) == "b"
    assert wished(["a", "b"], ["x"]) is None
