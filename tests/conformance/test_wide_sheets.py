"""Maps of 120 columns, with hex numbers of six digits, are played like any other: orders, reports, maps."""

from __future__ import annotations

import json
import re
from copy import copy
from itertools import islice
from typing import Any

import pytest

from pbem.bot.games import seen_by, stages
from pbem.engine.system import System
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta, View
from pbem.report.svg.draw import draw
from pbem.report.svg.look import Look
from pbem.report.text import render
from pbem.report.textmap import draw as as_text
from pbem.report.wording import Wording
from tests.conformance.systems import INSTALLED

COLUMNS, STAGES = 120, 5
WITH_HEXES = [one for one in INSTALLED if "terrain" in one.scenario(one.scenarios()[0])["map"]]


def widened(system: System, name: str) -> System:
    """The system with a scenario whose map goes on to column 120."""
    text = re.sub(r"\b(0\d|1[0-2])(0\d|1[0-2])\b", r"0\g<1>0\g<2>", json.dumps(system.scenario(name)))
    text = re.sub(r"\b(\d\d)\.(\d\d)\b", r"0\g<1>.0\g<2>", text)
    data = json.loads(text)
    rows = [row.split() if " " in row else list(row) for row in data["map"]["terrain"]]
    data["map"]["terrain"] = [" ".join([*row, *[filling(row)] * (COLUMNS - len(row))]) for row in rows]
    wide = copy(system)
    wide._data = {**system._data, f"scenarios/{name}.yaml": data}
    return wide


def filling(row: list[str]) -> str:
    """The letter that a row goes on with: what it is all of, or open ground."""
    if len(set(row)) == 1:
        return row[0]
    return next((letter for letter in (".", "C", "c") if letter in row), row[-1])


@pytest.mark.parametrize("system", WITH_HEXES, ids=lambda system: system.name)
def test_a_game_on_a_sheet_of_120_columns_is_played_and_told(system: System) -> None:
    name = system.scenarios()[0]
    wide = widened(system, name)
    chart = wide.map_of(wide.build_world(wide.scenario(name), wide.options(wide.scenario(name), {})))
    assert chart is not None and chart.grid.columns == COLUMNS and chart.number(chart.hexes[-1])[:3] == "120"
    moved: set[str] = set()
    for stage in islice(stages(wide, name, None, "wide"), STAGES):
        assert not stage.outcome.diagnostics, stage.outcome.diagnostics
        moved |= set(re.findall(r"\b\d{3}\.?\d{3}\b", json.dumps([one.event for one in stage.outcome.told])))
    assert moved and moved <= set(chart.numbers(chart.hexes))
    for player in wide.players(wide.scenario(name)):
        check_told(wide, seen_by(wide, stage.outcome, player), stage.outcome.told, player, sorted(moved)[0])


def check_told(system: System, game: Any, told: Any, player: str, hex: str) -> None:
    """Report, map in characters and drawing name hexes by all their digits."""
    view = View(
        game.position,
        game.players,
        Wording(system.wording),
        system.map_of(game.world),
        look_from=lambda: Look(system.look),
        events=system.registry.events,
    )
    meta = Meta("wide", "0123456789ab", system.name, 5, "somewhere")
    chart = view.chart
    assert chart is not None
    placed = [number for number in game.position.occupied() if number in chart]
    occupied = [number for number in placed if chart.kind(chart.index(number)) == "hex"]
    assert occupied and all(len(number.replace(".", "")) == 6 for number in occupied)
    report, letters, drawing = render(compose(player, told, view, meta)), as_text(view), draw(view).svg
    assert all(number in report for number in occupied)
    assert all(any(number in line for line in letters) for number in occupied)
    assert all(f'hex-{number}"' in drawing for number in occupied)
