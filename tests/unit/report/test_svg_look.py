"""What a system says about its looks, what is wrong with it, and what a system without one gets."""

from __future__ import annotations

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


def test_every_tint_is_told_by_more_than_its_colour_and_numbers_can_be_read_on_it() -> None:
    marks = [tint.get("mark") for name, tint in palette()["tints"].items() if name not in ("lake", "clear")]
    assert len(set(marks)) == len(marks) and None not in marks
    for name, tint in palette()["tints"].items():
        assert tint.get("mark", "dots") in shapes()["marks"]
        assert ratio(tint["light"], "#4e4833") >= 4.5, name
        assert ratio(tint["dark"], "#e2ddc6") >= 4.5, name
