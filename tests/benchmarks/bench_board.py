"""A click at the table with 500 counters: until a frame shows it, until it is answered, in Chromium.

Real clicks in the page of a practice game: a stack is taken up, and put down again.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from pbem.cli.games.practice import Person
from pbem.cli.web.desk import Desk
from pbem.engine import system as systems
from pbem.engine.system import System
from tests.benchmarks import big_victory, big_wif
from tests.browser.conftest import browser
from tests.browser.tables import IDLE, Step, serving, sit
from tests.cli.test_table import Visitor

QUIET = """(async () => {  // all options of own units have come
    const { gathered } = await import("/static/board-hand.js");
    for (let n = 0; n < 3000 && !gathered(); n++) { await new Promise((done) => setTimeout(done, 40)); }
    return gathered();
})()"""
CLICKS = """(async (most) => {
    const { T } = await import("/static/board-state.js");
    const { M, reveal } = await import("/static/board-sheets.js");
    const map = document.getElementById("map"), sheet = document.getElementById("sheet"), found = [];
    const idle = () => !document.body.hasAttribute("aria-busy");
    const own = (one) => T.board.centres[one.at] && one.counters.some((each) => each.mine);
    const mine = T.board.stacks.filter(own), apart = Math.ceil(mine.length / most);
    const one = async (at) => {
        reveal(at);
        await new Promise((done) => setTimeout(done, 400));
        const b = sheet.getBoundingClientRect(), [x, y] = T.board.centres[at];
        const where = { clientX: b.left + x * b.width / M.wide, clientY: b.top + y * b.height / M.high };
        const more = { bubbles: true, pointerId: 1, pointerType: "mouse", ...where };
        const began = performance.now();
        map.dispatchEvent(new PointerEvent("pointerdown", more));
        map.dispatchEvent(new PointerEvent("pointerup", more));
        map.dispatchEvent(new PointerEvent("click", more));
        const shown = await new Promise((done) => requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done(performance.now() - began);
            port2.postMessage(0);
        }));
        const answered = await new Promise((done) => (function look() {
            if (idle()) { done(performance.now() - began); } else { requestAnimationFrame(look); }
        })());
        found.push([shown, answered, T.hand ? 1 : 0]);
    };
    for (let n = 0; n < mine.length; n += apart) { await one(mine[n].at); }
    return { counters: T.board.stacks.reduce((sum, each) => sum + each.counters.length, 0), found };
})"""


@contextmanager
def laid(system: System) -> Iterator[None]:
    """The war where the rules of its name are looked for."""
    usual = systems.find
    systems.find = lambda name: system if name == system.name else usual(name)
    try:
        yield
    finally:
        systems.find = usual


def clicked(system: System, seat: str, most: int) -> dict[str, Any]:
    """The times of the clicks of one sitting: until shown, until answered, and if anything is in hand."""
    with laid(system), tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = home
        place = Desk(Path(home) / "games")
        place.start.mkdir()
        name = place.lay(system.name, "big", {seat: Person("You")})
        place.opened.append(name)
        to_the_moves(place, name)
        with serving(place) as link:
            steps: list[Step] = [
                {"wait": IDLE},
                {"value": QUIET},
                {"wait": IDLE},
                {"value": f"{CLICKS}({most})"},
            ]
            (found,) = sit([{"link": link(), "steps": steps, "width": 1280, "height": 800}], {})
    assert not found["errors"], found["errors"]
    values: dict[str, Any] = found["values"][-1]
    return values


def to_the_moves(place: Desk, name: str) -> None:
    """Answer with the last option until a list of orders is asked for."""
    visitor = Visitor(place)
    while not (question := visitor.json(f"/g/{name}/next")["question"])["list"]:
        found = visitor.json(f"/g/{name}/options", key=question["key"], at=None)["options"][-1]
        chosen = {"number": found["number"], "text": found["text"]}
        visitor.json(f"/g/{name}/choose", key=question["key"], at=None, **chosen)
        if visitor.json(f"/g/{name}/next")["question"] is None:
            assert visitor.json(f"/g/{name}/sign")["ok"]


def main(*, smoke: bool = False) -> None:
    try:
        browser()
    except pytest.skip.Exception as missing:
        print(f"  left out: {missing}")
        return
    most, counters = (3, 60) if smoke else (24, 500)
    games = [("victory", big_victory.big_system(counters), "red")]
    size = big_wif.Size(20, 12, 4, 2, counters)
    games.append(("wif", big_wif.big_system(size), "allied"))
    for name, system, seat in games:
        found = clicked(system, seat, most)
        shown, answered = ([one[n] for one in found["found"]] for n in (0, 1))
        taken = sum(one[2] for one in found["found"])
        print(f"  {name}, {found['counters']} counters, {len(shown)} clicks, {taken} with units in hand")
        for what, took in (("shown", shown), ("answered", answered)):
            print(f"    {what}: {min(took):.0f} / {median(took):.0f} / {max(took):.0f} ms")


if __name__ == "__main__":
    main()
