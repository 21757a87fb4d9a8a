"""Where hexes lie on a drawing, and the borders around sets of them."""

from __future__ import annotations

import re
from collections.abc import Collection

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.hexes import HexGrid
from pbem.board.locations import Locations, MapSheet
from pbem.report.svg.sheet import Sheet, polyline

GRID = HexGrid(5, 4)


def sheet_of(grid: HexGrid, hexes: Collection[int] | None = None) -> Sheet:
    return Sheet(Locations([MapSheet("", grid, 0, 0)]), hexes)


def sides(path: str) -> int:
    """How many sides of hexes a path of borders has."""
    loops = [part for part in path.split("M") if part]
    return sum(len(re.findall("[hvl]", part)) + part.count("z") for part in loops)


def border(hexes: set[int]) -> int:
    return sum(6 - len([other for other in GRID.neighbours(hex) if other in hexes]) for hex in sorted(hexes))


def test_neighbours_share_a_side_on_the_drawing() -> None:
    sheet = sheet_of(GRID)
    for hex in GRID.hexes:
        for other in GRID.neighbours(hex):
            assert sorted(sheet.side_between(hex, other)) == sorted(sheet.side_between(other, hex))


def test_every_hex_lies_on_the_sheet() -> None:
    for rows_from in ("top", "bottom"):
        sheet = sheet_of(HexGrid(5, 4, rows_from=rows_from))  # type: ignore[arg-type]
        for hex in sheet.hexes:
            x, y = sheet.centre(hex)
            assert 40 <= x <= sheet.width - 40 and 35 <= y <= sheet.height - 35


def test_rows_that_count_from_the_bottom_are_drawn_so() -> None:
    grid = HexGrid(2, 3, rows_from="bottom")
    sheet = sheet_of(grid)
    assert sheet.centre(grid.index("0101"))[1] > sheet.centre(grid.index("0103"))[1]


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(GRID.hexes), min_size=1))
def test_a_border_has_every_side_between_inside_and_outside_once(hexes: set[int]) -> None:
    assert sides(sheet_of(GRID).outline(hexes)) == border(hexes)


def test_a_border_without_the_edge_of_the_map_is_open_there() -> None:
    sheet = sheet_of(GRID)
    west = [hex for hex in GRID.hexes if GRID.column_row(hex)[0] <= 2]
    path = sheet.outline(west, GRID.hexes)
    assert "z" not in path and path.count("M") == 1
    assert sheet.outline(GRID.hexes, GRID.hexes) == ""


def test_a_part_of_a_grid_is_a_sheet_of_its_own() -> None:
    part = sheet_of(GRID, [GRID.index("0303"), GRID.index("0304")])
    assert part.width == 80 + 28 and part.height == 140 + 28 and part.parts[0].whole


def test_a_sheet_with_holes_is_not_whole() -> None:
    assert sheet_of(GRID).parts[0].whole
    assert not sheet_of(HexGrid(3, 3, without=["0202"])).parts[0].whole


def test_lines_take_few_bytes() -> None:
    assert polyline([(1, 1), (4, 1), (4, 9), (2, 12), (1, 3)]) == "M1 1h3v8l-2 3l-1-9"


def test_hexes_with_pointy_tops_touch_on_the_drawing_and_their_borders_close() -> None:
    for layout in ({}, {"columns_from": "right"}, {"rows_from": "bottom", "shifted": "odd"}):
        grid = HexGrid(5, 4, tops="pointy", **layout)  # type: ignore[arg-type]
        sheet = sheet_of(grid)
        for hex in grid.hexes:
            for other in grid.neighbours(hex):
                side = sheet.side_between(hex, other)
                assert sorted(side) == sorted(sheet.side_between(other, hex))
                (ax, ay), (bx, by) = sheet.centre(hex), sheet.centre(other)
                assert (side[0][0] + side[1][0], side[0][1] + side[1][1]) == (ax + bx, ay + by)
        assert sides(sheet.outline(grid.hexes)) == sum(6 - len(grid.neighbours(hex)) for hex in grid.hexes)
        assert sheet.outline(grid.hexes).count("M") == 1 and sheet.parts[0].whole
        assert (sheet.width, sheet.height) == (5 * 80 + 40 + 28, 3 * 69 + 92 + 28)
