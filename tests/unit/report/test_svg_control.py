"""Who holds the map, the front, art that crosses hexsides, and a large map from afar."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.fronts import front
from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.model.overlays import Overlay
from pbem.report.composing.compose import compose
from pbem.report.control import front_of, held, objectives
from pbem.report.formations import formations, hexes_of
from pbem.report.html import render
from pbem.report.reader import Meta, View
from pbem.report.svg import shore
from pbem.report.svg.draw import LARGE, draw, sheet
from pbem.report.svg.far import far
from pbem.report.svg.look import Look
from pbem.report.svg.picture import svg
from pbem.report.svg.sheet import Sheet
from tests.benchmarks.campaign import campaign

WIDE = GameMap.from_data({"legend": {".": "clear", "w": "wood", "~": "sea"}, "terrain": ["......~~"] * 8})
LOOK = {
    "look": "x",
    "front": "control",
    "terrain": {"clear": {"tint": "clear"}, "wood": {"tint": "woods"}, "sea": {"tint": "water"}},
    "counters": {"kind": "type", "kinds": {"IN": {"symbol": "infantry"}}},
}


def split(view: View, west: str = "north", east: str = "south", **more: object) -> View:
    """A map of two halves, with a unit of each at 0304 and 0404."""
    holders = {
        number: west if int(number[:2]) <= 3 else east
        for number in (WIDE.number(hex) for hex in WIDE.hexes)
        if int(number[:2]) <= 6
    }
    units = {
        "n1": {"owner": "north", "type": "IN", "hex": "0304"},
        "s1": {"owner": "south", "type": "IN", "hex": "0404"},
    }
    made = replace(
        view,
        chart=WIDE,
        position=Position(units),
        holders_from=lambda: holders,
        look_from=lambda: Look(LOOK),
        areas_from=tuple,
    )
    return replace(made, **more)  # type: ignore[arg-type]


# ---- the front -----------------------------------------------------------------------------------


def test_a_front_lies_where_enemies_that_hold_ground_touch_and_both_have_units_near(view: View) -> None:
    sides = {tuple(sorted(map(WIDE.number, side))) for side in front_of(split(view))}
    assert ("0304", "0404") in sides and ("0303", "0403") in sides
    assert not any(side[0] in ("0301", "0308") for side in sides), "nobody stands near"
    assert all(side[0][:2] == "03" and side[1][:2] == "04" for side in sides)


def test_without_enemy_units_without_the_word_of_the_rules_or_among_friends_there_is_none(view: View) -> None:
    alone = Position({"n1": {"owner": "north", "type": "IN", "hex": "0304"}})
    assert front_of(split(view, position=alone)) == []
    silent = {key: value for key, value in LOOK.items() if key != "front"}
    assert front_of(split(view, look_from=lambda: Look(silent))) == []
    assert front_of(split(view, sides_from=lambda: {"north": "all", "south": "all"})) == []
    assert "front" not in draw(split(view, position=alone)).layers
    assert "front" in draw(split(view)).layers


def test_a_system_may_give_its_front_itself_but_none_lies_at_sea(view: View) -> None:
    given_ = [Overlay("front", "", ("0101/0201", "0601/0701"))]
    silent = {key: value for key, value in LOOK.items() if key != "front"}
    seen = split(view, look_from=lambda: Look(silent), areas_from=lambda: given_)
    assert [tuple(map(WIDE.number, side)) for side in front_of(seen)] == [("0101", "0201")]


def test_nobody_is_at_war_with_himself() -> None:
    everyone = dict.fromkeys(map(WIDE.number, WIDE.hexes), "north")
    assert front(WIDE, everyone, [("north", "0304")], lambda a, b: True) == ()


# ---- who holds what ------------------------------------------------------------------------------


def test_control_is_drawn_on_land_only_and_not_where_one_has_nearly_all(view: View) -> None:
    seen = split(view)
    assert {who: len(hexes) for who, hexes in held(seen, WIDE.hexes).items()} == {"north": 24, "south": 24}
    swapped = replace(seen, players=("south", "north"))
    assert list(held(swapped, WIDE.hexes)) == ["south", "north"], "in the order of the powers"
    at_sea = split(view, holders_from=lambda: {"0701": "north", "0101": "south"})
    assert held(at_sea, WIDE.hexes) == {"south": [WIDE.index("0101")]}
    assert held(split(view, east="north"), WIDE.hexes) == {}
    assert "control" not in draw(split(view, east="north")).layers
    svg = draw(seen).svg
    assert svg.count('class="m-ct0"') == 1 and svg.count('class="m-ci1"') == 1
    assert "held by North" in [words for _, words in draw(seen).key]


def test_the_band_lies_neither_along_coasts_nor_along_the_edge(view: View) -> None:
    seen = split(view)
    drawn = draw(seen).svg
    bands = re.findall(r'<path class="m-ci\d" d="([^"]*)"', drawn)
    spots = sheet(seen, WIDE)
    border = {spots.side_between(WIDE.index(f"03{row:02}"), WIDE.index(f"04{row:02}")) for row in range(1, 9)}
    corners = {point for side in border for point in side}
    assert bands and all(any(path.startswith(f"M{x} {y}") for x, y in corners) for path in bands)


def test_what_a_player_does_not_know_is_not_drawn(view: View) -> None:
    """All of it is made from the view: without holders in it there is neither tint nor front nor a key."""
    seen = split(view, holders_from=dict)
    drawn = draw(seen)
    assert not {"control", "front"} & set(drawn.layers)
    assert not [words for _, words in drawn.key if words.startswith("held by") or words == "front"]


def test_objectives_carry_a_star_and_their_worth(view: View) -> None:
    wanted = [Overlay("objective", "north", ("0203",), worth=5), Overlay("objective", "", ("0203", "0505"))]
    seen = split(view, areas_from=lambda: wanted)
    assert objectives(seen) == {"0203": 5, "0505": 0}
    drawn = draw(seen)
    assert [words for _, words in drawn.key if words == "needed for victory"]
    assert drawn.svg.count('scale(0.46)"/>') == 2


# ---- art that crosses hexsides -------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(WIDE.hexes), min_size=1, max_size=30))
def test_art_leaves_its_hexsides_by_nine_units_at_most_and_coasts_are_the_same_from_both_sides(
    hexes: set[int],
) -> None:
    spots = Sheet(WIDE)
    for grow in (0, 2):
        for border in shore.borders(spots, hexes):
            for side in border:
                for x, y in shore._moved(spots, side, grow):
                    (ax, ay), (bx, by) = side.start, side.end
                    long = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
                    off = abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long
                    assert off <= 9, "the middle of a hex shows its own terrain"
                other = shore.Side(side.end, side.start, None)
                if not grow:
                    one, two = (sorted(shore._moved(spots, each, 0)) for each in (side, other))
                    assert all(
                        abs(a - b) <= 1
                        for p, q in zip(one, two, strict=True)
                        for a, b in zip(p, q, strict=True)
                    )


def test_water_and_land_meet_without_a_gap_and_the_map_keeps_its_edge(view: View) -> None:
    seen = split(view)
    drawn = draw(seen).svg
    assert "m-coast" in drawn and "clip-path" in drawn
    wet = [hex for hex in WIDE.hexes if WIDE.terrain(hex) == "sea"]
    spots = Sheet(WIDE)
    assert shore.filled(spots, wet, lambda other: False) == "".join(
        shore._closed([(side.start, True) for side in border]) for border in shore.borders(spots, wet)
    )


# ---- from afar -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def war() -> tuple[View, str]:
    view, events = campaign()
    return view, far(view, events, "The war", "", lambda hex: f"#part-{hex}")


def test_a_map_of_99_by_60_with_600_counters_is_a_situation_of_150_kB(war: tuple[View, str]) -> None:
    view, drawn = war
    assert view.chart is not None
    assert (len(view.chart.hexes), len(view.position.counters)) == (5940, 588)
    assert len(drawn.encode()) <= 150_000
    assert drawn.count("<") - drawn.count("</") <= 1200


def test_a_formation_stands_at_one_of_its_own_units_covers_no_other_and_leads_to_its_part(
    war: tuple[View, str],
) -> None:
    view, drawn = war
    found = formations(view)
    assert len(found) == 28 and sum(len(one.units) for one in found) == 588
    assert all(one.full >= one.strength > 0 and one.size == "XX" and one.symbol for one in found)
    boxes = re.findall(r'href="#part-(\d+)" aria-label="([^"]*)" transform="translate\((\d+) (\d+)\)', drawn)
    assert len(boxes) == 28
    spots = Sheet(view.chart, view.chart.hexes) if view.chart else None
    assert spots is not None
    own = {one.name: {spots.centre(hex) for hex in hexes_of(view, one)} for one in found}
    for _, told, x, y in boxes:
        name = told.split(":")[0].split(" ")[1]
        assert (int(x), int(y)) in own[name], told
    px = spots.width / 1210
    places = [(int(x), int(y)) for _, _, x, y in boxes]
    close = [
        (a, b)
        for n, a in enumerate(places)
        for b in places[:n]
        if abs(a[0] - b[0]) < 34 * px and abs(a[1] - b[1]) < 22 * px
    ]
    assert close == []


def test_hidden_stacks_have_neither_formation_nor_strength(view: View) -> None:
    hidden = {f"?{n}": {"owner": "south", "hex": "0404"} for n in range(3)}
    known = {"n1": {"owner": "north", "type": "IN", "hex": "0304", "corps": "V"}}
    look = {**LOOK, "counters": {**LOOK["counters"], "formation": "corps"}}  # type: ignore[dict-item]
    seen = split(view, position=Position({**hidden, **known}), look_from=lambda: Look(look))
    found = {one.owner: one for one in formations(seen)}
    assert found["north"].name == "V" and found["north"].symbol == "infantry"
    south = found["south"]
    assert (south.name, south.symbol, south.strength, south.full, len(south.units)) == ("", "", 0, 0, 3)


def test_units_of_no_formation_belong_to_a_headquarters_near_them_else_to_each_other(view: View) -> None:
    kinds = {"IN": {"symbol": "infantry"}, "HQ": {"symbol": "headquarters", "code": "HQ"}}
    units = {
        "h": {"owner": "north", "type": "HQ", "hex": "0101"},
        "a": {"owner": "north", "type": "IN", "hex": "0103"},
        "b": {"owner": "north", "type": "IN", "hex": "0108"},
        "c": {"owner": "north", "type": "IN", "hex": "0208"},
    }
    look = {**LOOK, "counters": {"kind": "type", "kinds": kinds}}
    seen = split(view, position=Position(units), look_from=lambda: Look(look))
    assert sorted(tuple(sorted(one.units)) for one in formations(seen)) == [("a", "h"), ("b", "c")]


def test_the_page_of_a_large_map_has_the_situation_first_and_no_script_is_needed(
    war: tuple[View, str],
) -> None:
    view, _ = war
    page = render(compose(None, [], view, Meta("War", "ab" * 32, "ocs", 4, "Turn 2")))
    assert page.index('class="map-whole"') < page.index('class="map-window"')
    links = set(re.findall(r'class="m-zx" href="#([^"]+)"', page))
    assert links and all(f'id="{link}"' in page for link in links)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_a_file_of_a_large_map_is_printed_as_a_situation(war: tuple[View, str]) -> None:
    view, _ = war
    drawn = svg(compose(None, [], view, Meta("War", "ab" * 32, "ocs", 4, "Turn 2")))
    root = ElementTree.fromstring(drawn)
    assert "@media print{.m-near{display:none}}" in drawn
    assert [one.get("class") for one in root if (one.get("class") or "").startswith("m-")] == [
        "m-near",
        "m-on-paper",
    ]
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))


def test_a_map_that_fits_a_page_has_no_situation(view: View) -> None:
    seen = split(view)
    assert sheet(seen, WIDE).width <= LARGE
    page = render(compose(None, [], seen, Meta("Small", "ab" * 32, "victory", 4, "Turn 2")))
    assert 'class="map-whole"' not in page


def test_the_front_from_afar_is_smooth(war: tuple[View, str]) -> None:
    """No corner of it is sharper than a right angle."""
    _, drawn = war
    (path,) = re.findall(
        r'<path id="far-d\w+" d="([^"]*)"/>', drawn.split('class="m-zfe"')[0].split("<defs>")[1]
    )[-1:]
    for line in path.split("M")[1:]:
        steps = [(int(x or 0), int(y or 0)) for x, y in re.findall(r"l(-?\d+) ?(-?\d+)", line)]
        for (ax, ay), (bx, by) in pairwise(steps):
            assert ax * bx + ay * by >= 0
