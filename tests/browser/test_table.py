"""The table in a real browser: a newcomer plays against the computer by clicks alone."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import verify
from pbem.cli._practice import table_in
from pbem.cli._web.desk import Desk
from pbem.cli._web.serve import listening
from tests.browser.conftest import HERE, browser

IDLE = "!document.getElementById('desk').hasAttribute('aria-busy') && document.querySelector('.options')"
FIRST = "document.querySelector('.options button')"
SIGNABLE = "!document.getElementById('sign').disabled"


@contextmanager
def serving(place: Desk) -> Iterator[str]:
    """The link to a table that is open at a place."""
    server, gate = listening(place, 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield gate.link
    finally:
        server.close()
        thread.join(10)


def sit(link: str, steps: list[dict[str, Any]], width: int = 1300) -> dict[str, Any]:
    """Play these steps; what the page said."""
    job = {"chromium": browser(), "link": link, "steps": steps, "width": width}
    done = subprocess.run(
        ["node", str(HERE / "table.mjs")],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def says(what: str) -> dict[str, Any]:
    return {"value": what}


def text(id: str) -> str:
    return f"document.getElementById('{id}').innerText"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Any]:
    """A newcomer begins a game, bids, and takes a turn with one march, all by clicks."""
    browser()
    start = tmp_path_factory.mktemp("table")
    shots = request.config.getoption("--shots", default=None)

    def shot(name: str) -> list[dict[str, Any]]:
        return [{"shot": str(Path(shots).absolute() / f"table-{name}.png")}] if shots else []

    steps: list[dict[str, Any]] = [
        says("document.querySelector('h1').textContent"),
        {"axe": True},
        {"click": "form[action='/practice']:has([value=victory]) button"},
        {"wait": "document.querySelector('.go')"},
        says("document.querySelector('.go').textContent"),
        {"axe": True},
        {"click": ".go"},
        {"wait": IDLE},
        says("document.getElementById('choices').innerText"),
        {"axe": True},
        *shot("bid"),
        {"click": ".options li:nth-child(6) button"},  # five Player Turns
        {"wait": SIGNABLE},
        says(text("understood")),
        {"click": "#sign"},
        {"wait": "document.querySelector('h1').textContent === 'Signed'"},
        says("document.querySelector('h1').textContent"),
        says("document.body.innerText.includes('stage')"),
        {"click": ".go"},
        {"wait": "document.getElementById('summary')"},
        says(text("summary")),
        {"click": ".go"},
        {"wait": IDLE},
        {"fill": ["#at", "R-AR2"]},
        {"click": "#look"},
        {"wait": "document.getElementById('where').textContent.startsWith('R-AR2')"},
        says("document.querySelectorAll('.target').length"),
        *shot("moves"),
        {"click": ".options li:first-child button"},
        {"wait": "document.getElementById('understood').children.length > 0"},
        says(text("understood")),
        {"axe": True},
        {"click": "[disabled]~*, #questions p button:nth-of-type(2)"},  # take the last back
        {"wait": IDLE},
        says(text("understood")),
        {"fill": ["#at", "0101"]},
        {"click": "#look"},
        {"wait": "document.getElementById('where').textContent.startsWith('0101')"},
        says(text("where")),
    ]
    with serving(Desk(start)) as link:
        found = sit(link, steps)
    return {**found, "start": start}


def test_a_newcomer_bids_and_orders_by_clicks_alone(played: dict[str, Any]) -> None:
    (games, go, bids, bid, signed, stages, summary, targets, march, back, none) = played["values"]
    assert games == "Games" and go == "Write your orders"
    assert "bid 5" in bids and "bid" in bid and signed == "Signed" and stages
    assert "initiative" in summary
    assert targets > 3, "where the unit may go is marked on the map"
    assert "R-AR2" in march and "R-AR2" not in back
    assert "nothing that is open now begins there" in none


def test_nothing_is_fetched_from_elsewhere_and_nothing_goes_wrong(played: dict[str, Any]) -> None:
    assert played["errors"] == [] and played["requests"] == []


def test_the_accessibility_checker_finds_nothing(played: dict[str, Any]) -> None:
    assert played["violations"] == []


def test_what_was_played_by_clicks_verifies(played: dict[str, Any]) -> None:
    practice = table_in(played["start"] / "victory-red")
    assert practice is not None
    found = verify(practice.folder)
    assert found.ok and found.stage >= 1, found.of("false")


def test_without_a_script_orders_are_written_as_text(tmp_path: Path) -> None:
    browser()
    place = Desk(tmp_path)
    name = place.practice("victory", "blue")
    with serving(place) as link:
        found = sit(
            link,
            [
                {"goto": f"/g/{name}/orders"},
                {"wait": IDLE},
                {"click": "#as-text summary"},
                says("document.getElementById('text').value"),
                {"fill": ["#text", "game: nonsense\nstage: 1\nanswers: {}\n"]},
                {"click": "#as-text button"},
                {"wait": "document.querySelector('.faults')"},
                says("document.querySelector('.faults').innerText"),
            ],
            width=360,
        )
    form, faults = found["values"]
    assert form.startswith("# Orders for stage 1") and "these orders are for game" in faults
