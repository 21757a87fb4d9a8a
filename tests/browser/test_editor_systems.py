"""A scenario of one's own for each system, made by the page alone and played for two game turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import stages
from pbem.workshop.folders import need_folder
from pbem.workshop.trying import MOST_STAGES
from tests.browser.benches import CHECKED, READY, SAVE, click, drag, editing, option, tool
from tests.browser.tables import Step, says, sit
from tests.cli.play import pbem

FACES = "document.body.dataset.faces > 0"
FOUND = says("document.body.dataset.errors + ' ' + document.getElementById('faults').innerText")
SYSTEMS = ("diplomacy", "ocs", "totaler-krieg", "victory", "wbts", "wif")


def titled(title: str) -> list[Step]:
    script = f"""(() => {{
        const text = document.getElementById("text");
        text.value = text.value.replace(/^title: .*$/m, "title: {title}");
        text.dispatchEvent(new Event("change"));
    }})()"""
    return [*tool("text"), {"value": script}]


def grown() -> list[Step]:
    """Two columns more, of the first terrain that is offered."""
    wide = "String(Number(document.getElementById('columns').value) + 2)"
    script = f"document.getElementById('columns').value = {wide}"
    before = "(window.before = document.body.dataset.hexes)"
    grew = "Number(document.body.dataset.hexes) > Number(window.before)"
    return [*tool("size"), {"value": before}, {"value": script}, {"click": "#resize"}, {"wait": grew}]


def said(what: str) -> Step:
    return {"wait": f"document.getElementById('said').innerText.includes({what!r})"}


def hand(counter: str) -> list[Step]:
    return [
        {"click": "#form button:has-text('All')"},
        {"fill": ["#filter", counter]},
        {"wait": f"document.querySelector('[data-counter=\"{counter}\"]')"},
        {"click": f"[data-counter='{counter}']"},
        {"wait": f"document.querySelector('#form legend')?.innerText === {counter!r}"},
    ]


def moved(counter: str, hex: str) -> list[Step]:
    """A counter is taken into the hand from the list and put into a hex."""
    return [
        *hand(counter),
        click(hex),
        said(hex),
    ]


def added(like: str, id: str, hex: str) -> list[Step]:
    """A new counter with the values of another, put into a hex."""
    return [
        *hand(like),
        {"click": "summary:has-text('A new counter')"},
        {"fill": ["#new-id", id]},
        {"click": "#form details button:has-text('Add')"},
        {"wait": f"document.querySelector('#form legend')?.innerText === {id!r}"},
        click(hex),
        said(hex),
    ]


GALICIA = """(async () => {
    const { stand } = await import("/static/edit-shapes.js");
    const { screen } = await import("/static/edit-view.js");
    const b = document.getElementById("map").getBoundingClientRect(), [x, y] = screen(...stand("GAL"));
    return [b.left + x, b.top + y];
})()"""
TO_GALICIA = {"wait": "document.getElementById('said').innerText.includes('GAL')"}
GALIZIEN = {"fill": ["#box-line", "{name: Galizien, terrain: inland}"]}
HILLS = [*tool("terrain"), *option("m"), drag("1301", "1304"), *tool("counters")]
WOODS = [*tool("terrain"), *option("f"), drag("1001", "1002"), *tool("counters")]
WORK: dict[str, list[Step]] = {
    "victory": [*grown(), *HILLS, *moved("R-IN2", "0307"), *added("R-IN1", "R-IN9", "0404")],
    "wbts": [*grown(), *tool("counters"), *moved("C-4D", "0805")],
    "ocs": [*grown(), *tool("counters"), *moved("A-21", "06.05")],
    "totaler-krieg": [*tool("counters"), *moved("N-PZA", "0804"), *added("N-IN1", "N-IN9", "0404")],
    "wif": [*WOODS, *moved("CW-M1", "0805"), *added("CW-I1", "CW-I9", "0804")],
    "diplomacy": [
        *({"click": at} for at in ("#tool-boxes", "[data-box=GAL]")), GALIZIEN, {"press": ["Tab"]},
        *tool("counters"), *hand("AU1"), {"at": GALICIA}, TO_GALICIA,
    ],
}  # fmt: skip


def turn_of(tracks: dict[str, Any]) -> Any:
    """The game turn, or the season."""
    return tracks.get("turn") or tracks.get("gt") or (tracks.get("year"), tracks.get("season"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_scenario_of_ones_own_is_made_by_the_page_and_played(
    system: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    root = tmp_path / "mine"
    pbem("scenario", "new", system, root)
    shots = request.config.getoption("--shots", default=None)
    picture = [{"shot": str(Path(shots).absolute() / f"made-{system}.png"), "full": False}] if shots else []
    steps: list[Step] = [
        {"wait": READY}, {"wait": FACES}, *WORK[system], *titled(f"Made of {system}"),
        {"wait": CHECKED}, {"axe": True}, FOUND, *tool("counters"), *picture, *SAVE,
    ]  # fmt: skip
    with editing(root) as link:
        found = sit([{"link": link(), "width": 1280, "height": 860, "steps": steps}], {})[0]
    assert not any(found[what] for what in ("errors", "violations", "wide", "requests")), found
    assert found["values"][-1].startswith("0 "), found["values"]
    whole = need_folder(root)[1]
    assert whole.data["title"] == f"Made of {system}"
    own, _ = need_folder(root)
    turns = set()
    for stage in stages(own, whole.id, None, f"page/{system}", clever):
        turns.add(turn_of(stage.outcome.position.tracks))
        if len(turns) > 2 or stage.number > MOST_STAGES:
            break
    assert len(turns) > 2 or stage.outcome.finished, (system, turns)
