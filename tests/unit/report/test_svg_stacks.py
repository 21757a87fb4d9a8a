"""Stacks fanned out, and plates with names: nothing is cut off, and a fan hides no part of its hex."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.report.reader import View
from pbem.report.svg import stacks
from pbem.report.svg.canvas import Canvas, Style
from pbem.report.svg.draw import draw, sheet
from pbem.report.svg.look import Kind
from pbem.report.svg.places import _cut, _plate
from pbem.report.svg.units import Face
from pbem.report.wording import Wording
from tests.benchmarks.campaign import campaign

CHART = GameMap.from_data({"legend": {".": "clear"}, "terrain": ["........"] * 8})


def view(hex: str, count: int) -> View:
    counters = {f"n{n}": {"owner": "north", "type": f"U{n}", "hex": hex} for n in range(count)}
    return View(Position(counters), ("north", "south"), Wording({"counters-short": {"any": "{type}"}}), CHART)


@pytest.mark.parametrize("count", [2, 5, 12, 13, 20, 33, 48])
def test_a_fan_of_any_size_is_whole_on_the_map_beside_its_hex(count: int) -> None:
    for hex in ("0101", "0303", "0606", "0601", "0106"):
        drawn = draw(view(hex, count), (), Style())
        fan = re.search(r'<g class="m-fan".*?</g></g>', drawn.svg)
        assert fan is not None and fan[0].count("<use") >= count
        match = re.search(r'm-panel" x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"', fan[0])
        size = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawn.svg)
        assert match is not None and size is not None
        left, top, wide, high = map(int, match.groups())
        assert left >= 0 <= top and left + wide <= int(size[1]) and top + high <= int(size[2])
        x, y = sheet(view(hex, count), CHART).centre(CHART.index(hex))
        assert left >= x + 40 or left + wide <= x - 40 or top >= y + 35 or top + high <= y - 35


def test_counters_in_a_fan_are_as_large_as_they_fit() -> None:
    """46 of 80 units to a hex is the size of maps.md; only what does not fit is smaller."""
    for count, scale in ((12, "1.35"), (48, "1.1")):
        match = re.search(r'class="m-all" transform="[^"]*scale\(([\d.]+)\)', draw(view("0404", count)).svg)
        assert match is not None and match[1] == scale


def plate(label: str, sign: str, worth: str) -> str:
    one = replace(view("0303", 1), holders_from=lambda: {"0303": "north"})
    canvas = Canvas(one, sheet(one, CHART), Style())
    return _plate(canvas, (200, 200), label, "north", sign, worth)


def test_a_long_name_is_whole_and_the_sign_and_worth_give_way_to_it() -> None:
    canvas = Canvas(view("0303", 1), sheet(view("0303", 1), CHART), Style())
    assert "m-site" not in plate("Northmouth", "town", "3") and 'class="site"' in plate("Gant", "town", "3")
    assert plate("Northmouth", "town", "3").count("<use") == len("NNorthmouth3")
    assert plate("Bad Waldensee", "town", "3").count("<use") == len("NBadWaldensee")
    assert _cut(canvas, "Nordhaven", 34) == "Nordhaven"


def test_a_part_of_16_by_11_hexes_with_130_counters_has_100_kB() -> None:
    """The densest part of the campaign, as a page has it (maps.md, section 8)."""
    war, events = campaign()
    assert war.chart is not None
    part = [war.chart.index(f"{c:02}{r:02}") for c in range(45, 61) for r in range(1, 12)]
    assert sum(len(war.position.at(war.chart.number(hex))) for hex in part) == 130
    assert len(draw(war, events, Style(), hexes=part).svg.encode()) <= 100_000


FACES = {
    "one": ["a1"],
    "a pair": ["a1", "a2"],
    "of two sides": ["a1", "b1"],
    "three alike": ["a1", "a2", "a3"],
    "the second side last": ["a1", "a2", "a3", "b1"],
    "two of the second side": ["a1", "a2", "b1", "b2", "c1"],
}


@pytest.mark.parametrize(
    ("faces", "shown", "below"),
    [
        ("one", ["a1"], []),
        ("a pair", ["a1", "a2"], []),
        ("of two sides", ["a1", "b1"], []),
        ("three alike", ["a1", "a2"], ["a3"]),
        ("the second side last", ["a1", "b1"], ["a2", "a3"]),
        ("two of the second side", ["a1", "b1"], ["a2", "b2", "c1"]),
    ],
)
def test_a_stack_shows_both_sides_and_counts_the_others(
    faces: str, shown: list[str], below: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    every = [Face(name[0], False, Kind("", "", name), 1, "", "", 1) for name in FACES[faces]]
    counted: list[list[str]] = []
    monkeypatch.setattr(stacks.units, "faces", lambda canvas, ids: every)
    monkeypatch.setattr(stacks.units, "counter", lambda canvas, face: face.kind.name)
    monkeypatch.setattr(
        stacks,
        "_pill",
        lambda canvas, hidden, x, y: counted.append([face.kind.name for face in hidden]) or "",
    )
    drawn = stacks.stack(None, [], 0, 0)  # type: ignore[arg-type]
    assert re.findall(r'href="#(\w+)"', drawn) == shown
    assert counted == ([below] if below else [])
