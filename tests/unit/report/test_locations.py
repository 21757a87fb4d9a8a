"""Sheets, boxes and areas in every form of a map: drawing, letters, sentences, lists."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.model.overlays import Overlay
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.html import render as html
from pbem.report.muster import forces
from pbem.report.reader import Meta, View
from pbem.report.situation import situation
from pbem.report.svg import plaques, stacks
from pbem.report.svg.canvas import Canvas, Style
from pbem.report.svg.draw import draw, sheet
from pbem.report.svg.look import Look, faults
from pbem.report.svg.picture import png
from pbem.report.textmap import sheets
from tests.unit.report.happenings import KNOWN

WORLD: dict[str, Any] = {
    "legend": {".": "clear", "~": "sea", "_": None},
    "sheets": {
        "west": {"prefix": "w", "title": "Western front", "terrain": [". . ~ ~ ~ ~ ~ ~ ~ ~"] * 7},
        "east": {"prefix": "e", "title": "Eastern front", "terrain": ["~ . .", "~ . .", "_ . ."]},
    },
    "boxes": {"Reserve": None, "Overseas": {"name": "Far away", "terrain": "sea"}},
    "areas": {
        "sea": {
            "NS": {"name": "Narrow Sea", "terrain": "sea", "members": ["w0301..w1007"], "boxes": [0, 1]},
            "WO": {"name": "Western Ocean", "terrain": "sea"},
        },
        "country": {"Reich": ["w0101..w0204"], "Union": ["e0201..e0303"]},
    },
    "links": {"lane": ["NS-WO-Overseas"], "port": ["w0203-NS"], "road": ["w0101-w0102"]},
}
COUNTERS: dict[str, Any] = {
    "n1": {"owner": "north", "type": "BB", "cv": 3, "hex": "NS"},
    "n2": {"owner": "north", "type": "IN", "cv": 1, "hex": "Reserve"},
    "n3": {"owner": "north", "type": "SS", "cv": 2, "hex": "NS.1"},
    "s1": {"owner": "south", "type": "BB", "cv": 2, "hex": "NS"},
    "s2": {"owner": "south", "type": "IN", "cv": 4, "hex": "w0203"},
    "s3": {"owner": "south", "type": "IN", "cv": 4, "hex": "e0202"},
}


@pytest.fixture
def world(view: View) -> View:
    return replace(view, chart=GameMap.from_data(WORLD), position=Position(COUNTERS), events=KNOWN)


def looked(view: View, **parts: Any) -> View:
    return replace(view, look_from=lambda: Look({"look": "test", **parts}))


def labels(svg: str) -> dict[str, str]:
    """Id -> what the map says is there."""
    return dict(re.findall(r'id="hex-([^"]+)" class="m-x"[^>]*><title>([^<]*)<', svg))


def test_whatever_stands_in_a_box_or_an_area_can_be_focused_and_is_named(world: View) -> None:
    assert labels(draw(world).svg) == {
        "w0203": "w0203 clear; South: IN4",
        "e0202": "e0202 clear; South: IN4",
        "Reserve": "Reserve; North: IN1",
        "NS.1": "NS.1 Narrow Sea 1 sea; North: SS2",
        "NS": "NS Narrow Sea sea; North: BB3; South: BB2",
    }


def test_every_box_and_area_has_a_rectangle_and_none_hides_another(world: View) -> None:
    chart = world.chart
    assert chart is not None
    placed = sheet(world, chart)
    assert set(placed.rects) == {*chart.boxes, *chart.areas}
    inside = {chart.index("NS.0"), chart.index("NS.1")}
    for a, b in combinations(sorted(set(placed.rects) - inside), 2):
        assert not placed.rects[a].meets(placed.rects[b])
    sea = placed.rects[chart.index("NS")]
    for box in inside:
        assert sea.around(placed.rects[box]) == sea
    for rect in placed.rects.values():
        assert 0 <= rect.x and rect.x + rect.wide <= placed.width
        assert 0 <= rect.y and rect.y + rect.high <= placed.height


def test_a_sea_area_lies_over_its_hexes_and_what_has_none_beside_the_sheets(world: View) -> None:
    chart = world.chart
    assert chart is not None
    placed = sheet(world, chart)
    x, y = placed.rects[chart.index("NS")].centre
    nearest = min(
        chart.hexes,
        key=lambda hex: sum((p - q) ** 2 for p, q in zip(placed.centre(hex), (x, y), strict=True)),
    )
    assert chart.area("sea", nearest) == "NS"
    lowest = max(placed.centre(hex)[1] for hex in chart.hexes)
    assert all(placed.rects[chart.index(id)].y > lowest for id in ("WO", "Reserve", "Overseas"))


def test_a_plaque_hides_no_hexes_but_those_of_its_area_and_no_other_plaque(view: View) -> None:
    """A strait of one column has no room; two layers over the same sea share it."""
    areas = {
        "sea": {"NS": {"members": ["0301..1008"]}, "Strait": {"members": ["0101..0108"]}},
        "air": {"Zone": {"members": ["0301..1008"]}},
    }
    chart = GameMap.from_data({"legend": {".": "sea"}, "terrain": ["." * 10] * 8, "areas": areas})
    placed = sheet(replace(view, chart=chart), chart)
    for layer, name in (("sea", "NS"), ("sea", "Strait"), ("air", "Zone")):
        rect = placed.rects[chart.index(name)]
        hidden = {hex for hex in chart.hexes if rect.holds(placed.centre(hex))}
        assert hidden <= set(chart.area_hexes(layer, name))
        assert bool(hidden) == (name != "Strait")
    assert not placed.rects[chart.index("NS")].meets(placed.rects[chart.index("Zone")])


def test_a_far_link_between_hexes_is_a_line_and_no_road(view: View) -> None:
    links = {"ferry": {"far": True, "chains": ["0101-0104"]}}
    chart = GameMap.from_data({"legend": {".": "sea"}, "terrain": ["...."] * 4, "links": links})
    drawn = draw(looked(replace(view, chart=chart), links={"ferry": "road"})).svg
    assert "m-l-road" not in drawn and "m-lanes" in drawn


def test_sheets_lie_beside_each_other_or_below_or_join_as_the_map_says(view: View) -> None:
    def corners(**east: Any) -> tuple[tuple[int, int], tuple[int, int]]:
        made = {**WORLD["sheets"], "east": {**WORLD["sheets"]["east"], **east}}
        chart = GameMap.from_data({**WORLD, "sheets": made})
        placed = sheet(replace(view, chart=chart), chart)
        return placed.centre(chart.index("w0101")), placed.centre(chart.index("e0101"))

    (x, y), (to_x, to_y) = corners()
    assert to_x > x + 10 * 60 and to_y == y
    (x, y), (to_x, to_y) = corners(below="west")
    assert to_x == x and to_y > y + 7 * 70
    (x, y), (to_x, to_y) = corners(joins={"sheet": "west", "at": "w1103"})
    assert (to_x, to_y) == (x + 10 * 60, y + 2 * 70)


def test_a_look_may_place_boxes_and_areas_and_draw_the_borders_of_a_layer(world: View) -> None:
    placing = {"Reserve": {"at": [-3, 1], "size": [2, 2]}}
    chart = world.chart
    assert chart is not None
    placed = sheet(looked(world, locations=placing), chart)
    rect, corner = placed.rects[chart.index("Reserve")], placed.centre(chart.index("w0101"))
    assert (rect.wide, rect.high) == (120, 140) and rect.x + rect.wide < corner[0]
    plain, bordered = draw(world).svg, draw(looked(world, layers={"country": "river"})).svg
    assert "m-l-river" in bordered and "m-l-river" not in plain
    assert not faults({"look": "x", "locations": placing, "layers": {"country": "river"}}, None)
    assert [fault.code for fault in faults({"look": "x", "layers": {"country": "nothing"}}, None)] == [
        "unknown-name"
    ]


def test_links_that_share_no_hexside_are_lines_with_a_key(world: View) -> None:
    drawn = draw(world)
    assert drawn.svg.count('class="m-lanes"') == 2
    assert [text for _, text in drawn.key if text in ("lane", "port", "road")] == ["lane", "port"]


def test_a_box_is_as_high_as_its_counters_need_and_shows_them_all(world: View) -> None:
    chart = world.chart
    assert chart is not None
    heights = []
    for count in (0, 1, 2, 3, 9):
        pool = {f"p{n}": {"owner": "north", "type": f"T{n}", "cv": 1, "hex": "Reserve"} for n in range(count)}
        full = replace(world, position=Position(pool))
        drawn = sheet(full, chart)
        room = plaques.room(Canvas(full, drawn, Style()), chart, chart.index("Reserve"))
        shown = stacks.pool(Canvas(full, drawn, Style()), sorted(pool), room) if pool else ""
        assert shown.count("<use") == count and "scale" not in shown
        lowest = max([int(y) for y in re.findall(r"translate\(-?\d+ (\d+)\)", shown)], default=0)
        assert lowest + 15 <= room.y + room.high or not pool
        heights.append(room.high)
    assert heights[0] < heights[1] == heights[2] < heights[3] < heights[4]


def test_supply_reaches_boxes_on_the_drawing_too(world: View) -> None:
    area = Overlay("supply", "north", ("w0101", "Reserve"))
    drawn = draw(replace(world, areas_from=lambda: [area]))
    chart = world.chart
    assert chart is not None and "supply" in drawn.layers
    assert sheet(world, chart).rects[chart.index("Reserve")].path in drawn.svg


def test_hexes_that_the_map_names_carry_their_names(world: View) -> None:
    chart = GameMap.from_data({**WORLD, "names": {"w0104": "Velm"}})
    named = replace(world, chart=chart)
    assert any("Velm" in line for _, lines in sheets(named, everything=True) for line in lines)
    with_look = looked(named, places={"town": {"site": "town", "label": "name"}})
    assert (
        draw(with_look).svg.count('class="m-tablet"')
        == draw(looked(world, places={"town": {"site": "town"}})).svg.count('class="m-tablet"') + 1
    )


def test_a_part_of_a_map_is_drawn_without_boxes(world: View) -> None:
    assert world.chart is not None
    drawn = draw(world, hexes=[world.chart.index("w0203"), world.chart.index("w0204")])
    assert list(labels(drawn.svg)) == ["w0203"]


def test_moves_and_battles_may_begin_and_end_in_a_box(world: View) -> None:
    events = [{"event": "moved", "owner": "north", "path": ["WO", "NS", "w0203"], "blocks": 2}]
    found = draw(looked(world, moves={"moved": "sea"}), events)
    assert "moves" in found.layers


def test_in_letters_every_sheet_has_its_heading_then_come_boxes_and_areas(world: View) -> None:
    found = dict(sheets(world))
    assert list(found) == ["Western front", "Eastern front", "Boxes and areas"]
    rows = "\n".join(found["Boxes and areas"])
    assert "\n".join(line[:22].rstrip() for line in found["Boxes and areas"][:9]) == "\n".join(
        [
            "+-NS-----------------+",
            "| Narrow Sea         |",
            "| N1 S1              |",
            "| 0:                 |",
            "| 1: N SS2           |",
            "| to w0203, WO       |",
            "+--------------------+",
            "+-Overseas-----------+",
            "| Far away           |",
        ]
    )
    assert "N IN1" in rows
    assert all(len(line) <= 74 for _, lines in sheets(world, everything=True) for line in lines)


def test_joined_sheets_are_one_drawing_in_letters(world: View) -> None:
    east = {**WORLD["sheets"]["east"], "joins": {"sheet": "west", "at": "w1103"}}
    west = {"prefix": "w", "terrain": [". . ~"] * 4}
    joined = {**east, "joins": {"sheet": "west", "at": "w0402"}}
    both = {"legend": WORLD["legend"], "sheets": {"west": west, "east": joined}}
    drawn = sheets(replace(world, chart=GameMap.from_data(both)), everything=True)
    assert [title for title, _ in drawn] == [""]
    assert any("/w0303\\" in line and "/e0201\\" in line for line in drawn[0][1])
    chart = GameMap.from_data({**WORLD, "sheets": {**WORLD["sheets"], "east": east}})
    found = sheets(replace(world, chart=chart), everything=True)
    assert [title for title, _ in found] == ["from w0101 to w1007", "from e0101 to e0303", "Boxes and areas"]


def test_in_sentences_contacts_go_over_links_and_boxes_have_no_distance(world: View) -> None:
    report = compose("north", [], world, Meta("t", "g", "s", 1, "here"))
    parts = {part.title: part.lines for part in situation(report)}
    contacts = parts["In contact"]
    assert contacts == (
        "NS Narrow Sea, north BB3: in the same place south BB2; in w0203, by port, south IN4",
    )
    assert parts["South, 3"] == (
        "NS Narrow Sea, sea: BB2; in the same place as you, NS Narrow Sea",
        "e0202, clear: IN4",
        "w0203, clear: IN4",
    )


def test_lists_name_boxes_and_areas_as_the_map_does(world: View) -> None:
    assert world.place_name("NS") == "Narrow Sea" and world.place_name("Reserve") == ""
    north = forces(world, "north")[0]
    assert [(stack.hex, stack.name) for stack in north.stacks] == [
        ("NS", "Narrow Sea"),
        ("NS.1", "Narrow Sea 1"),
        ("Reserve", ""),
    ]


def test_a_page_leads_from_boxes_on_the_map_to_the_lines_that_tell_more(world: View) -> None:
    page = html(compose("north", [], world, Meta("t", "g", "s", 1, "here")))
    for id in ("NS", "NS.1", "Reserve", "w0203"):
        assert f'id="at-{id}"' in page and f'href="#at-{id}"' in page
    heads = re.findall(r'<th scope="row"[^>]*>(?:<a [^>]*>)?([^<]*)', page)
    assert "Narrow Sea 1" in heads and "NS.1" not in heads, "a box goes by its name, not by its key"


def test_a_picture_is_made_of_all_of_it(world: View) -> None:
    pytest.importorskip("resvg_py")
    report = compose("north", [], world, Meta("t", "g", "s", 1, "here"))
    assert png(report, scale=1).startswith(b"\x89PNG")
    assert "NS.1" in str(as_json(report))


def test_places_beside_the_sheets_that_are_linked_have_room_for_the_lines(view: View) -> None:
    apart = {}
    for name, links in (("loose", {}), ("linked", {"rail": ["A-B"]})):
        chart = GameMap.from_data({**WORLD, "boxes": {"A": None, "B": None}, "links": links})
        laid = sheet(replace(view, chart=chart), chart)
        (ax, ay), (bx, by) = (laid.centre(laid.get(box) or 0) for box in "AB")
        apart[name] = abs(ax - bx) + abs(ay - by)
    assert apart["linked"] > apart["loose"]
