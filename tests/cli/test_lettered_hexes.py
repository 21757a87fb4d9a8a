"""Hexes with letters as people type them in orders: in any case, with zeros or without, either way round."""

from __future__ import annotations

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.cli.writing.naming import Names
from pbem.report.reader import View
from pbem.report.wording import Wording


def names(**layout: object) -> Names:
    data = {"legend": {".": "clear"}, "terrain": ["." * 20] * 10, **layout}
    counters = {"W-C3": {"owner": "west", "hex": "C13" if "digits" in layout else "0313"}}
    return Names(View(Position(counters), ("west",), Wording({}), GameMap.from_data(data)))  # type: ignore[arg-type]


@pytest.mark.parametrize("typed", ["C13", "c13", "13C", "13 c", "C 13", "c.13", "C013"])
def test_a_hex_of_a_board_with_letters_is_found_as_people_type_it(typed: str) -> None:
    assert names(tops="pointy", order="row", digits=[1, "letters"]).find(typed) == "C13"


@pytest.mark.parametrize("typed", ["K1", "C21", "W-C4", "C-D-1", "13", "CC13", "C13 D14"])
def test_what_is_no_hex_is_not_guessed_at(typed: str) -> None:
    assert names(tops="pointy", order="row", digits=[1, "letters"]).find(typed) is None


def test_a_zero_may_be_left_out() -> None:
    assert names(order="row", digits=[2, "letters"]).find("c5") == "C05"
    assert names().find("305") == "0305" and names().find("c5") is None
