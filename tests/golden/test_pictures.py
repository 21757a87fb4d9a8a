"""Maps and pages, part by part as they were: of the scenarios at their start, and of the sample games.

A line of these files is a layer of a drawing or a section of a page: what it is made of, and a digest of it
(`digests.py`). If a difference is meant, look at the drawing (`pbem scenario draw`, `pbem map`) and run
`pytest tests/golden --update-golden`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pbem.cli.games.drawing import report_at_start
from pbem.engine.pins import WORDS
from pbem.engine.system import find
from pbem.report.html import render
from pbem.report.mail_page import page as mail_page
from pbem.report.structure import Report
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import AREAS, draw
from pbem.report.svg.far import far
from pbem.report.svg.heat import heat
from pbem.report.svg.picture import bare, svg
from pbem.report.svg.scene import Room, scene, window
from pbem.report.whole.ending import losses_by_hex
from tests.golden.digests import drawing, page
from tests.golden.test_samples import FOLDERS, PLAYERS, SHOWN, composed, history, shown
from tests.nightly import in_ci

Golden = Callable[[str, str], None]
SCENARIOS = [
    (system, scenario) for system in ("diplomacy", *FOLDERS) for scenario in find(system).scenarios()
]


@cache
def at_start(system: str, scenario: str, lang: str) -> Report:
    found = find(system)
    return report_at_start(found, found.whole(scenario), lang)


def page_of(report: Report) -> list[str]:
    digest = report.digests.get("rules", "no digest")  # which changes with every comment in them
    return page(WORDS.sub("", render(report).replace(digest, "")))


def told(*parts: tuple[str, list[str]]) -> str:
    return "".join(f"{name}: {line}\n" for name, lines in parts for line in lines)


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_the_map_of_a_scenario_is_drawn_as_it_was(system: str, scenario: str, golden: Golden) -> None:
    report = at_start(system, scenario, "en")
    afar = far(report.view, [], "From afar", "", lambda hex: f"#{hex}")
    parts = [("map", drawing(svg(report, shown=AREAS))), *([("afar", drawing(afar))] if afar else [])]
    golden(f"{system}-{scenario}-map.txt", told(*parts))


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_the_page_of_a_scenario_is_made_as_it_was(system: str, scenario: str, golden: Golden) -> None:
    report = at_start(system, scenario, "de")
    golden(f"{system}-{scenario}-page.txt", told(("page", page_of(report))))


@pytest.mark.parametrize(("system", "reader"), SHOWN)
def test_the_page_of_a_report_is_made_as_it_was(system: str, reader: str | None, golden: Golden) -> None:
    report = composed(system, shown(system, reader), reader, "en")
    mail = page(mail_page(report, with_picture=True))
    golden(f"{system}-{reader or 'public'}-page.txt", told(("page", page_of(report)), ("mail", mail)))


@pytest.mark.parametrize("system", PLAYERS)
def test_the_maps_of_a_report_are_drawn_as_they_were(system: str, golden: Golden) -> None:
    report = composed(system, shown(system, None), PLAYERS[system], "en")
    chart, events = report.view.chart, [dict(item.event) for item in report.items]
    assert chart is not None
    hexes = window(chart, scene(report, Room(56, 8, 7)), 8, 7)
    mail = draw(report.view, events, Style("light", still=True, hidden=AREAS, mail=True), hexes=hexes)
    dark = svg(report, ("numbers", "control"), dark=True, shown=AREAS)
    afar = far(report.view, events, "From afar", "", lambda hex: f"#{hex}")
    parts = ("file", svg(report)), ("dark", dark), ("mail", mail.svg), ("afar", afar)
    golden(f"{system}-{PLAYERS[system]}-maps.txt", told(*((name, drawing(one)) for name, one in parts)))


@in_ci
@pytest.mark.parametrize("system", FOLDERS)
def test_the_map_of_each_stage_is_drawn_as_it_was(system: str, golden: Golden) -> None:
    reports = [composed(system, one.stage, PLAYERS[system], "en") for one in history(system).chapters]
    parts = [(f"stage {report.stage}", drawing(bare(report))) for report in reports]
    lost = heat(reports[-1].view, losses_by_hex(reports), "Losses")
    golden(f"{system}-stages-maps.txt", told(*parts, ("losses", drawing(lost))))
