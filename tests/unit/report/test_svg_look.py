"""What a system says about its looks, what is wrong with it, and what a system without one gets."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Any

import pytest

from pbem.report.svg.look import Look, faults, palette, shapes
from tests.tools.contrast import ratio
from tests.unit.report.happenings import KNOWN

SOUND: dict[str, Any] = {
    "look": "x",
    "terrain": {"clear": {"tint": "clear"}, "ash": {"light": "#cccccc", "dark": "#333333", "mark": "dots"}},
    "hexsides": {"river": "river"},
    "links": {"road": "road"},
    "places": {"town": {"by": "size", "sites": {"big": "city"}, "label": "name", "also": {"port": "port"}}},
    "owners": {"north": "blue"},
    "counters": {"kind": "type", "strength": "cv", "kinds": {"IN": {"symbol": "infantry"}}},
    "moves": {"flew": "air"},
}


def test_a_sound_look_has_no_faults() -> None:
    assert faults(SOUND, KNOWN) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"terrain": {"clear": {"tint": "clera"}}}, "terrain.clear.tint: there is no 'clera'"),
        ({"hexsides": {"river": "rivr"}}, "hexsides.river: there is no 'rivr'"),
        ({"owners": {"north": "bleu"}}, "owners.north: there is no 'bleu'"),
        ({"places": {"town": {"site": "citty"}}}, "places.town.site: there is no 'citty'"),
        ({"counters": {"kinds": {"IN": {"symbol": "infantri"}}}}, "symbol: there is no 'infantri'"),
        ({"moves": {"flw": "air"}}, "moves.flw: there is no 'flw'"),
    ],
)
def test_a_name_that_there_is_not_is_a_fault_that_says_what_was_meant(
    change: dict[str, Any], words: str
) -> None:
    (fault,) = faults({**SOUND, **change}, KNOWN)
    assert words in fault.message and fault.help


def test_only_events_that_tell_a_move_are_drawn_as_one() -> None:
    (fault,) = faults({**SOUND, "moves": {"fought": "land"}}, KNOWN)
    assert fault.code == "tells-no-move" and fault.path == ("moves", "fought")


def test_a_member_that_there_is_not_is_a_fault() -> None:
    (fault,) = faults({**SOUND, "terain": {}}, KNOWN)
    assert fault.code == "unknown-key"


def test_without_a_look_each_terrain_has_a_tint_of_its_own_and_water_is_water() -> None:
    look, terrains = Look(), ("clear", "sea", "steppe", "wood")
    tints = [look.tint(name, terrains) for name in terrains]
    assert len(set(tints)) == 4
    assert [tint.water for tint in tints] == [False, True, False, False]


def test_owners_without_a_paint_get_different_ones() -> None:
    look = Look({"owners": {"a": "red"}})
    owners = ("a", "b", "c", "blue")
    paints = [look.paint(owner, owners) for owner in owners]
    assert len(set(paints)) == 4 and paints[0] == "red" and paints[3] == "blue"


def test_every_paint_can_be_read() -> None:
    """WCAG 2.2 AA: 4.5 to 1 for text, 3 to 1 for lines, on both papers."""
    for name, paint in palette()["paints"].items():
        assert ratio(paint["fill"], paint["ink"]) >= 4.5, name
        assert ratio(paint["line"], "#f6f1e0") >= 3, name
        assert ratio(paint["bright"], "#1b1a16") >= 3, name


def seen_without(colour: str, lack: str) -> tuple[float, float, float]:
    """A colour as CIELAB, as seen by who has no green (deutan) or no red (protan) cones (Machado 2009)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    line = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, line, strict=True)))) for row in LACKS[lack]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


LACKS = {
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}


@pytest.mark.parametrize("lack", LACKS)
def test_owners_are_told_apart_by_colour_without_red_or_green(lack: str) -> None:
    fills = {name: seen_without(paint["fill"], lack) for name, paint in palette()["paints"].items()}
    near = [
        (one, other)
        for one, other in combinations(fills, 2)
        if dist(fills[one], fills[other]) < 15  # a clear difference; red and green had 12, brown and green 5
    ]
    assert near == []


def test_every_tint_is_told_by_more_than_its_colour_and_numbers_can_be_read_on_it() -> None:
    dry = {name: tint for name, tint in palette()["tints"].items() if not tint.get("water")}
    marks = [tint.get("mark") for name, tint in dry.items() if name != "clear"]  # water has its shore
    assert len(set(marks)) == len(marks) and None not in marks
    for name, tint in palette()["tints"].items():
        assert tint.get("mark", "dots") in shapes()["marks"]
        assert ratio(tint["light"], "#4e4833") >= 4.5, name
        assert ratio(tint["dark"], "#e2ddc6") >= 4.5, name


def test_numbers_can_be_read_on_ground_that_anybody_holds() -> None:
    for name, tint in palette()["tints"].items():
        for paint, colours in palette()["paints"].items():
            light, dark = mixed(tint["light"], colours["line"]), mixed(tint["dark"], colours["bright"])
            assert tint.get("water") or ratio(light, "#4e4833") >= 4.5, (name, paint)
            assert tint.get("water") or ratio(dark, "#e2ddc6") >= 4.5, (name, paint)


def mixed(ground: str, over: str) -> str:
    """A colour with a tenth of another over it: the tint of a holder."""
    pairs = [(int(ground[n : n + 2], 16), int(over[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join(f"{round((9 * a + b) / 10):02x}" for a, b in pairs)
