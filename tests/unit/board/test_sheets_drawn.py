"""How sheets that do not join are drawn: beside an earlier one, below it, or as it comes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.board.test_locations import data, faults, load


@pytest.mark.parametrize(
    ("how", "drawn"),
    [
        ({"below": "west"}, ("below", "west")),
        ({"beside": "west"}, ("beside", "west")),
        ({"beside": "east"}, ("beside", "east")),
        ({}, None),
    ],
)
def test_a_sheet_is_drawn_where_the_scenario_wants_it(how: dict[str, str], drawn: Any) -> None:
    sheets: Any = data()["sheets"]
    south = {key: value for key, value in sheets["south"].items() if key != "below"}
    found = load(sheets={**sheets, "south": {**south, **how}})
    assert {sheet.name: sheet.drawn for sheet in found.sheets} == {"west": None, "east": None, "south": drawn}


@pytest.mark.parametrize("how", ["beside", "below"])
def test_only_beside_an_earlier_sheet(how: str) -> None:
    sheets: Any = data()["sheets"]
    south = {key: value for key, value in sheets["south"].items() if key != "below"}
    (fault,) = faults(sheets={**sheets, "south": {**south, how: "south"}})
    assert fault.code == "unknown-sheet" and fault.path == ("sheets", "south", how)
    assert fault.message.fields["known"] == "west, east"


def test_a_title_is_a_text() -> None:
    sheets: Any = data()["sheets"]
    west = {**sheets["west"], "title": 5}
    (fault,) = faults(sheets={**sheets, "west": west})
    assert fault.code == "wrong-type" and fault.path == ("sheets", "west", "title")
    assert [sheet.title for sheet in load().sheets] == ["The west", "east", "south"]
