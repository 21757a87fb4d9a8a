"""What an editor reads in the data of a map, and how texts name hexes there."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.workshop.board_values import BoardValues

BOARD = BoardValues({"terrain": [". . .", ". . .", ". . ."]})
TWO = BoardValues({"sheets": {"west": {"terrain": [". ."], "prefix": "w"}, "east": {"terrain": [". ."]}}})


@pytest.mark.parametrize(
    ("ends", "name"),
    [
        (["0101", "0102"], "0101/0102"),
        (["0102", "0101"], "0101/0102"),
        ([" 0101", "0102 "], "0101/0102"),
        (["0203", "0301"], "0203/0301"),
        (["0101", "0101"], ""),
        (["0101", " 0101 "], ""),
        (["0101"], ""),
        (["0101", "0102", "0103"], ""),
        (["0909", "0101"], "0909/0101"),
        (["0101", "0909"], "0101/0909"),
        ([101, "0102"], "101/0102"),
    ],
)
def test_two_hexes_have_one_name_however_they_are_named(ends: list[Any], name: str) -> None:
    assert BOARD.pair(ends) == name


@pytest.mark.parametrize(
    ("text", "hexes"),
    [
        ("0101", ["0101"]),
        ("AsterSea", ["AsterSea"]),
        ("0101..0202", ["0101", "0102", "0201", "0202"]),
        ("0202..0101", ["0101", "0102", "0201", "0202"]),
        ("0103..0301", [f"0{c}0{r}" for c in (1, 2, 3) for r in (1, 2, 3)]),
        ("0202..0202", ["0202"]),
        ("0101..0909", []),
        ("0909..0101", []),
        ("0101..", []),
    ],
)
def test_two_corners_name_all_hexes_between_them(text: str, hexes: list[str]) -> None:
    assert BOARD.span(text) == hexes


def test_corners_on_two_sheets_name_nothing() -> None:
    assert TWO.span("w0101..w0201") == ["w0101", "w0201"]
    assert TWO.span("w0101..0101") == TWO.span("0101..w0101") == []
