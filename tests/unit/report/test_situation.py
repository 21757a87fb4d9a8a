"""The map in sentences: what stands beside whom, how far and in which direction others are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.report.composing.compose import compose
from pbem.report.plain import width
from pbem.report.reader import Meta, View
from pbem.report.situation import compass, render, situation


def parts(reader: str | None, view: View, meta: Meta) -> dict[str, tuple[str, ...]]:
    return {part.title: part.lines for part in situation(compose(reader, [], view, meta))}


def test_contacts_come_first_then_own_forces_then_others_then_places(view: View, meta: Meta) -> None:
    assert list(parts("north", view, meta)) == [
        "State of the game",
        "In contact",
        "North (you), 3",
        "South, 2",
        "Places",
    ]


def test_a_contact_names_direction_enemies_and_what_lies_between(view: View, meta: Meta) -> None:
    fields = {"owner": "south", "type": "?", "hex": "0201"}
    position = Position(
        {"n1": {"owner": "north", "type": "IN", "cv": 3, "hex": "0101"}, "?1": fields, "?2": fields}, {}
    )
    told = parts("north", replace(view, position=position), meta)["In contact"]
    assert told == ("0101, north IN3: southeast in 0201 south 2 blocks (river)",)


def test_where_nobody_is_near_it_says_so(view: View, meta: Meta) -> None:
    far = {"n": {"owner": "north", "hex": "0101"}, "s": {"owner": "south", "hex": "0302"}}
    view = replace(view, position=Position(far, {}))
    assert parts("north", view, meta)["In contact"] == ("no enemy is adjacent to you",)
    assert parts(None, view, meta)["Adjacent units"] == ("no opposing units are adjacent",)


def test_others_are_told_by_how_near_they_are_to_me(view: View, meta: Meta) -> None:
    told = parts("north", view, meta)["South, 2"]
    assert told == ("0202, clear: 2 blocks; 1 hex southeast of 0102 Oxbridge",)


def test_the_public_list_names_each_pair_once(view: View, meta: Meta) -> None:
    told = parts(None, view, meta)["Adjacent units"]
    assert told == ("0102 Oxbridge, north AR2, IN1: southeast in 0202 south 2 blocks",)


def test_places_say_who_holds_them_and_who_is_there(view: View, meta: Meta) -> None:
    assert parts("south", view, meta)["Places"] == ("0102 Oxbridge, held by north: north AR2, IN1",)


def test_lines_fit_a_terminal_and_continue_indented(view: View, meta: Meta) -> None:
    names = {f"n{n}": {"owner": "north", "type": f"TYPE{n}", "cv": n, "hex": "0102"} for n in range(40)}
    lines = render(compose("north", [], replace(view, position=Position(names, {})), meta))
    assert all(width(line) <= 72 for line in lines)
    assert any(line.startswith("  TYPE") for line in lines)


def test_a_system_without_a_map_still_has_its_forces(view: View, meta: Meta) -> None:
    assert "North (you), 3" in parts("north", replace(view, chart=None), meta)


@pytest.mark.parametrize(
    ("end", "direction"),
    [
        ("0501", "N"), ("0701", "NE"), ("0906", "E"), ("0909", "SE"),
        ("0509", "S"), ("0109", "SW"), ("0106", "W"), ("0102", "NW"),
    ],
)  # fmt: skip
def test_directions_are_those_of_a_compass(end: str, direction: str) -> None:
    chart = GameMap.from_data({"legend": {".": "clear"}, "terrain": [" ".join("." * 9)] * 9})
    assert compass(chart, "0505", end) == direction


def test_directions_on_a_board_with_pointy_tops_are_those_one_sees(view: View, meta: Meta) -> None:
    chart = GameMap.from_data({"legend": {".": "clear"}, "terrain": ["..", ".."], "tops": "pointy"})
    fields = {"owner": "south", "type": "?", "hex": "0201"}
    counters = {"n1": {"owner": "north", "type": "IN", "cv": 3, "hex": "0101"}, "?1": fields}
    told = parts("north", replace(view, chart=chart, position=Position(counters, {})), meta)["In contact"]
    assert told == ("0101, north IN3: east in 0201 south block",)
    assert compass(chart, "0101", "0102") == "SE" and compass(chart, "0202", "0101") == "NW"
