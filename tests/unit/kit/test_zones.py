"""Zones of control: a location is under one when a unit beside it exerts one over the hexside between."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.kit.zones import ZoneMap

GRID = HexGrid(6, 5)
AROUND = {hex: tuple(GRID.table[hex]) for hex in range(len(GRID.table))}
HEXES = st.sets(st.sampled_from(sorted(AROUND)))


@given(HEXES, st.sets(st.tuples(st.sampled_from(sorted(AROUND)), st.integers(0, 5))), st.booleans())
def test_a_zone_reaches_what_a_walk_over_all_pairs_finds(
    exerting: set[int], walls: set[tuple[int, int]], own: bool
) -> None:
    closed = {(hex, AROUND[hex][n]) for hex, n in walls if n < len(AROUND[hex])}
    zones = ZoneMap(AROUND.__getitem__, lambda a, b: (a, b) not in closed, own=own)
    expected = {
        to
        for to in AROUND
        for origin in exerting
        if (own and to == origin) or (to in AROUND[origin] and (origin, to) not in closed)
    }
    assert zones.under(exerting) == expected


def test_a_zone_does_not_cover_its_own_hex_unless_the_rules_say_so() -> None:
    beside = {"a": ["b"], "b": ["a"]}.__getitem__
    assert ZoneMap(beside).under(["a"]) == {"b"}
    assert ZoneMap(beside, own=True).under(["a"]) == {"a", "b"}
