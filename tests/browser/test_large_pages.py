"""The page of a campaign of 99 x 60 hexes and 600 counters in a real browser: near, far and on paper."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.html import render
from pbem.report.reader import Meta
from tests.benchmarks.bench_map import large_map
from tests.browser.conftest import Visit
from tests.browser.test_pages import ON_PAPER, key, says

ON_PAGES = (
    "(() => { window.dispatchEvent(new Event('beforeprint'));"
    " const sheets = [...document.querySelectorAll('.map-whole svg, .map-page svg')]"
    ".map(one => [one.getBoundingClientRect(), one.viewBox.baseVal]);"
    " const drawn = [...document.querySelectorAll('.map-page')]"
    ".map(one => one.querySelectorAll('*:not([clip-path] *)').length);"
    " const html = [...document.querySelectorAll('.map-page')].map(one => one.outerHTML).join('');"
    " return [sheets.length > 3 && sheets.length < 10, document.querySelector('.map-window') === null,"
    " Math.max(...drawn.slice(1)) < 2500 && Math.min(...drawn) > 200,"
    " sheets.every(([r]) => r.width > 300 && r.left >= 0 &&"
    " r.right <= document.documentElement.clientWidth + 1),"
    " sheets.every(([r, v]) => Math.abs(r.width / r.height - v.width / v.height) < .02),"
    " !document.querySelector('.map-page use[fill^=url]'), html.length < 5e6]; })()"
)
"""Of a large map on paper: the situation and at most eight pages, each on the sheet and with what is on it
alone, without the close drawing, and without patterns, of which a printer makes pictures of megabytes."""
ON_SCREEN = (
    "(() => { window.dispatchEvent(new Event('afterprint'));"
    " return [document.querySelectorAll('.map-page').length,"
    " document.querySelectorAll('.map-window svg.map').length]; })()"
)
HEX = (
    "Math.round(80 * document.querySelector('.map-frame svg').getBoundingClientRect().width"
    " / document.querySelector('.map-frame svg').viewBox.baseVal.width)"
)
INSIDE = (
    "(() => { const f = document.querySelector('.map-frame').getBoundingClientRect(),"
    " a = document.querySelector('.battle h3 a[href^=\"#\"]'),"
    " b = document.getElementById(a.hash.slice(1)).getBoundingClientRect();"
    " return b.left > f.left && b.right < f.right && b.top > f.top && b.bottom < f.bottom; })()"
)
WHOLE = (
    "[document.querySelector('.map-whole'), document.querySelector('.map-window')]"
    ".map(one => one.getBoundingClientRect().height > 100)"
)
ZOOM_STEPS = [
    says(WHOLE), {"click": "[data-map=larger]"}, says(WHOLE), says(HEX), says(INSIDE),
    {"click": "[data-map=larger]"}, says(HEX), {"focus": ".map-frame"}, key("-"), says(HEX),
    {"click": "[data-map=fit]"}, says(WHOLE), {"click": "[data-map=action]"}, says(WHOLE), says(INSIDE),
    {"click": "[data-map=fit]"}, {"focus": ".map-whole a"}, key("Enter"), says(WHOLE), says(HEX),
]  # fmt: skip


def large() -> str:
    """The page of a campaign of 99 x 60 hexes and 600 counters."""
    view, events = large_map(99, 60, 600)
    told = [Told(PUBLIC, event, n) for n, event in enumerate(events)]
    return render(compose(None, told, view, Meta("Large", "ab" * 32, "victory", 4, "Turn 2")))


@pytest.fixture(scope="module")
def seen(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    file = tmp_path_factory.mktemp("large") / "large.html"
    text = large()
    assert text.count('class="map-whole"') == 1
    file.write_text(text, "utf-8")
    paper = {"file": str(file), "axe": False, "width": 720, "height": 1000, "media": "print"}
    return visit(
        {
            "zoomed": {"file": str(file), "axe": False, "width": 1400, "height": 1000, "steps": ZOOM_STEPS},
            "paper": {**paper, "steps": [says(ON_PAGES), says(ON_SCREEN)]},
            "scriptless": {**paper, "script": False, "steps": [says(ON_PAPER)]},
        }
    )


def test_a_large_map_is_printed_as_a_situation_and_page_by_page(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["paper"]["values"] == [[True] * 7, [0, 1]]


def test_without_a_script_it_lies_whole_on_the_paper(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["scriptless"]["values"] == [[True, True, True, True]]


def test_a_large_map_opens_as_a_situation_and_close_up_where_one_asks(
    seen: dict[str, dict[str, Any]],
) -> None:
    values = [value for value in seen["zoomed"]["values"] if value is not None]
    first, close, hex, inside, larger, smaller, fitted, again, back, linked, wide = values
    assert first == [True, False] and close == [False, True], "one of the two drawings at a time"
    assert hex >= 40 and inside, "letters can be read, and the battle is in sight"
    assert larger > hex and smaller < larger
    assert fitted == [True, False] and again == [False, True] and back
    assert linked == [False, True] and wide >= 40, "a formation leads to its part"
    assert seen["zoomed"]["errors"] == []
