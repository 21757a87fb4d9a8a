"""The maps as they are drawn: every province, its unit and its orders, in as few bytes as may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.board.geometry import inside
from pbem.cli.games.telling import words_of
from pbem.engine.drawn import drawing_faults, shapes_of
from pbem.report.html import render as page
from pbem.report.mail_page import MOST_PICTURE, is_quiet, picture
from pbem.report.structure import Report
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import draw
from pbem.report.svg.picture import bare, png, svg
from pbem.report.text import render
from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.rules.world import world_of
from pbem.testing.runner import played_of, prepare
from pbem.testing.said import report_of
from tests.tools import make_shapes

CENTRES = {"VEY": "aldar", "KAR": "aldar", "LUM": "aldar", "ROK": "brenn", "DUN": "brenn", "TAL": "brenn"}
FIRST: dict[str, Any] = {
    "austria": ["A VIE - GAL", "A BUD S A VIE - GAL", "F TRI - ALB"],
    "england": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"],
    "france": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    "germany": ["A MUN - BUR", "F KIE - DEN", "A BER - KIE"],
    "italy": ["A VEN S A ROM", "F NAP - ION"],
    "russia": ["A WAR - GAL", "F STP/SC - BOT", "A MOS - UKR"],
    "turkey": ["F ANK - BLA", "A CON - BUL"],
}


def played(scenario: str, orders: Mapping[str, list[str]], **given: Any) -> Report:
    """The public report of a spring with these orders."""
    both = {**{who: [] for who in SYSTEM.scenario(scenario)["seats"]}, **orders}
    example = {
        "given": {"scenario": scenario, **given},
        "play": "S.1",
        "orders": {who: {"moves": {"orders": lines}} for who, lines in both.items()},
    }
    made = played_of(SYSTEM, example)
    assert made is not None and not made[1].diagnostics, made
    return report_of(*made, None)


@pytest.fixture(scope="module")
def spring() -> Report:
    return played("standard", FIRST)


@pytest.fixture(scope="module")
def dislodged() -> Report:
    return played(
        "three_shores",
        {
            "aldar": ["A LUM - HOF"],
            "brenn": ["A DUN - SPI", "A TAL - HOF"],
            "corva": ["A ZOR S A SPI - DUN", "A SPI - DUN", "F MIR - SPI/SC"],
        },
        counters={"CO2": {"hex": "SPI"}},
        tracks={"centres": CENTRES},
    )


def test_every_border_of_the_rules_is_drawn_and_no_other() -> None:
    assert not list(drawing_faults(SYSTEM))
    for scenario in SYSTEM.scenarios():
        game = prepare(SYSTEM, {"scenario": scenario})
        shapes, atlas = shapes_of(SYSTEM, SYSTEM.map_of(game.world)), world_of(game).atlas
        assert shapes is not None
        for id, province in atlas.provinces.items():
            assert {*shapes.areas[id].coasts} == {*province.coasts}, id
            for point in shapes.areas[id].coasts.values():
                assert inside(shapes.outline(shapes.areas[id]), point), id


@pytest.mark.parametrize("name", ["standard", "three_shores"])
def test_the_shapes_are_what_the_sketch_makes(name: str) -> None:
    assert (make_shapes.TO / f"{name}.yaml").read_text("utf-8") == make_shapes.make(name)


def test_the_map_keeps_to_its_budget(spring: Report, dislodged: Report) -> None:
    assert len(svg(spring)) <= 160_000 and len(svg(dislodged)) <= 70_000
    assert 0 < len(picture(spring)) <= MOST_PICTURE


def test_a_quiet_phase_has_no_page_and_no_map_in_letters(spring: Report) -> None:
    quiet = played("standard", {})
    assert is_quiet(quiet) and not is_quiet(spring) and len(render(quiet, whole=False)) < 5000
    assert "Order of battle" in render(quiet) and "+-ADR-" not in render(quiet)
    assert len(picture(spring)) < 50_000


def test_in_an_email_the_letter_of_its_holder_marks_a_centre(spring: Report) -> None:
    drawn = draw(spring.view, (), Style("light", still=True, mail=True)).svg
    assert "<pattern" not in drawn and "<pattern" in bare(spring)
    assert drawn.count('<circle r="10.5"') == 7


def test_the_drawing_is_whole_and_needs_no_font(spring: Report) -> None:
    drawn = svg(spring)
    root = ElementTree.fromstring(drawn)
    ids = {one.get("id") for one in root.iter()}
    used = set(re.findall(r'href="#([^"]+)"', drawn)) | set(re.findall(r"url\(#([^)]+)\)", drawn))
    assert used <= ids
    written = [one for one in root.iter("{http://www.w3.org/2000/svg}text") if one.get("id") != "says"]
    assert not written


def test_no_shore_runs_past_the_edge_of_the_sea(spring: Report) -> None:
    """Iceland's band was printed on the margin of the paper."""
    svg = draw(spring.view, (), Style(alone=True)).svg
    clip = re.search(r'<clipPath id="(\w+)"><rect width="\d+" height="\d+"/></clipPath>', svg)
    assert clip is not None and svg.count(f'clip-path="url(#{clip[1]})"') == 2


def test_a_map_of_provinces_speaks_of_no_hex(spring: Report) -> None:
    text = page(spring)
    assert "Code</th>" in text and "to go from one to the next" in text
    assert "Hex</th>" not in text and "hex to hex" not in text


def test_every_province_has_a_field_with_its_own_shape_in_reading_order(spring: Report) -> None:
    root = ElementTree.fromstring(svg(spring))
    fields = [one for one in root.iter() if str(one.get("id", "")).startswith("hex-")]
    ids = [str(one.get("id"))[4:] for one in fields]
    assert len(ids) == 75 + 6 and len({*ids}) == 81
    assert ids.index("CLY") < ids.index("MUN") < ids.index("TUN") < ids.index("NAO")
    assert ids[ids.index("STP") + 1 : ids.index("STP") + 3] == ["STP.NC", "STP.SC"]
    said = {id: one.get("aria-label") for id, one in zip(ids, fields, strict=True)}
    munich = "MUN Munich inland; home supply centre of Germany, held by Germany; Germany: GE3 army"
    assert said["MUN"] == munich
    assert said["STP.SC"] == "STP St Petersburg coast, south coast"


def test_orders_have_a_shape_each_and_the_key_names_those_that_are_there(spring: Report) -> None:
    drawn = svg(spring)
    assert bare(spring).count('class="m-ono"') == 2  # from Warsaw and Munich
    assert bare(spring).count("M") > 0 and bare(spring).count('stroke-dasharray="9 6"') == 3
    assert bare(spring).count("<circle") > 2
    for words in ("move", "support of a move", "support to hold", "failed"):
        assert f'aria-label="{words}"' not in drawn


def test_a_unit_that_is_driven_out_stands_askew_beside_the_one_that_came(dislodged: Report) -> None:
    drawn = bare(dislodged)
    ((x, y),) = {
        tuple(map(int, found)) for found in re.findall(r"translate\((\d+) (\d+)\)rotate\(12\)", drawn)
    }
    shapes = dislodged.view.shapes
    stand = (x - 20, y + 20)
    assert shapes is not None and stand == shapes.areas["DUN"].stand, "right and up: the name is below"
    assert f'translate({stand[0]} {stand[1]})"' in drawn


def test_a_fleet_stands_at_its_coast(dislodged: Report) -> None:
    shapes = dislodged.view.shapes
    assert shapes is not None
    x, y = shapes.areas["SPI"].coasts["SC"]
    assert f'transform="translate({x} {y})"' in bare(dislodged)


def test_a_convoy_goes_through_its_fleets_and_a_failed_move_stops_short() -> None:
    made = played(
        "standard",
        {"england": ["A YOR - NWY", "F NTH C A YOR - NWY"], "russia": ["F STP/NC - NWY"]},
        counters={"EN1": {"hex": "NTH"}, "EN3": {"hex": "YOR"}, "RU3": {"coast": "NC"}},
    )
    drawn, shapes = bare(made), made.view.shapes
    assert shapes is not None
    x, y = shapes.areas["NTH"].stand
    line = re.search(r'class="m-ord m-o1" d="([^"]*)" stroke-dasharray="12 5 2 5"', drawn)
    assert line is not None and f" {x} {y}C" in line[1]
    assert drawn.count('class="m-ono"') == 2


def test_ground_is_hatched_by_its_holder_and_more_faintly_tinted_where_it_only_belongs() -> None:
    drawn = bare(played("standard", {}))
    assert len(re.findall(r'fill="url\(#', drawn)) == 7
    (strong,), (faint,) = (
        re.findall(rf'<g class="m-pt0{more}">((?:<use[^>]*/>)*)</g>', drawn) for more in ("", " m-faint")
    )
    assert (strong.count("<use"), faint.count("<use")) == (3, 3)  # Bohemia, Galicia, Tyrolia


def test_names_are_in_the_readers_language() -> None:
    german = words_of(SYSTEM, "de")
    game = prepare(SYSTEM, {"scenario": "standard"})
    names = [german.text(one.name) for one in world_of(game).atlas.provinces.values()]
    assert "Ärmelkanal" in names and "Warschau" in names and "Burgund" in names


def test_a_picture_is_light_or_dark(spring: Report) -> None:
    assert png(spring, scale=0.4) != png(spring, scale=0.4, dark=True)
