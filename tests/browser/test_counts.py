"""What a turn costs in signings, clicks and pages: played by clicks in a browser (board.md, section 10)."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.web.catalogue import seats
from pbem.cli.web.desk import Desk
from tests.browser.conftest import browser
from tests.browser.tables import IDLE, SIGNED, Step, says, serving, sit
from tests.practising import practising

STATE = "import('/static/board-state.js').then(({ T }) => "
REST = "#ask .answers .rest"
ALL = f"{REST}, #ask .answers:not(:has(.rest)) button, #pages .list button"
"""The button that does nothing more in this part of the turn; without one the first answer."""
WHOLE = (
    STATE
    + "!T.next && document.getElementById('sign').getAttribute('aria-disabled') === 'false' && "
    + f"!document.querySelector('{REST}'))"
)
"""Nothing more can be answered before it is signed."""
COUNTED = (
    "window.kept = 1; window.clicks = 0; addEventListener('click', () => { window.clicks += 1; }, true); 1"
)
KEPT = "window.kept === 1"
ROUND: list[Step] = [
    {"wait": IDLE},
    {"again": WHOLE, "most": 14, "steps": [{"click": ALL}, {"wait": IDLE}]},
    says(STATE + "[T.now.place, T.steps.map((one) => one.kind), window.clicks])"),
    {"value": "delete document.body.dataset.signed"},
    *SIGNED,
]
"""Nothing more, or the first answer to what is asked, until only *Sign* is left."""
ROUNDS = {"victory": 5, "wbts": 7, "ocs": 5, "totaler-krieg": 3, "wif": 7}


def played(root: Path, system: str) -> list[tuple[str, list[str], int]]:
    """Where each signing stood, what it answered, and the clicks it cost with that on *Sign*."""
    place = Desk(root)
    place.start.mkdir(exist_ok=True)
    place.opened.append(practising(place, system, seats()[system][0]))
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
    turns: dict[str, list[tuple[list[str], int]]] = {}
    for at, kinds, clicks in rows:
        turns.setdefault(at.partition(",")[0], []).append((kinds, clicks))
    whole = list(turns.values())[:-1]  # the last is not over
    assert whole, rows
    for turn in whole:
        LEAST[system](turn)


def victory(turn: list[tuple[list[str], int]]) -> None:
    """A game turn of passing, attacked once: 3 signings with 8 clicks; each more attack may cost 2 clicks."""
    attacks = sum("air-response" in kinds for kinds, _ in turn)
    assert len(turn) <= 3 + attacks and sum(clicks for _, clicks in turn) <= 6 + 2 * attacks


def wbts(turn: list[tuple[list[str], int]]) -> None:
    """A week with one enemy attack, one's own turn quiet: 4 signings with 10 clicks."""
    attacks = sum(bool({"voluntary-retreat", "intensity"} & {*kinds}) for kinds, _ in turn)
    assert len(turn) <= 1 + 3 * max(1, attacks) and sum(clicks for _, clicks in turn) <= 2 + 8 * max(
        1, attacks
    )


def ocs(turn: list[tuple[list[str], int]]) -> None:
    """A game turn without action, one reaction: 2 signings, 5 clicks; 2 more for each question of a fight."""
    fights = sum(not {"first-player", "actions"} & {*kinds} for kinds, _ in turn)
    assert len(turn) <= 2 + fights and sum(clicks for _, clicks in turn) <= 5 + 2 * fights


def totaler_krieg(turn: list[tuple[list[str], int]]) -> None:
    """A faction turn without action: 1 signing with 2 clicks; a card to choose costs one more."""
    cards = sum("next-card" in kinds for kinds, _ in turn)
    assert len(turn) == 1 and turn[0][1] <= 2 + cards


def wif(turn: list[tuple[list[str], int]]) -> None:
    """A game turn of k impulses, all pass: k + 1 signings of two clicks."""
    impulses = sum("impulse-letter" in kinds for kinds, _ in turn)
    assert len(turn) <= impulses + 1 and all(clicks == 2 for _, clicks in turn)


LEAST = {"victory": victory, "wbts": wbts, "ocs": ocs, "totaler-krieg": totaler_krieg, "wif": wif}
"""The least of section 10, for each whole game turn that was played."""
