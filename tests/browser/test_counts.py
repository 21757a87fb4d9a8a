"""What a turn costs in signings, clicks and pages: played by clicks in a browser (board.md, section 10)."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.web.catalogue import seats
from pbem.cli.web.desk import Desk
from tests.browser.conftest import browser
from tests.browser.tables import ANSWER, IDLE, SIGNED, Step, says, serving, sit
from tests.nightly import IN_CI

pytestmark = list(IN_CI)
STATE = "import('/static/board-state.js').then(({ T }) => "
WHOLE = STATE + "!T.next && document.getElementById('sign').getAttribute('aria-disabled') === 'false')"
"""Nothing more can be answered before it is signed."""
ONWARD = (
    "[...document.querySelectorAll('#ask .answers button')].some((one) => one.innerText.startsWith('Next:'))"
)
COUNTED = (
    "window.kept = 1; window.clicks = 0; addEventListener('click', () => { window.clicks += 1; }, true); 1"
)
KEPT = "window.kept === 1"
ROUND: list[Step] = [
    {"wait": IDLE},
    {
        "again": WHOLE,
        "most": 14,
        "steps": [
            {
                "again": f"!({ONWARD})",
                "most": 1,
                "steps": [{"click": "#ask .answers button:has-text('Next:')"}],
            },
            {"wait": IDLE},
            {"again": WHOLE, "most": 1, "steps": [{"click": ANSWER}, {"wait": IDLE}]},
        ],
    },
    says(STATE + "[T.now.place, T.steps.map((one) => one.kind), window.clicks])"),
    {"value": "delete document.body.dataset.signed"},
    *SIGNED,
]
"""A player who does nothing: the first answer to whatever is asked, until there is only *Sign*."""
ROUNDS = {"victory": 4, "wbts": 7, "ocs": 6, "totaler-krieg": 3, "wif": 7}


def played(root: Path, system: str) -> list[tuple[str, list[str], int]]:
    """Where each signing stood, what it answered, and the clicks it cost with that on *Sign*."""
    place = Desk(root)
    place.start.mkdir(exist_ok=True)
    place.opened.append(place.practice(system, seats()[system][0]))
    with ExitStack() as stack:
        link = stack.enter_context(serving(place))
        steps = [{"wait": IDLE}, says(COUNTED), *ROUND * ROUNDS[system], says(KEPT)]
        (found,) = sit([{"link": link(), "steps": steps, "width": 1280, "height": 800}], {})
    assert found["errors"] == []
    _, *values, kept = found["values"]
    assert kept, "no page was loaded from the first click to the last"
    told: list[Any] = [one for one in values if isinstance(one, list)]
    before, rows = 0, []
    for at, kinds, clicks in told:
        rows.append((at, kinds, clicks - before + 1))
        before = clicks + 1
    assert len(rows) == ROUNDS[system]
    return rows


@pytest.mark.parametrize("system", ROUNDS)
def test_a_turn_takes_no_more_signings_and_clicks_than_designed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any, system: str
) -> None:
    browser()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    rows = played(tmp_path / "games", system)
    for at, kinds, clicks in rows:
        record_property("figure", f"{system}: {at}: {', '.join(kinds)}: {clicks} clicks")
        assert clicks <= len(kinds) + 2, "one for each answer, one to go on from a list, one to sign"
    turns = Counter(", ".join(at.split(", ")[:2]) for at, _, _ in rows)
    kinds = Counter(kind for _, listed, _ in rows for kind in listed)
    if system == "victory":
        quiet = [at for at, listed, _ in rows if "air-response" not in listed]
        assert sum(at.startswith("Game turn 1,") for at in quiet) <= 3, "the bid, one pass, production"
    elif system == "wbts":  # one's own turn, and three for each battle that the enemy begins
        own = [at for at, listed, _ in rows if {"command", "battles"} & {*listed}]
        for turn in range(1, 4):
            assert sum(at.startswith(f"Game turn {turn},") for at in own) <= 2
        assert len(rows) - len(own) <= 3 * max(1, kinds["voluntary-retreat"] + kinds["intensity"])
    elif system == "ocs":
        assert all(count <= 3 for turn, count in turns.items() if "Player Turn" in turn)
    elif system == "totaler-krieg":
        assert all(count <= 3 for turn, count in turns.items() if "Faction turn" in turn)
    else:  # one for each impulse, one at the end of the turn; the first turn begins with one more
        for turn in (1, 2):
            here = [at for at, _, _ in rows if at.startswith(f"Game turn {turn},")]
            impulses = sum("impulse" in at for at in here)
            assert len(here) <= impulses + 1 + (turn == 1)
        assert all(clicks == 2 for _, listed, clicks in rows if len(listed) == 1), "an answer, and Sign"
