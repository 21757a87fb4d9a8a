"""The numbers of hexes as printed boards have them."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.board.hexes import HexGrid
from pbem.board.map import GameMap
from pbem.text.diagnostics import Refused

BOARDS: dict[str, tuple[dict[str, Any], list[str]]] = {
    # the numbers of a sheet of three columns and two rows, line by line as one sees it
    "column first": ({}, ["0101 0201 0301", "0102 0202 0302"]),
    "row first": ({"order": "row"}, ["0101 0102 0103", "0201 0202 0203"]),
    "columns from the right": ({"columns_from": "right"}, ["0301 0201 0101", "0302 0202 0102"]),
    "rows from the bottom": ({"rows_from": "bottom"}, ["0102 0202 0302", "0101 0201 0301"]),
    "other first numbers": ({"first": [24, 7]}, ["2407 2507 2607", "2408 2508 2608"]),
    "own widths": ({"first": [99, 9], "digits": [3, 2]}, ["09909 10009 10109", "09910 10010 10110"]),
    "letters down": ({"digits": [1, "letters"], "order": "row"}, ["A1 A2 A3", "B1 B2 B3"]),
    "letters across": ({"digits": ["double", 2], "first": [25, 1]}, ["Y01 Z01 AA01", "Y02 Z02 AA02"]),
    "a digit or two": ({"digits": ["letters", 1], "first": [27, 9]}, ["AA9 AB9 AC9", "AA10 AB10 AC10"]),
    "doubled letters": ({"digits": ["double", 1], "first": [27, 1]}, ["AA1 BB1 CC1", "AA2 BB2 CC2"]),
    "a point between": ({"digits": 1, "separator": "."}, ["1.1 2.1 3.1", "1.2 2.2 3.2"]),
    "with a prefix": ({"prefix": "w", "order": "row"}, ["w0101 w0102 w0103", "w0201 w0202 w0203"]),
}


POINTY: dict[str, tuple[dict[str, Any], list[str]]] = {
    "as it is": ({}, ["0101 0201 0301", " 0102 0202 0302"]),
    "odd rows to the right": ({"shifted": "odd"}, [" 0101 0201 0301", "0102 0202 0302"]),
    "row first": ({"order": "row"}, ["0101 0102 0103", " 0201 0202 0203"]),
    "letters down": ({"digits": [1, "letters"], "order": "row"}, ["A1 A2 A3", " B1 B2 B3"]),
    "columns from the right": ({"columns_from": "right"}, [" 0301 0201 0101", "0302 0202 0102"]),
    "rows from the bottom": ({"rows_from": "bottom"}, [" 0102 0202 0302", "0101 0201 0301"]),
}


@pytest.mark.parametrize("name", POINTY)
def test_a_sheet_with_pointy_tops_is_numbered_and_shifted_as_its_board(name: str) -> None:
    layout, lines = POINTY[name]
    chart = GameMap.from_data(
        {"legend": {".": "clear"}, "terrain": ["...", "..."], "tops": "pointy", **layout}
    )
    rows: dict[int, list[tuple[int, str]]] = {}
    for hex in chart.hexes:
        down, across = chart.spot(hex)
        rows.setdefault(down, []).append((across, chart.number(hex)))
    least = min(across for row in rows.values() for across, _ in row)
    drawn = []
    for _, row in sorted(rows.items()):
        drawn.append(" " * (min(row)[0] - least) + " ".join(number for _, number in sorted(row)))
    assert drawn == lines


def test_directions_are_those_of_the_board_with_pointy_tops() -> None:
    """Even rows lie half a hex to the right: C3 touches C2 and C4, and B2, B3, D2, D3."""
    legend, rows = {".": "clear"}, ["....."] * 5
    chart = GameMap.from_data(
        {"legend": legend, "terrain": rows, "tops": "pointy", "digits": [1, "letters"], "order": "row"}
    )
    here = chart.index("C3")
    around = {chart.heading(here, near): chart.number(near) for near in chart.neighbours(here)}
    assert around == {"W": "C2", "E": "C4", "NW": "B2", "NE": "B3", "SW": "D2", "SE": "D3"}


@pytest.mark.parametrize("name", BOARDS)
def test_a_sheet_is_numbered_as_its_board(name: str) -> None:
    layout, lines = BOARDS[name]
    chart = GameMap.from_data({"legend": {".": "clear"}, "terrain": ["...", "..."], **layout})
    seen: dict[tuple[int, int], str] = {}
    for hex in chart.hexes:
        seen[chart.spot(hex)] = chart.number(hex)
        assert chart.index(chart.number(hex)) == hex
        grid = chart.sheets[0].grid
        assert grid.read(chart.number(hex)) == grid.column_row(hex)
    columns = sorted({column for column, _ in seen})
    drawn = [[seen[spot] for spot in sorted(seen, key=lambda s: s[1]) if spot[0] == c] for c in columns]
    assert [" ".join(row) for row in zip(*drawn, strict=True)] == lines


def test_neighbours_are_those_that_touch_on_the_board() -> None:
    left = HexGrid(5, 4)
    right = HexGrid(5, 4, columns_from="right", digits=(1, "letters"))
    for hex in left.hexes:
        column, row = left.column_row(hex)
        twin = right.at(6 - column, row)
        assert twin is not None
        wanted = {(6 - c, r) for c, r in map(left.column_row, left.neighbours(hex))}
        assert {right.column_row(other) for other in right.neighbours(twin)} == wanted
        for direction in ("N", "NE", "SE", "S", "SW", "NW"):
            one, other = left.towards(hex, direction), right.towards(twin, direction)  # type: ignore[arg-type]
            assert (one is None) == (other is None)


@pytest.mark.parametrize(
    ("layout", "code"),
    [
        ({"digits": 1, "first": 9}, "bad-numbers"),
        ({"digits": "letters"}, "bad-numbers"),
        ({"digits": "roman"}, "wrong-type"),
        ({"digits": [2, 4]}, "wrong-type"),
        ({"digits": ["letters", 2], "first": 0}, "wrong-type"),
        ({"first": [1, -1]}, "wrong-type"),
        ({"order": "diagonal"}, "not-one-of"),
        ({"columns_from": "top"}, "not-one-of"),
        ({"tops": "round"}, "not-one-of"),
        ({"first": 800}, "wrong-type"),
    ],
)
def test_a_numbering_that_cannot_be_is_refused(layout: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        GameMap.from_data({"legend": {".": "clear"}, "terrain": ["...", "..."], **layout})
    assert code in [fault.code for fault in refused.value.diagnostics]


@pytest.mark.parametrize("typed", ["b02", "B2", "b-2", "02B", "2 b", "B 02"])
def test_a_number_with_letters_is_recognized_as_people_type_it(typed: str) -> None:
    grid = HexGrid(3, 3, digits=("letters", 2), order="column")
    with pytest.raises(Refused) as refused:
        grid.index(typed)
    assert refused.value.diagnostics[0].help == ("did you mean B02?",)


def test_two_sheets_cannot_share_a_number_however_each_is_written() -> None:
    sheets = {"west": {"terrain": [".."]}, "east": {"terrain": [".."], "order": "row"}}
    with pytest.raises(Refused) as refused:
        GameMap.from_data({"legend": {".": "clear"}, "sheets": sheets})
    assert [fault.code for fault in refused.value.diagnostics] == ["listed-twice"]


def test_sheets_of_different_tops_cannot_join() -> None:
    sheets = {
        "west": {"terrain": [".."]},
        "east": {
            "terrain": [".."],
            "prefix": "e",
            "tops": "pointy",
            "joins": {"sheet": "west", "at": "0301"},
        },
    }
    with pytest.raises(Refused) as refused:
        GameMap.from_data({"legend": {".": "clear"}, "sheets": sheets})
    assert [fault.code for fault in refused.value.diagnostics] == ["bad-join"]


def test_sheets_join_whatever_their_numbers_are() -> None:
    sheets = {
        "west": {"terrain": ["..", ".."], "digits": ["letters", 1]},
        "east": {
            "terrain": ["..", ".."],
            "columns_from": "right",
            "prefix": "e",
            "joins": {"sheet": "west", "at": "D1"},
        },
    }
    chart = GameMap.from_data({"legend": {".": "clear"}, "sheets": sheets})
    touching = {chart.number(hex) for hex in chart.neighbours(chart.index("B1"))}
    assert any(number.startswith("e02") for number in touching), touching
