"""The map as text, drawn from a view and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.report.forces import force_lines, place_lines
from pbem.report.muster import forces, held
from pbem.report.reader import View
from pbem.report.textmap import Window, draw, initials, legend, sheets
from pbem.report.wording import Wording
from tests.unit.report.conftest import CHART

DRAWN = r"""
  ____        ____
 /0101\      /0301\
/      \____/~~~~~~\
\N IN3 #0201\~~~~~~/
 \_==_# w w  \____/
 /0102\      /0302\
/Oxbrid\____/~~~~~~\
\  N2  /0202\~~~~~~/
 \n___=      \____/
      \  S2  /
       \____/
"""


def test_the_map_is_drawn(view: View) -> None:
    assert "\n".join(["", *draw(view), ""]) == DRAWN


def test_a_link_over_a_hexside_shows_as_both(chart: GameMap, view: View) -> None:
    data = {
        "legend": {".": "clear"},
        "terrain": [". ."],
        "hexsides": {"river": ["0101/0201"]},
        "links": {"road": ["0101-0201"]},
    }
    drawn = draw(replace(view, chart=GameMap.from_data(data), position=Position()))
    assert drawn[3][7] == "#" and drawn[4][6] == "="


def test_a_sheet_whose_rows_count_from_the_bottom_has_row_one_below(view: View) -> None:
    data = {"legend": {".": "clear"}, "terrain": [". .", ". ."], "rows_from": "bottom"}
    drawn = "\n".join(draw(replace(view, chart=GameMap.from_data(data), position=Position())))
    assert drawn.index("0102") < drawn.index("0101")


def test_holes_in_the_sheet_are_not_drawn(view: View) -> None:
    data = {"legend": {".": "clear", "_": None}, "terrain": [". _ ."]}
    drawn = "\n".join(draw(replace(view, chart=GameMap.from_data(data), position=Position())))
    assert "0201" not in drawn and "0301" in drawn


def test_a_window_shows_only_its_part(view: View) -> None:
    drawn = "\n".join(draw(view, Window((2, 2), (1, 2))))
    assert "0201" in drawn and "0101" not in drawn and drawn.startswith("  ____")


def test_a_large_map_comes_in_sheets_around_the_counters(view: View) -> None:
    data = {"legend": {".": "clear"}, "terrain": ["." * 40] * 30}
    large = replace(view, chart=GameMap.from_data(data))
    shown = sheets(large)
    assert [title for title, _ in shown] == ["columns 1-12, rows 0-3"]
    assert len(sheets(large, everything=True)) == 4
    assert all(len(line) <= 74 for _, lines in sheets(large, everything=True) for line in lines)


def test_hostile_names_do_not_break_the_drawing(view: View) -> None:
    places = {"town": [{"hex": "0102", "name": "\x1b[2J\u202eevil\n日本"}]}
    data = {"legend": {".": "clear"}, "terrain": [". .", ". ."], "places": places}
    drawn = draw(replace(view, chart=GameMap.from_data(data)))
    assert all(line.isprintable() for line in drawn)
    assert all("\u202e" not in line for line in drawn)


def test_several_owners_in_a_hex_are_all_counted(view: View) -> None:
    owners = ("north", "south", "east", "west")
    counters = {f"{owner}{n}": {"owner": owner, "hex": "0101"} for owner in owners for n in range(2)}
    crowded = replace(view, position=Position(counters), players=owners)
    drawn = "\n".join(draw(crowded))
    assert all(f"{owner[0].upper()}2" in drawn for owner in owners)


def test_initials_tell_players_apart() -> None:
    assert initials(("red", "blue")) == {"red": "R", "blue": "B"}
    assert initials(("black", "blue")) == {"black": "BLA", "blue": "BLU"}


def test_the_legend_names_only_what_is_there(view: View) -> None:
    words = " ".join(legend(view))
    assert "w wood" in words and "## river" in words and "== road" in words and "clear" not in words


def order_of_battle(view: View, reader: str) -> list[str]:
    return force_lines(forces(view, reader), view.wording)


def test_order_of_battle_has_the_reader_first(view: View) -> None:
    assert order_of_battle(view, "south")[:2] == [
        "South (you), 2",
        "  0202                   ?1, ?2 (2 blocks)",
    ]
    assert order_of_battle(view, "north")[:3] == [
        "North (you), 3",
        "  0101                   n1 (IN3)",
        "  0102 Oxbridge          n2 (AR2), n3 (IN1)",
    ]
    assert place_lines(held(view)) == ["  0102 Oxbridge, held by north"]


def test_a_system_without_a_map_has_no_map(view: View) -> None:
    bare = replace(view, chart=None)
    assert draw(bare) == [] and sheets(bare) == [] and legend(bare) == [] and place_lines(held(bare)) == []
    assert "  0102                   n2 (AR2), n3 (IN1)" in order_of_battle(bare, "north")


def test_a_system_may_call_the_owner_of_a_counter_otherwise() -> None:
    view = View(
        Position.from_json({"counters": {"a": {"side": "red", "hex": "0101"}}, "tracks": {}}),
        ("red", "blue"),
        Wording({"map": {"owner": "side"}, "counters-short": {"one": "{id}"}}),
    )
    assert order_of_battle(view, "red") == ["Red (you), 1", "  0101                   a"]


POINTY = r"""
 .-' '-. .-' '-.
|   A1  |   A2  |
|       =Oxbridg|
| N IN3 |   N2  |
 '-. ### '-.n.=' '-.
    |   B1  |   B2  |
    |  w w  |       |
    |       |   S2  |
 .-' '-. .-' '-. .-'
|   C1  |   C2  |
| ~~~~~~| ~~~~~~|
| ~~~~~~| ~~~~~~|
 '-. .-' '-. .-'
"""


def test_pointy_tops_are_drawn_in_rows_with_letters(view: View) -> None:
    """The map of the other tests, columns and rows exchanged."""
    text = json.dumps(CHART | {"terrain": [". .", "w .", "~ ~"]})
    numbers = {f"0{c}0{r}": f"{'ABC'[c - 1]}{r}" for c in (1, 2, 3) for r in (1, 2)}
    text = re.sub("|".join(numbers), lambda found: numbers[found[0]], text)
    chart = GameMap.from_data(
        {**json.loads(text), "tops": "pointy", "digits": [1, "letters"], "order": "row"}
    )
    counters = {id: {**one, "hex": numbers[str(one["hex"])]} for id, one in view.position.counters.items()}
    tracks = {**view.position.tracks, "control": {"A2": "north"}}
    turned = replace(view, chart=chart, position=Position(counters, tracks))
    assert "\n".join(["", *draw(turned), ""]) == POINTY
