"""A game turn of each system with nothing but keys, and what a screen reader says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive import verify
from pbem.cli.games.practice import table_in
from pbem.cli.web.catalogue import seats
from pbem.cli.web.desk import Desk
from tests.browser.conftest import browser
from tests.browser.tables import IDLE, SIGNABLE, Step, pages, says, serving, sit, text

STATE = "import('/static/board-state.js').then(({ T, orders }) => "
HAND = "import('/static/board-hand.js').then((h) => "
PLACE = STATE + "T.now.place.split(',')[0])"
OVER = STATE + "T.now.over || T.now.place.split(',')[0] !== window.began)"
MAY_MOVE = HAND + "h.able().size > 0)"
ONTO_MAP: Step = {"again": "document.activeElement.id === 'map'", "most": 60, "steps": [{"press": "Tab"}]}
SETTLED: Step = {
    "value": """(async () => {  // all options have come, and the line has spoken, which waits 0.4 s
    const s = await import("/static/board-state.js"), h = await import("/static/board-hand.js");
    const rest = (ms) => new Promise((done) => setTimeout(done, ms));
    for (let n = 0; n < 200 && s.question() && s.question().list && !h.gathered(); n++) { await rest(40); }
    await rest(500);
})()"""
}
LINE = says(f"'line: ' + {text('line')}")
MOVED: list[Step] = [
    {"press": "n"},
    {"wait": IDLE},
    LINE,
    {"press": "Tab"},
    SETTLED,
    LINE,
    {"press": "Enter"},
    {"wait": IDLE},
    {"again": STATE + "!T.aim)", "most": 1, "steps": [{"press": "Enter"}, {"wait": IDLE}]},
    LINE,
]
"""The next unit that may act, its nearest mark, and what is done there, with what the line says each time."""
ROUND: list[Step] = [
    ONTO_MAP,
    {"wait": IDLE},
    {"again": SIGNABLE, "most": 14, "steps": [{"press": "1"}, {"wait": IDLE}]},
    {"value": "delete document.body.dataset.signed"},
    {"press": ["s", "Enter"]},
    {"wait": "document.body.dataset.signed"},
    {"wait": IDLE},
]
PAGES = ("", "orders", "standing", "post", "letters", "desk", "trust", "settings")


@pytest.mark.parametrize("system", ["victory", "wbts", "ocs", "totaler-krieg", "wif"])
def test_a_game_turn_is_played_by_keys_alone(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    place = Desk(tmp_path / "games")
    place.start.mkdir()
    name = place.practice(system, seats()[system][0])
    place.opened.append(name)
    steps: list[Step] = [
        {"wait": IDLE},
        {"value": f"{PLACE}.then((at) => {{ window.began = at; }})"},
        {"again": MAY_MOVE, "most": 8, "steps": [*ROUND, SETTLED]},
        ONTO_MAP,
        *MOVED,
        says(STATE + "orders().map((one) => one.text))"),
        {"axe": True},
        {"press": "Escape"},
        {"again": OVER, "most": 30, "steps": ROUND},
        says(STATE + "({ over: Boolean(T.now.over || T.now.place.split(',')[0] !== window.began) }))"),
        *pages(name, *PAGES),
        {"goto": "/"},
        {"axe": True},
    ]
    with serving(place) as link:
        (found,) = sit([{"link": link(), "steps": steps, "width": 1280, "height": 800}], {})
    unit, mark, done = (one for one in found["values"] if str(one).startswith("line: "))
    (ordered,) = (one for one in found["values"] if isinstance(one, list))
    (end,) = (one for one in found["values"] if isinstance(one, dict))
    assert any(one in unit for one in ("in hand", "may act", "Ordered")), "what was taken up is told"
    may = any(one in mark for one in ("may go", "may attack", "may act"))
    assert may or "Ordered" in unit, "what may be done at a mark, unless the unit had but one thing to do"
    assert ordered and ("Ordered" in done or "can't" in done), "what was ordered, and who could not come"
    assert end["over"], "the game turn is over"
    assert found["errors"] == [] and found["violations"] == [] and found["wide"] == []
    practice = table_in(place.start / f"{system}-{seats()[system][0]}")
    assert practice is not None and verify(practice.folder).ok
