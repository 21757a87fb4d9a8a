"""What `test_pictures.py` leaves out: maps on a screen and over a board, orders, a large map, the story."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from pbem.cli.games.book import make
from pbem.cli.games.telling import words_of
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.html import render
from pbem.report.reader import Meta
from pbem.report.replay import ranked, steps
from pbem.report.structure import Report
from pbem.report.svg.board import Board, Picture
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import draw
from pbem.report.svg.picture import part, svg
from pbem.report.svg.sheet import Fields
from pbem.report.text import render as as_text
from pbem.report.whole.stats_text import as_json
from tests.benchmarks.campaign import campaign
from tests.golden.digests import drawing, page
from tests.golden.test_pictures import told
from tests.golden.test_reports import SHORES
from tests.golden.test_reports import composed as played
from tests.golden.test_samples import LANGUAGES, PLAYERS, composed, history, shown

Golden = Callable[[str, str], None]


def events_of(report: Report) -> list[dict[str, Any]]:
    return [dict(item.event) for item in report.items]


def skewed(x: float, y: float) -> tuple[int, int]:
    """A photograph from the side."""
    w = 1 + 0.00012 * x + 0.00007 * y
    return round((1.9 * x + 0.2 * y + 130) / w), round((-0.1 * x + 2.1 * y + 60) / w)


def board_of(report: Report) -> Board:
    """A picture of each sheet, which lies there as if taken from the side, with one hex put right."""
    chart = report.view.chart
    assert chart is not None
    fields, pictures = Fields(chart), []
    for number, sheet in enumerate(chart.sheets):
        inside = sorted(hex for hex in chart.hexes if chart.sheet(hex) == sheet)
        corners = {chart.number(hex): skewed(*fields.centre(hex)) for hex in (*inside[:2], *inside[-2:])}
        middle = inside[len(inside) // 2]
        x, y = skewed(*fields.centre(middle))
        moved = {chart.number(middle): (x + 40, y - 9)}
        pictures.append(Picture(f"board-{number}.png", 4000, 3000, corners, moved, sheet.name))
    return Board(tuple(pictures))


@pytest.mark.parametrize("system", ["totaler-krieg", "wbts"])
def test_maps_on_a_screen_and_over_a_board_are_drawn_as_they_were(system: str, golden: Golden) -> None:
    report = composed(system, shown(system, None), None, "en")
    board = board_of(report)
    screen = draw(report.view, events_of(report), Style(screen=True), "On a screen").svg
    parts = ("screen", screen), ("board", svg(report, board=board))
    golden(f"{system}-other-maps.txt", told(*((name, drawing(one)) for name, one in parts)))


# --- orders between areas -------------------------------------------------------------------------------


def test_orders_of_a_game_are_drawn_as_they_were(golden: Golden) -> None:
    reports = [played(number, None, "en", SHORES) for number in range(SHORES.last + 1)]
    parts = [(f"stage {report.stage}", drawing(svg(report))) for report in reports]
    corners = {
        "top-left": (9, 5),
        "top-right": (1907, 44),
        "bottom-right": (1799, 1444),
        "bottom-left": (60, 1300),
    }
    board = Board((Picture("board.png", 2000, 1500, corners, {}),))
    parts += [("board", drawing(svg(reports[2], board=board)))]
    golden("diplomacy-other-maps.txt", told(*parts))


# --- a large map ----------------------------------------------------------------------------------------


@cache
def war() -> Report:
    """Two far parts of the map: a march and a battle in the north, a unit that is lost in the south."""
    view, _ = campaign(46, 36, 140)
    north, south = (sorted(view.position.find(owner=owner)) for owner in ("aster", "bren"))
    goal, lost = view.position.hex(south[0]), view.position.hex(south[-1])
    march = {
        "event": "moved",
        "player": "aster",
        "units": [north[1]],
        "origin": "0203",
        "path": ["0303", goal],
    }
    fight = {
        "attacker": "aster",
        "defender": "bren",
        "hex": goal,
        "units": north[1:3],
        "defenders": south[:1],
    }
    gone = {
        "event": "unit-eliminated",
        "player": "bren",
        "unit": "x",
        "hex": lost,
        "lost": 1,
        "why": "option",
    }
    events: list[Any] = [
        {**march, "rule": "4.4.2", "mode": "move", "of": "5", "spent": "2", "stopped": ""},
        {**fight, "event": "combat-declared", "rule": "4.9.1", "type": "regular", "paid": {}, "dropped": []},
        {**gone, "rule": "4.0.7"},
    ]
    happened = [Told(PUBLIC, event, number) for number, event in enumerate(events)]
    return compose(None, happened, view, Meta("War", "ab" * 32, "ocs", 4, "Turn 2"))


def test_a_large_map_is_made_as_it_was(golden: Golden) -> None:
    report = war()
    near = part(report, ["1010"])
    assert near is not None and len(near) < len(report.view.chart.hexes)  # type: ignore[union-attr]
    drawn = draw(report.view, events_of(report), Style("light", still=True), "A part", near).svg
    lines = told(("page", page(render(report))), ("file", drawing(svg(report))), ("part", drawing(drawn)))
    golden("war-large-map.txt", lines + as_text(report))


# --- the story, the log and the figures -----------------------------------------------------------------


def story(system: str, reader: str | None, lang: str) -> Iterator[str]:
    stages = [chapter.stage for chapter in history(system).chapters][:24]
    listed = steps([composed(system, stage, reader, lang) for stage in stages])
    place = {number: rank for rank, number in enumerate(ranked(listed), 1)}
    for number, step in enumerate(listed):
        ways = " ".join("-".join(way) for way in step.ways)
        yield f"{step.stage} {step.part} {place[number]} {step.weight}: {step.headline} | {step.sentence}"
        yield f"  {step.rule} | {', '.join(step.at)} | {ways} | {', '.join(step.units)} | {step.events}"
        yield from (f"  {roll}" for roll in step.dice)


@pytest.mark.parametrize("system", ["victory", "wbts"])
def test_the_story_of_a_sample_game_is_told_as_it_was(system: str, golden: Golden) -> None:
    lang = LANGUAGES[len(system) % 2]
    golden(f"{system}-story.txt", "".join(f"{line}\n" for line in story(system, PLAYERS[system], lang)))


@pytest.mark.parametrize("system", ["totaler-krieg", "victory"])
def test_the_figures_of_a_sample_game_are_the_data_they_were(system: str, golden: Golden) -> None:
    past = history(system)
    made = make(past, None, words_of(past.system, "en"), {})
    data = as_json(made.stats, None)
    golden(f"{system}-stats.txt", "".join(f"{name}: {json.dumps(value)}\n" for name, value in data.items()))
