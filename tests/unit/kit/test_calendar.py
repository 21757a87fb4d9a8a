"""Calendars: what a turn is in the year, for campaigns with an end and years that come round."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pbem.kit.calendar import Calendar
from pbem.text.diagnostics import Refused


@dataclass(frozen=True)
class Turn:
    """A turn of the year."""

    name: str
    season: str = ""


YEAR = [{"name": "Mar", "season": "spring"}, {"name": "Jul"}, {"name": "Nov", "season": "winter"}]


def test_each_turn_has_its_row_and_after_the_end_the_last_one_counts() -> None:
    calendar = Calendar.from_data(Turn, YEAR)
    assert [calendar.at(turn).name for turn in (1, 2, 3, 4, 9)] == ["Mar", "Jul", "Nov", "Nov", "Nov"]
    assert calendar.at(2) == Turn("Jul") and calendar.year(9) == 0
    with pytest.raises(ValueError, match="no turn 0"):
        calendar.at(0)


def test_a_year_comes_round_and_may_begin_anywhere() -> None:
    calendar = Calendar.from_data(Turn, YEAR, repeats=True, first=2)
    assert [calendar.at(turn).name for turn in range(1, 8)] == [
        "Nov",
        "Mar",
        "Jul",
        "Nov",
        "Mar",
        "Jul",
        "Nov",
    ]
    assert [calendar.year(turn) for turn in range(1, 8)] == [0, 1, 1, 1, 2, 2, 2]


def test_faulty_calendars_are_refused_with_all_faults() -> None:
    with pytest.raises(Refused) as caught:
        Calendar.from_data(Turn, [{"nam": "x"}, {"name": 3}], ("calendar",), first=5)
    assert [fault.path for fault in caught.value.diagnostics] == [
        ("calendar", 0, "nam"),
        ("calendar", 0),
        ("calendar", 1, "name"),
        ("calendar",),
    ]
    with pytest.raises(Refused):
        Calendar.from_data(Turn, [])
