"""The hex grid: numbers, neighbours, distance, hexsides. Facts: victory 2.1, OCS 2.2."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.hexes import DIRECTIONS, HexGrid, UnknownHex
from pbem.text.diagnostics import Refused

STRAIT = HexGrid(12, 8)
# victory 2.1: (columns, rows) to the six neighbours
ODD = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 0), "NW": (-1, -1)}
EVEN = {"N": (0, -1), "NE": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}

layouts = st.fixed_dictionaries(
    {
        "columns": st.integers(1, 9),
        "rows": st.integers(1, 9),
        "shifted": st.sampled_from(["even", "odd"]),
        "first": st.one_of(st.integers(0, 3), st.tuples(st.integers(0, 3), st.integers(0, 3))),
        "tops": st.sampled_from(["flat", "pointy"]),
        "rows_from": st.sampled_from(["top", "bottom"]),
        "columns_from": st.sampled_from(["left", "right"]),
        "order": st.sampled_from(["column", "row"]),
        "digits": st.sampled_from([None, 3, (2, 3)]),
        "separator": st.just("."),
    }
)
grids = layouts.map(lambda layout: HexGrid(**layout))


def distance(one: str, other: str) -> int:
    return STRAIT.distance(STRAIT.index(one), STRAIT.index(other))


def cube(number: str) -> tuple[int, int, int]:
    """Cube coordinates by the formula of victory 2.1."""
    q = int(number[:2]) - 1
    z = (int(number[2:]) - 1) - (q - (q & 1)) // 2
    return q, -q - z, z


def steps_between(grid: HexGrid, start: int) -> dict[int, int]:
    """Hexes entered on the shortest way to every hex, counted out step by step."""
    found, ring = {start: 0}, [start]
    while ring:
        outer = []
        for hex in ring:
            for other in grid.neighbours(hex):
                if other not in found:
                    found[other] = found[hex] + 1
                    outer.append(other)
        ring = outer
    return found


@pytest.mark.parametrize(
    ("one", "other", "hexes"),
    [("0202", "0804", 6), ("0305", "0505", 2), ("0305", "0106", 2), ("0902", "0804", 3), ("1005", "0606", 4),
     ("0606", "0606", 0), ("0101", "1208", 13)],
)  # fmt: skip
def test_distance_between_two_hexes_of_the_strait(one: str, other: str, hexes: int) -> None:
    assert distance(one, other) == hexes
    assert distance(other, one) == hexes


def test_neighbours_are_those_of_the_rulebook_in_its_order() -> None:
    for hex in STRAIT.hexes:
        column, row = STRAIT.column_row(hex)
        offsets = ODD if column % 2 else EVEN
        wanted = [
            f"{column + across:02}{row + along:02}"
            for across, along in (offsets[direction] for direction in DIRECTIONS)
            if 1 <= column + across <= 12 and 1 <= row + along <= 8
        ]
        assert list(STRAIT.numbers(STRAIT.neighbours(hex))) == wanted


def test_neighbours_of_a_hex_in_an_odd_and_in_an_even_column() -> None:
    around = STRAIT.numbers(STRAIT.neighbours(STRAIT.index("0507")))
    assert around == ("0506", "0606", "0607", "0508", "0407", "0406")
    around = STRAIT.numbers(STRAIT.neighbours(STRAIT.index("0406")))
    assert around == ("0405", "0506", "0507", "0407", "0307", "0306")


def test_a_corner_has_only_the_neighbours_that_are_on_the_map() -> None:
    assert STRAIT.numbers(STRAIT.neighbours(STRAIT.index("0101"))) == ("0201", "0102")
    assert STRAIT.numbers(STRAIT.neighbours(STRAIT.index("1208"))) == ("1207", "1108")


@given(st.sampled_from(STRAIT.hexes), st.sampled_from(STRAIT.hexes))
def test_distance_is_the_cube_distance_of_the_specification(a: int, b: int) -> None:
    one, other = cube(STRAIT.number(a)), cube(STRAIT.number(b))
    assert STRAIT.distance(a, b) == max(abs(i - j) for i, j in zip(one, other, strict=True))


@given(grids, st.data())
@settings(max_examples=40)
def test_distance_counts_the_hexes_of_the_shortest_way(grid: HexGrid, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(grid.hexes))
    assert {hex: grid.distance(start, hex) for hex in grid.hexes} == steps_between(grid, start)


@given(grids)
@settings(max_examples=40)
def test_who_is_my_neighbour_has_me_as_his_in_the_opposite_direction(grid: HexGrid) -> None:
    for hex in grid.hexes:
        around = [(direction, grid.towards(hex, direction)) for direction in DIRECTIONS]
        assert tuple(other for _, other in around if other is not None) == grid.neighbours(hex)
        for n, (direction, other) in enumerate(around):
            if other is not None:
                assert grid.towards(other, DIRECTIONS[(n + 3) % 6]) == hex
                assert grid.direction(hex, other) == direction
                assert grid.distance(hex, other) == 1


@given(grids, st.integers(0, 5), st.data())
@settings(max_examples=40)
def test_within_a_radius_are_all_hexes_at_most_so_far_away(
    grid: HexGrid, radius: int, data: st.DataObject
) -> None:
    hex = data.draw(st.sampled_from(grid.hexes))
    assert grid.within(hex, radius) == tuple(i for i in grid.hexes if grid.distance(hex, i) <= radius)


@given(grids)
@settings(max_examples=40)
def test_numbers_name_hexes_one_to_one_and_sort_like_them(grid: HexGrid) -> None:
    numbers = [grid.number(hex) for hex in grid.hexes]
    assert [grid.index(number) for number in numbers] == list(grid.hexes)
    if (grid.numbering.order == "row") == grid.pointy:
        assert numbers == sorted(numbers)
    assert all(number in grid for number in numbers)


def test_a_large_map_has_three_digits_for_column_and_row() -> None:
    grid = HexGrid(200, 150)
    assert grid.number(grid.index("200150")) == "200150"
    assert "0305" not in grid
    assert len(grid) == 30_000


def test_rows_that_count_from_the_south_and_a_point_in_the_number() -> None:
    """OCS 2.2: rows bottom to top, even columns half a hex higher; doubled height h = 2 row + (1 if even)."""
    grid = HexGrid(16, 11, rows_from="bottom", separator=".")
    hex = grid.index("07.05")
    assert grid.numbers(grid.neighbours(hex)) == ("07.06", "08.05", "08.04", "07.04", "06.04", "06.05")
    assert grid.direction(hex, grid.index("07.06")) == "N"
    for other in grid.hexes:
        column, row = grid.column_row(other)
        across, up = abs(column - 7), abs(2 * row + (column % 2 == 0) - 2 * 5)
        assert grid.distance(hex, other) == across + max(0, (up - across) // 2)


def test_columns_may_be_shifted_the_other_way() -> None:
    grid = HexGrid(5, 5, shifted="odd")
    assert grid.numbers(grid.neighbours(grid.index("0303"))) == (
        "0302",
        "0403",
        "0404",
        "0304",
        "0204",
        "0203",
    )


def test_a_hexside_is_named_by_its_lower_hex_first() -> None:
    a, b = STRAIT.index("0507"), STRAIT.index("0406")
    assert STRAIT.hexside(a, b) == STRAIT.hexside(b, a) == "0406/0507"
    assert STRAIT.hexside_hexes("0507/0406") == (b, a)


@pytest.mark.parametrize("name", ["0406", "0406/0406", "0406/0607", "0406/9999", "/", ""])
def test_what_is_no_hexside_is_refused(name: str) -> None:
    with pytest.raises(Refused):
        STRAIT.hexside_hexes(name)


def test_two_hexes_apart_have_no_hexside() -> None:
    with pytest.raises(ValueError, match="no hexside in common"):
        STRAIT.hexside(STRAIT.index("0101"), STRAIT.index("0103"))


@pytest.mark.parametrize(
    ("found", "message", "help"),
    [
        ("0913", "no hex '0913' on this map (columns 01-12, rows 01-08)", None),
        ("505", "no hex '505' on this map", "did you mean 0505?"),
        ("05.05", "no hex '05.05' on this map", "did you mean 0505?"),
        ("5, 5", "no hex '5, 5' on this map", "did you mean 0505?"),
        ("", "no hex ''", None),
        ("0305\n", "no hex '0305\\n'", "did you mean 0305?"),
        ("٠٣٠٥", "no hex", None),
        ("03²5", "no hex", "did you mean 0305?"),
        (305, 'found 305, wanted a hex number such as "0101"', 'write it in quotes: "0305"'),
        (None, "found None", None),
        (["0305"], "found ['0305']", None),
    ],
)
def test_an_unknown_hex_is_told_with_what_was_meant(found: object, message: str, help: str | None) -> None:
    with pytest.raises(UnknownHex) as refused:
        STRAIT.index(found)
    (fault,) = refused.value.diagnostics
    assert fault.code == "unknown-hex"
    assert message in fault.message
    assert fault.help == ((help,) if help else ())
    assert refused.value.number == found
    assert found not in STRAIT


@given(st.text(max_size=8))
def test_any_text_is_a_hex_number_or_an_unknown_hex(text: str) -> None:
    try:
        assert STRAIT.number(STRAIT.index(text)) == text
    except UnknownHex:
        assert text not in STRAIT


def test_a_hex_that_the_sheet_has_not_is_no_neighbour_and_no_hex() -> None:
    whole = HexGrid(4, 4)
    grid = HexGrid(4, 4, without=["0202", "0404"])
    hole = whole.index("0202")
    assert len(grid) == 14
    assert hole not in grid.hexes
    assert grid.neighbours(hole) == ()
    assert grid.towards(grid.index("0201"), "S") is None
    assert all(hole not in grid.neighbours(hex) for hex in grid.hexes)
    assert hole not in grid.within(grid.index("0201"), 2)
    assert grid.distance(grid.index("0201"), grid.index("0203")) == 2
    with pytest.raises(UnknownHex):
        grid.index("0202")


@pytest.mark.parametrize("size", [(0, 4), (4, 0), (-1, 4)])
def test_a_grid_without_hexes_is_our_own_mistake(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="needs columns and rows"):
        HexGrid(*size)


@given(layouts, st.data())
@settings(max_examples=40)
def test_arrivals_hold_every_pair_of_neighbours_by_difference(
    layout: dict[str, Any], data: st.DataObject
) -> None:
    grid = HexGrid(**layout)
    holes = grid.numbers(data.draw(st.lists(st.sampled_from(grid.hexes), max_size=len(grid) - 1)))
    holed = HexGrid(**layout, without=holes)
    wanted: dict[int, int] = {}
    for a in holed.hexes:
        for b in holed.neighbours(a):
            wanted[b - a] = wanted.get(b - a, 0) | 1 << b
    assert {difference: bits for difference, bits in holed.arrivals.items() if bits} == wanted
