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


def test_each_pair_of_neighbours_is_an_arrival_or_a_jump_and_never_both() -> None:
    """Waves go on by arrivals, many at once, and by jumps one at a time: none is gone twice."""
    chart = load()
    beside = {(a, b) for a in chart.locations for b in chart.neighbours(a)}
    arrivals = {
        (b - gap, b)
        for gap, bits in chart.arrivals.items()
        for b in range(bits.bit_length())
        if bits >> b & 1
    }
    assert arrivals and chart.jumps and not arrivals & {*chart.jumps}
    assert arrivals | {*chart.jumps} == beside and list(chart.jumps) == sorted({*chart.jumps})
