"""The map as SVG: what is on it, in which layers, with which names; small, sound, the same every time."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.model.facility import Facility
from pbem.model.facts import PUBLIC
from pbem.model.overlays import Overlay
from pbem.report.composing.compose import compose
from pbem.report.html import render
from pbem.report.language import language
from pbem.report.reader import Meta, View
from pbem.report.svg.canvas import Canvas, Style
from pbem.report.svg.draw import LAYERS, draw
from pbem.report.svg.letters import EM, Letters, advance, number
from pbem.report.svg.look import Look
from pbem.report.svg.picture import MOST_PIXELS, ROOM, fitting, part
from pbem.report.svg.places import HIGH, TOP
from pbem.report.svg.sheet import Sheet
from pbem.report.svg.slides import slides
from pbem.report.svg.stacks import ALONE, LEADING, PAIR, PILL, PILL_HIGH
from pbem.report.svg.stage import Arrow, _lanes, happened
from pbem.report.svg.units import counter, faces
from pbem.report.wording import Wording
from tests.benchmarks.bench_map import LIMIT, large_map

SVG = "{http://www.w3.org/2000/svg}"
LOOK: dict[str, Any] = {
    "look": "ford",
    "terrain": {"clear": {"tint": "clear"}, "wood": {"tint": "woods"}, "sea": {"tint": "water"}},
    "hexsides": {"river": "river"},
    "links": {"road": "road"},
    "places": {"town": {"site": "town", "label": "name"}},
    "owners": {"north": "blue", "south": "red"},
    "counters": {
        "kind": "type",
        "strength": "cv",
        "kinds": {
            "IN": {"symbol": "infantry", "name": "infantry", "steps": [4, 3, 2, 1]},
            "AR": {"symbol": "armour", "name": "armour"},
        },
    },
    "moves": {"flew": "air"},
}
EVENTS: list[dict[str, Any]] = [
    {"event": "moved", "owner": "north", "path": ["0101", "0102"], "blocks": 2},
    {"event": "flew", "owner": "south", "origin": "0202", "destination": "0101"},
    {"event": "fell-back", "block": "south IN a", "hex": "0102", "destination": "0202"},
    {"event": "fought", "hex": "0102"},
    {"event": "died", "hex": "0102"},
    {"event": "died", "hex": "0102"},
    {
        "event": "fed",
        "owner": "north",
        "flows": [{"origin": "0102", "via": "0101", "goal": "0202", "amount": 3}],
    },
    {
        "event": "fed",
        "owner": "north",
        "flows": [{"origin": "0102", "via": "0101", "goal": "0202", "amount": 4}],
    },
]


@pytest.fixture
def looked(view: View) -> View:
    areas = [
        Overlay("supply", "north", ("0101", "0102")),
        Overlay("zoc", "south", ("0202",)),
        Overlay("lifeline", "north", ("0102", "0101")),
        Overlay("front", "", ("0102/0202",)),
        Overlay("objective", "south", ("0102",), worth=7),
    ]
    stocks = [Facility("0102", "north", "dump", {"t": 24})]
    told = {"facilities": {"dump": "{t} on the ground"}, "facilities-short": {"dump": "{t}"}}
    words = Wording({**view.wording.sections, **told})
    return replace(
        view,
        look_from=lambda: Look(LOOK),
        areas_from=lambda: areas,
        facilities_from=lambda: stocks,
        holders_from=lambda: {"0101": "north", "0102": "north", "0202": "south"},
        wording=words,
    )


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def spots(svg: str) -> dict[str, str]:
    """Hex number -> what the map says is there."""
    return dict(re.findall(r'id="hex-(\d+)" class="m-x"[^>]*><title>([^<]*)<', svg))


def test_every_hex_with_something_in_it_can_be_focused_and_is_named(looked: View) -> None:
    svg = draw(looked, EVENTS).svg
    assert spots(svg) == {
        "0101": "0101 clear; North: IN3",
        "0102": "0102 clear; Oxbridge, held by north; North: AR2, IN1, 24 on the ground; a battle;"
        " 2 lost here",
        "0202": "0202 clear; South: 2 blocks",
    }
    focusable = [one for one in tree(svg).iter() if one.get("tabindex") == "0"]
    assert len(focusable) == 3
    assert all(one.find(f"{SVG}title") is not None for one in focusable)


def test_on_a_page_they_lead_to_the_lines_that_tell_more(looked: View) -> None:
    svg = draw(looked, EVENTS, Style(links={"0101": "#at-0101"})).svg
    assert [one.get("href") for one in tree(svg).iter(f"{SVG}a")] == ["#at-0101"]


def test_the_terrain_is_named_where_it_is_pointed_at(looked: View) -> None:
    titles = {one.text for one in tree(draw(looked).svg).iter(f"{SVG}title")}
    assert {"clear", "wood", "sea"} <= titles


def test_it_has_a_layer_for_each_thing_and_any_can_be_left_out(looked: View) -> None:
    drawn = draw(looked, EVENTS)
    assert drawn.layers == LAYERS
    for name in LAYERS:
        less = draw(looked, EVENTS, Style(hidden=[name]))
        assert f"m-L-{name}" in drawn.svg and f"m-L-{name}" not in less.svg
        assert less.layers == tuple(other for other in LAYERS if other != name)


def test_a_stage_without_moves_has_no_such_layer(looked: View) -> None:
    assert not {"moves", "battles"} & set(draw(looked).layers)


def test_moves_retreats_battles_and_losses_are_those_that_events_declare(looked: View) -> None:
    assert looked.chart is not None
    canvas = Canvas(looked, Sheet(looked.chart), Style())
    found = happened(canvas, [*EVENTS, *EVENTS[:1], {"event": "moved", "owner": "north", "path": ["0101"]}])
    grid = looked.chart.grid
    ways = [(a.owner, grid.numbers(a.way), a.by, a.count) for a in found.arrows]
    assert ways == [
        ("north", ("0101", "0102"), "land", 4),
        ("south", ("0202", "0101"), "air", 1),
        ("south", ("0102", "0202"), "retreat", 1),
    ]
    assert found.battles == {grid.index("0102"): 1} and found.losses == {grid.index("0102"): 2}


def test_supply_that_was_used_is_one_stream_for_each_way(looked: View) -> None:
    assert looked.chart is not None
    found = happened(Canvas(looked, Sheet(looked.chart), Style()), EVENTS)
    ways = [(s.owner, looked.chart.grid.numbers(s.way), s.amount) for s in found.streams]
    assert ways == [("north", ("0102", "0101", "0202"), 7)]


def test_what_a_system_prints_on_a_counter_stands_on_it_with_its_steps_beside(looked: View) -> None:
    look = {
        **LOOK["counters"],
        "strength": "left",
        "steps": "full",
        "figures": ["figures"],
        "marks": {"dg": "DG"},
    }
    look["kinds"] = {"IN": {"symbol": "infantry"}}
    printed = {"n1": {"figures": "16-3-3", "left": 2, "full": 4, "dg": True}}
    seen = replace(looked, look_from=lambda: Look({**LOOK, "counters": look}), printed_from=lambda: printed)
    assert looked.chart is not None
    (face,) = faces(Canvas(seen, Sheet(looked.chart), Style()), ["n1"])
    assert (face.figures, face.strength, face.kind.steps, face.marks) == ("16-3-3", 2, (4, 3, 2, 1), "DG")
    column = re.search(r'<path d="(M-14\.2[^"]*)" fill="#', draw(seen).svg)
    assert column and column[1].count("M-14.2") == 2


def test_no_letter_on_a_counter_is_lower_than_eight_pixels_however_long_its_figures(looked: View) -> None:
    """At 100%: a counter in a stack of four is drawn at 0.84 of its size; long figures stand closer."""
    look = {**LOOK["counters"], "figures": ["figures"]}
    look["kinds"] = {"IN": {"symbol": "infantry"}}
    for figures in ("9-9-9", "12-12-12-12", "(10)-10-24/48/24"):
        of = {id: {"figures": figures} for id in looked.position.counters}
        seen = replace(
            looked,
            look_from=lambda: Look({**LOOK, "counters": look}),
            printed_from=lambda of=of: of,  # type: ignore[misc]
        )
        assert looked.chart is not None
        canvas = Canvas(seen, Sheet(looked.chart), Style())
        for face in faces(canvas, sorted(looked.position.counters)):
            counter(canvas, face)
        sizes = re.findall(r"scale\((?:[0-9.]+ )?([0-9.]+)\)\" fill=", canvas.definitions())
        assert sizes and min(float(size) * EM * 0.84 for size in sizes) >= 8


def test_counters_that_look_alike_stand_together_and_unknown_ones_are_a_blank_with_a_count(
    looked: View,
) -> None:
    assert looked.chart is not None
    canvas = Canvas(looked, Sheet(looked.chart), Style())
    found = faces(canvas, ["?1", "?2", "n1", "n2", "n3"])
    assert [(f.owner, f.unknown, f.kind.code, f.strength, f.count) for f in found] == [
        ("north", False, "IN", 3, 1),
        ("north", False, "AR", 2, 1),
        ("north", False, "IN", 1, 1),
        ("south", True, "", None, 2),
    ]


def test_a_picture_of_a_large_map_has_no_more_pixels_than_can_be_drawn_soon() -> None:
    def drawn(wide: int, high: int) -> str:
        return f'<svg viewBox="0 0 {wide} {high}"></svg>'

    assert fitting(drawn(900, 1000), 2) == 2
    small = fitting(drawn(3648, 6993), 2)
    assert 3648 * small * 6993 * small <= MOST_PIXELS * 1.001 and small > 0.45


def test_a_counter_out_of_supply_has_a_sign_and_the_key_says_what_it_means(looked: View) -> None:
    cut_off = Overlay("unsupplied", "north", (), counters=("n1",))
    plain, signed = (replace(looked, areas_from=lambda found=found: found) for found in ([], [cut_off]))
    assert "m-hungry" not in draw(plain).svg
    drawn = draw(signed)
    assert drawn.svg.count('class="m-hungry"') == 1
    assert [text for sign, text in drawn.key if "m-hungry" in sign] == ["out of supply"]


def test_a_tall_stack_says_how_many_more_there_are(looked: View) -> None:
    counters = {f"n{n}": {"owner": "north", "type": f"T{n}", "cv": 1, "hex": "0101"} for n in range(9)}
    svg = draw(replace(looked, position=Position(counters))).svg
    shown = re.search(r'class="m-L-units"><g data-at="0101">(.*?)<g class="m-pill">', svg)
    assert shown and shown[1].count("<use") == 2
    fan = re.search(r'<g class="m-fan" data-fan="0101">.*?<g class="m-all"[^>]*>(.*?)</g>', svg)
    assert fan and fan[1].count("<use") == 9, "all of them, for who fans it out"
    assert svg.index("m-spots") < svg.index("m-fans"), "above everything"
    assert "m-fan" not in draw(replace(looked, position=Position(counters)), (), Style(still=True)).svg


def test_a_system_without_a_look_gets_a_plain_map(view: View) -> None:
    drawn = draw(view)
    assert "units" in drawn.layers and "places" in drawn.layers
    assert spots(drawn.svg)["0102"].startswith("0102 clear; Oxbridge")
    tree(drawn.svg)


def test_a_system_without_a_map_has_no_drawing(view: View) -> None:
    assert draw(replace(view, chart=None)).svg == ""


def test_it_fetches_nothing_and_needs_no_font(looked: View) -> None:
    svg = draw(looked, EVENTS).svg
    assert re.findall(r"https?://[^\"' )]+", svg) == ["http://www.w3.org/2000/svg"]
    assert "<text" not in svg and "font" not in svg and "@import" not in svg


def test_every_use_leads_to_a_definition_and_no_id_is_there_twice(looked: View) -> None:
    for style in (Style(), Style(prefix="a-"), Style(alone=True), Style("dark", still=True, alone=True)):
        root = tree(draw(looked, EVENTS, style).svg)
        ids = [one.get("id") for one in root.iter() if one.get("id")]
        uses = {str(one.get("href"))[1:] for one in root.iter(f"{SVG}use")}
        assert len(ids) == len(set(ids)) and uses <= set(ids)


def test_a_map_of_its_own_has_switches_and_a_key_a_picture_only_the_key(looked: View) -> None:
    alone = tree(draw(looked, EVENTS, Style(alone=True)).svg)
    switches = {
        one.get("data-layer"): one.get("aria-checked") for one in alone.iter() if one.get("role") == "switch"
    }
    assert set(switches) == set(LAYERS)
    assert [name for name, on in switches.items() if on == "false"] == ["supply", "zoc"]
    layers = {
        one.get("id"): one.get("display") for one in alone.iter() if one.get("id", "").startswith("layer-")
    }
    assert {name for name, display in layers.items() if display == "none"} == {"layer-supply", "layer-zoc"}
    still = draw(looked, EVENTS, Style("light", still=True, alone=True)).svg
    for word in ("switch", "tabindex", "<script", "prefers-color-scheme", "<title"):
        assert word not in still
    assert int(str(alone.get("viewBox")).split()[3]) > Sheet(looked.chart).height  # type: ignore[union-attr]


def test_the_key_says_nothing_of_counters_that_are_nowhere(looked: View) -> None:
    """A unit out of play, the only one of its type, is on no part of the map."""
    counters = {id: {**looked.position.counters[id]} for id in looked.position.counters}
    armour = [id for id, fields in counters.items() if fields.get("type") == "AR"]
    for id in armour:
        counters[id]["hex"] = None
    away = replace(looked, position=Position(counters, looked.position.tracks))
    assert armour and "AR armour" not in [text for _, text in draw(away, EVENTS).key]


def test_the_key_explains_what_is_on_the_map(looked: View) -> None:
    words = [text for _, text in draw(looked, EVENTS).key]
    ground = ["clear", "sea", "wood", "river", "road", "needed for victory", "town"]
    assert [text for text in words if text in ground] == ground
    assert [text for text in words if text not in ground] == [
        "AR armour",
        "IN infantry",
        "hidden counters",
        "North",
        "South",
        "steps left",
        "holder, sign, name, worth",
        "held by North",
        "held by South",
        "front",
        "supplied",
        "zone of control",
        "moved over land",
        "flew",
        "retreated, flew back",
        "all units have left",
        "supply used",
        "24 on the ground",
        "a battle",
        "losses there",
    ]


def test_the_same_input_gives_the_same_bytes(looked: View) -> None:
    assert draw(looked, EVENTS).svg == draw(replace(looked), list(EVENTS)).svg


def test_a_large_map_stays_small(looked: View) -> None:
    view, events = large_map()
    drawn = draw(view, events, Style(alone=True), "A large map")
    assert set(drawn.layers) >= {
        "rivers",
        "roads",
        "numbers",
        "places",
        "supply",
        "units",
        "moves",
        "battles",
    }
    assert len(drawn.svg.encode()) < LIMIT
    assert len(spots(drawn.svg)) > 250


@pytest.mark.parametrize("holes", [(), ("0201",)])
def test_every_hex_shows_its_number_whether_the_sheet_is_whole_or_not(holes: tuple[str, ...]) -> None:
    """Rows and columns are written once and used again; the drawing must come to the same."""
    rows = ["c c c", "c c c"]
    if holes:
        rows = ["c - c", "c c c"]
    data: dict[str, Any] = {"legend": {"c": "clear", "-": None}, "terrain": rows}
    chart = GameMap.from_data(data)
    svg = draw(View(Position(), ("north",), chart=chart), (), Style(still=True)).svg
    root = tree(svg)
    wanted = sorted(chart.grid.numbers(chart.grid.hexes))
    assert _numbers(root, Sheet(chart)) == wanted


def _numbers(root: ElementTree.Element, sheet: Sheet) -> list[str]:
    """The numbers that a reader of the drawing sees at the top of each hex."""
    by_id = {one.get("id"): one for one in root.iter() if one.get("id")}
    letters = Letters()
    written: dict[tuple[int, int], dict[bool, str]] = {}
    outlines = {one.get("id"): one.get("d") for one in root.iter(f"{SVG}path") if one.get("id")}
    digits = {path: char for char, (_, path) in _outlines().items() if char.isdigit()}

    def walk(one: ElementTree.Element, x: int, y: int) -> None:
        for use in one.findall(f"{SVG}use"):
            target = by_id[str(use.get("href"))[1:]]
            at = (x + int(use.get("x", 0)), y + int(use.get("y", 0)))
            text = target.find(f"{SVG}g")
            if text is None:
                walk(target, *at)
                continue
            chars = "".join(digits[outlines[str(u.get("href"))[1:]]] for u in text.findall(f"{SVG}use"))
            left = str(text.get("transform")).startswith("translate(-")
            written.setdefault(at, {})[left] = chars

    walk(next(one for one in root.iter() if one.get("class") == "m-no"), 0, 0)
    assert letters
    centres = {(x, y - 26) for x, y in map(sheet.centre, sheet.hexes)}
    assert set(written) == centres
    return sorted(parts[True] + parts[False] for parts in written.values())


def _outlines() -> dict[str, tuple[int, str]]:
    from pbem.report.svg.letters import outlines

    return outlines()


def test_letters_that_there_are_not_are_boxes_and_nothing_breaks() -> None:
    letters = Letters("p-")
    assert 'id="p-g0"' in (letters.text("漢A", 0, 0, 10) and letters.definitions())
    assert advance("漢") > 0


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (-0.04, "0"), (2.25, "2.2"), (-3.5, "-3.5"), (100, "100")]
)
def test_coordinates_take_few_bytes(value: float, text: str) -> None:
    assert number(value) == text


ATTACK = {"event": "assaulted", "attacker": "south", "defender": "north", "hex": "0102"}


def test_an_arrow_says_how_it_ended(looked: View) -> None:
    """Who moved to a battle that he lost was beaten back."""
    moved = {"event": "moved", "owner": "south", "hex": "0102", "path": ["0202", "0102"], "blocks": 1}
    held = {"event": "held", "hex": "0102", "player": "north"}
    won = {**held, "player": "south"}
    assert "attacked and was repulsed" in [text for _, text in draw(looked, [moved, ATTACK, held]).key]
    assert "attacked and was repulsed" not in [text for _, text in draw(looked, [moved, ATTACK, won]).key]


def test_a_battle_that_ends_elsewhere_has_a_sign_there_too(looked: View) -> None:
    ended = {"event": "held", "hex": "0202", "player": "north"}
    drawn = draw(looked, [ATTACK, ended])
    assert "battle from elsewhere" in [text for _, text in drawn.key]
    assert "a battle ended here" in spots(drawn.svg)["0202"]
    assert "a battle ended here" not in spots(draw(looked, [ATTACK, {**ended, "hex": "0102"}]).svg).get(
        "0202", ""
    )


def test_no_letter_on_a_counter_is_less_than_8_pixels_high_at_100_percent(looked: View) -> None:
    """However long its label and however many stand in the hex."""
    counters = {
        f"n{n}": {"owner": "north", "type": f"LONGNAME{n}", "cv": 10, "hex": "0101"} for n in range(9)
    }
    svg = draw(replace(looked, position=Position(counters))).svg
    smallest = min(scale for place in (ALONE, PAIR, LEADING) for _, _, scale in place)
    sizes = [float(found) * EM for found in re.findall(r"scale\(([.0-9]+)\)", svg.split("</defs>")[0])]
    assert min(size for size in sizes if size != Style().number_size) * smallest >= 7.99
    assert Style().number_size >= 8, "of hexes, which are not drawn smaller"


def ways(svg: str) -> list[str]:
    """The lines of all arrows."""
    return re.findall(r'<path class="m-way [^"]*" d="([^"]*)" stroke-dasharray="3 5"', svg)


def test_retreats_over_the_same_hexes_lie_beside_each_other_however_many(looked: View) -> None:
    there = {"event": "fell-back", "block": "south IN a", "hex": "0102", "destination": "0202"}
    back = {**there, "hex": "0202", "destination": "0102"}
    arrows = [Arrow("north", (1, 3), "retreat", 1) for _ in range(12)]
    assert len(set(_lanes(arrows))) == 12 and max(map(abs, _lanes(arrows))) < 16
    assert _lanes([arrows[0], Arrow("north", (5, 7), "retreat", 1)]) == [0, 0]
    one, other = (
        [float(number) for number in re.findall(r"-?[0-9.]+", path)[:2]]
        for path in ways(draw(looked, [there, back]).svg)
    )
    assert one != other


def test_where_all_have_left_a_ghost_stands_and_who_moved_has_a_rim(looked: View) -> None:
    moved = {"event": "moved", "owner": "south", "hex": "0102", "path": ["0101", "0102"], "blocks": 1}
    svg = draw(looked, [moved]).svg
    assert 'class="m-ghost ' in svg, "nobody of the south stands in 0101"
    stays = {**moved, "owner": "north"}
    assert 'class="m-ghost ' not in draw(looked, [stays]).svg
    assert looked.chart is not None
    canvas = Canvas(looked, Sheet(looked.chart), Style(), frozenset({"n1"}))
    assert [face.moved for face in faces(canvas, ["n1", "n2"])] == [True, False]
    assert "m-rim" in counter_drawn(canvas, "n1") and "m-rim" not in counter_drawn(canvas, "n2")


def counter_drawn(canvas: Canvas, id: str) -> str:
    (face,) = faces(canvas, [id])
    name = counter(canvas, face)
    found = re.search(f'<g id="{name}">.*?</g>', canvas.definitions().replace('class="', 'class="m-'))
    assert found
    return found[0]


def test_a_plate_lies_in_its_hex_and_covers_neither_number_nor_counters() -> None:
    """In units of the drawing, from the middle of a hex, which ends 35 below it."""
    places = [place for placed in (ALONE, PAIR, LEADING) for place in placed]
    lowest = max(y + 15 * scale for _, y, scale in places)
    assert max(lowest, PILL + PILL_HIGH / 2) <= TOP and TOP + HIGH < 35
    highest = min(y - 15 * scale for _, y, scale in places)
    assert highest >= -26, "the base line of the number"
    for x, y, scale in places:
        half = 40 - 20 * max(abs(y - 15 * scale), abs(y + 15 * scale)) / 35
        assert abs(x) + 15 * scale <= half, "no counter lies over a hexside"


def test_a_size_stands_beside_the_symbol(looked: View) -> None:
    look = {**LOOK["counters"], "size": "echelon", "sizes": {"div": "XX"}}
    printed = {"n1": {"echelon": "div"}}
    seen = replace(looked, look_from=lambda: Look({**LOOK, "counters": look}), printed_from=lambda: printed)
    assert looked.chart is not None
    assert [f.echelon for f in faces(Canvas(seen, Sheet(looked.chart), Style()), ["n1"])] == ["XX"]


@pytest.mark.parametrize("name", ["victory", "wbts", "ocs", "totaler-krieg", "wif"])
def test_the_key_of_every_system_is_german_in_german(name: str) -> None:
    """Every kind of counter, every letter on one, every terrain and line that its look names."""
    system = find(name)
    german = Wording(system.wording_in("de"), language("de"))
    counters = system.look["counters"]
    listed = [kind.get("name", code) for code, kind in counters.get("kinds", {}).items()]
    listed += [counters.get("meanings", {}).get(field, field) for field in counters.get("marks", {})]
    listed += [
        *system.look.get("terrain", {}),
        *system.look.get("hexsides", {}),
        *system.look.get("links", {}),
    ]
    assert [word for word in listed if german.text(word) == word and word not in SAME] == []


SAME = {"depot", "pass", "transport"}
"""Words that are the same in German."""


def test_a_counter_that_slides_says_how_many_it_is_if_it_is_several(looked: View) -> None:
    alone = {"event": "flew", "owner": "south", "origin": "0202", "destination": "0101"}
    path = ["0101", "0102"]
    for blocks, mark in ((1, ""), (2, " 2"), (3, " 3")):
        moved = {"event": "moved", "owner": "north", "hex": "0102", "path": path, "blocks": blocks}
        marks = [one["mark"] for one in slides(looked, [moved, alone])["tracks"]]
        assert marks == [f"N{mark}", "S"], blocks


def test_a_picture_of_a_large_map_shows_where_something_happened_or_where_one_asks() -> None:
    view, events = large_map(99, 60, 600)
    told = [Told(PUBLIC, event, n) for n, event in enumerate(events)]
    report = compose(None, told, view, Meta("Large", "ab" * 32, "victory", 4, "Turn 2"))
    assert view.chart is not None
    shown = part(report)
    assert shown is not None and len(shown) <= ROOM.wide * ROOM.high
    fought = {view.chart.get(fight.place) for fight in report.fights}
    assert shown & fought
    asked = part(report, ("8040",))
    assert asked is not None and view.chart.index("8040") in asked and asked != shown
    small, few = large_map(20, 10, 30)
    told = [Told(PUBLIC, event, n) for n, event in enumerate(few)]
    assert part(compose(None, told, small, Meta("Small", "ab" * 32, "victory", 4, "Turn 2"))) is None


def test_a_map_for_a_screen_shows_the_same_hexes_in_far_fewer_elements() -> None:
    view, events = large_map(60, 40, 300)
    plain, screen = (draw(view, events, Style(screen=screen)) for screen in (False, True))
    assert spots(plain.svg) == spots(screen.svg)
    assert screen.svg.count("<use") < plain.svg.count("<use")
    assert len(screen.parts) > 1 and 'id="part-1"' in screen.svg
    assert not draw(large_map(12, 10, 10)[0]).parts


def test_a_page_of_a_large_map_with_600_counters_takes_1100_kB_with_its_situation() -> None:
    view, events = large_map(60, 99, 600)
    told = [Told(PUBLIC, event, n) for n, event in enumerate(events)]
    page = render(compose(None, told, view, Meta("Large", "ab" * 32, "victory", 4, "Turn 2")))
    assert len(page.encode()) < 1_100_000
    assert '<a href="#part-2">' in page and 'id="part-2"' in page, "without a script its parts are links"


def test_the_key_of_a_part_explains_what_is_on_that_part(looked: View) -> None:
    assert looked.chart is not None
    part_of_it = draw(looked, (), Style(still=True, alone=True), hexes=[looked.chart.index("0101")])
    words = [text for _, text in part_of_it.key]
    assert "IN infantry" in words and "AR armour" not in words and "South" not in words
