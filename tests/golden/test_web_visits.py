"""What pages answer to somebody in a game by mail, game master or player, and to whoever edits a scenario.

Answers of a script are there as JSON, pages by the lines of their text. If a difference is meant, run
`pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli.games import clock
from pbem.cli.games.memory import Memory
from pbem.cli.web.desk import Desk, name_of
from tests import luck
from tests.cli.conftest import SEATS
from tests.cli.conftest import _here as _here
from tests.cli.play import Table, tree
from tests.cli.test_scenario_edit import PNG, Page
from tests.cli.test_table import Said, Visitor
from tests.golden.digests import digest
from tests.golden.test_tables import short
from tests.golden.test_visits import _AROUND, _PASSING, _TAG, WIDE, Visit, told
from tests.golden.test_workshops import laid
from tests.nightly import in_ci

_DRAWN = re.compile(
    r"(?:[0-9a-f]{4} ){7}[0-9a-f]{4}|(?<=-)[0-9a-f]{8}(?=-)|(?<=sid=)\S+|[A-Za-z0-9+/]{24,}=*"
    r"|:\d\d [+-]\d{4}|\d\d:\d\d:\d\d"
)
"""What is sealed is different each time, and so are the names of what is said of it."""
_LETTERS = re.compile(r"-letter-|received-order|of gm for stage|von gm für Etappe")
PAGES = (
    "",
    "report/0",
    "report/1",
    "table",
    "orders",
    "standing",
    "post",
    "letters",
    "desk",
    "trust",
    "settings",
)
AGAIN = ("now", "state", "", "table", "post", "letters", "desk")
ANSWERS = ("now", "state", "board", "notes", "talk", "news?since=0", "template", "map")


class Sits(Visit):
    """Somebody at his own folder of a game by mail."""

    def __init__(self, table: Table, seat: str, lang: str = "en") -> None:
        root = table.gm.root if seat == "gm" else table.players[seat].root
        place = Desk(root, Memory(root / "games.json"))
        self.root = root
        self.at: Any = SimpleNamespace(place=place, name=name_of(root), visitor=Visitor(place, lang))
        self.base = f"/g/{self.at.name}"

    def bare(self, text: str) -> str:
        for passing in (str(self.root.parent), os.environ.get("XDG_CONFIG_HOME", "-"), os.environ["HOME"]):
            text = text.replace(passing, "")
        return _DRAWN.sub("#", text.replace(self.at.name, ""))

    def said(self, about: str, answer: Said) -> Iterator[str]:
        """Yield an answer; letters are in the order of names that are different each time."""
        lines = list(super().said(about, answer))
        if _LETTERS.search(answer.text):
            text = html.unescape(_TAG.sub("\n", _AROUND.sub("", self.bare(answer.text))))
            parts = sorted({" ".join(line.split())[:WIDE] for line in _PASSING.sub("#", text).splitlines()})
            lines[1:] = [f"    {part}" for part in parts if part]
        yield from lines

    def looks(self) -> Iterator[str]:
        for path in (*PAGES, *ANSWERS):
            yield from self.look(path)
        yield from self.look("/", "/")

    def looks_again(self) -> Iterator[str]:
        for path in AGAIN:
            yield from self.look(path)

    def does(self, *whats: str, **fields: str) -> Iterator[str]:
        for what in whats:
            yield from self.fill("do", ("what", what), *fields.items())


def _master(table: Table) -> Iterator[str]:
    """The game master looks, reminds, rules and runs."""
    gm = Sits(table, "gm")
    yield from gm.looks()
    yield from gm.does("look", "ack", "correct-look", "unseal", "undo", "plain-send", "link")
    yield from gm.does("remind", party="north")
    for more in ({}, {"yes": "1"}):
        yield from gm.does("rule", reason="why not", move="nobody to nowhere", **more)
        yield from gm.does("amend-option", setting="turns=5", **more)
        yield from gm.does("amend-drop", party="north", **more)
    yield from gm.does("look", "run", forfeit="north\nsouth")
    yield from gm.fill("letters", ("words", "to all of you"), ("public", "1"))
    yield from gm.looks_again()


def _player(table: Table) -> Iterator[str]:
    """A player answers, signs, writes, takes back, and looks again."""
    north = Sits(table, "north")
    yield from north.looks()
    question = json.loads(north.at.visitor.ask("GET", f"{north.base}/state").body)["questions"]
    key = question[0]["key"] if question else ""
    yield from north.click("next")
    yield from north.click("next", past=True)
    yield from north.click("talk", to=["south"], text="well met")
    yield from north.click("talk", to=["gm", "south", "gm"], text="to two")
    yield from north.click("options", key=key, units="all")
    yield from north.click("nothing")
    yield from north.look("state")
    yield from north.click("sign", passphrase="")
    yield from _answers(north)
    yield from north.look("now")
    yield from north.click("sign", passphrase="")
    yield from north.looks_again()
    yield from north.click("next")
    yield from north.click("nothing")
    yield from north.fill("sign")
    yield from north.does("undo", "again", "protest", "undo")
    yield from north.look("now")
    yield from north.does("withdraw", entry="nothing")
    for number in range(33):
        lines = list(north.click("talk", to=["south"], text=f"message {number}"))
    yield from lines
    yield from north.click("talk", to=["south"], text=" ")
    yield from north.fill("letters", ("words", "as they are"), ("to", "south"), ("grey", "1"))
    yield from north.fill("letters", ("read", "1"))
    yield from north.fill("settings", ("out-way", "sendmail"))
    for text in ("answers: {next-move: 1}", "answers: []", "game: other", "[", "answers:\n  x: 1\n"):
        yield from north.fill("orders", ("text", text))
        yield from north.look("now")


def _answers(sits: Sits) -> Iterator[str]:
    """Answer what is asked and what will be asked, take some of it back, and answer again."""
    for turn in range(4):
        row = sits.at.visitor.json(f"{sits.base}/next")
        question = row["question"]
        if question is None:
            break
        option = row["options"][-1 if turn % 2 else 0]
        choice = {"key": question["key"], "number": option["number"], "text": option["text"]}
        yield from sits.click("choose", **choice)
        yield from sits.click("next")
        if turn:
            yield from sits.click("back" if turn % 2 else "clear", key=question["key"])
            yield from sits.look("state")
            yield from sits.click("choose", **choice)
    yield from sits.look("state")
    yield from sits.click(
        "stand", entry={"name": "mine", "until": "T1", "decision": "next-move", "answer": 1}
    )


def _begins(table: Table) -> Iterator[str]:
    """Before the game: an invitation, somebody joins, all sign."""
    gm = Sits(table, "gm")
    yield from gm.looks()
    table.join()
    north = Sits(table, "north")
    yield from north.looks()
    yield from north.does("link", "sign-roster")
    table.post()
    yield from gm.looks_again()
    yield from gm.does("sign-roster", "run")
    table.post()
    yield from north.looks_again()
    yield from north.fill("letters", ("words", "too early"), ("public", "1"))
    yield from north.click("talk", to=["gm"], text="too early")
    yield from north.fill("standing/reaction", ("f.retreat_at_most", "1"))
    yield from north.does("sign-roster", "sign-roster")


def _reader(table: Table) -> Iterator[str]:
    """Somebody who has answered is asked nothing; his pages in German."""
    table.players["south"].pbem("orders", "new", "--yes", code=None)
    table.players["south"].pbem("sign", "--yes", code=None)
    yield from Sits(table, "south", "de").looks()
    yield from Sits(table, "gm", "de").looks_again()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, int], Table]]:
    """A game after some stages, in which nothing hangs on the day. Do not change it: copy it."""

    @cache
    def after(system: str, stages: int) -> Table:
        table = Table(tmp_path_factory.mktemp(system), system, SEATS)
        with luck.drawn_for(f"{system} after {stages} at the table"):
            for stage in range(-1, stages + 1):
                table.play_stage() if stage > 0 else table.start() if not stage else None
        return table

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
        yield after


@in_ci
@pytest.mark.parametrize(
    ("who", "system", "stages"),
    [
        (_master, "primer", 2),
        (_player, "primer", 2),
        (_player, "primer-fog", 1),
        (_reader, "primer-fog", 1),
        (_begins, "primer", -1),
    ],
)
def test_pages_of_a_game_by_mail_say_what_they_said(
    who: Callable[[Table], Iterator[str]],
    system: str,
    stages: int,
    tables: Callable[[str, int], Table],
    tmp_path: Path,
    golden: Callable[[str, str], None],
) -> None:
    table = tables(system, stages)
    table = table.copy(tmp_path) if stages >= 0 else table
    with luck.drawn_for(f"pages of {system}"):
        golden(f"web-{system}-{who.__name__[1:]}.txt", "".join(f"{line}\n" for line in who(table)))


# ---- the editor


def _editor(root: Path, system: str, scenario: str) -> Iterator[str]:
    """The folder as it is, as it would be, and as it is after a save; wrong questions between."""
    laid(root, system, scenario)
    page = Page(root)

    def asked(path: str, **sent: Any) -> Iterator[str]:
        yield f"{path} {json.dumps(sent)[:100]}"
        yield from told(page.json(f"/edit/{path}", **sent))

    board = page.board()
    yield from told(board)
    values = board["values"]
    keys = [key for key in values if key[0] in "tc"]
    alike = {key: next((values[o] for o in keys if values[o] != values[key]), "x") for key in keys[::40][:4]}
    work = {key: [values[key], new] for key, new in alike.items()}
    sizes = {
        key: [values[key], [values[key][0] + 2, values[key][1] + 1]] for key in values if key[:5] == "size/"
    }
    text = (root / "scenario.yaml").read_text("utf-8")
    broken = {"f/scenario.yaml": [text, text.replace("system:", "sistem:")]}
    for each in ({}, work, sizes, broken, {**work, "no key": [1, 2], "t/x": [1], "t/y": 3}):
        for path in ("check", "faces", "board"):
            yield from asked(path, work=each)
    yield from asked("look")
    for line in ("a: [1, 2]", "{", "- x", "", 5, "x: " + "y" * 5000):
        yield from asked("line", line=line)
    yield from asked("keep", work={**work, "bad": 1, "t/bad": [1]})
    yield f"kept {short(page.board()['recovery'])}"
    yield from asked("save", work=work, digests={})
    stale = {key: ["something else", new] for key, new in alike.items()}
    yield from asked("save", work=stale, digests=page.board()["digests"])
    yield f"kept {short(page.board()['recovery'])}"
    yield from asked("save", work=work, digests=page.board()["digests"])
    yield f"kept {page.board()['recovery']}"
    yield from (f"{name} {digest(data.decode())}" for name, data in tree(root).items())
    yield from _pictures(page, asked)


def _pictures(page: Page, asked: Callable[..., Iterator[str]]) -> Iterator[str]:
    more = {"CONTENT_TYPE": "application/octet-stream", "HTTP_ACCEPT": "application/json"}
    for name in ("", "north", "a/b", "x" * 41):
        for data in (PNG, b"GIF89a"):
            said = page.ask("POST", f"/edit/picture?sheet={name}", data, **more)
            yield f"picture {name} {data[:4]!r}: {said.status} {said.text[:200]}"
        got = page.ask("GET", f"/edit/picture?sheet={name}")
        yield f"picture {name}: {got.status} {got.headers['Content-Type']} {len(got.body)}"
    picture = {"file": "board.png", "wide": 800, "high": 600}
    points = {
        "0101": [10, -20],
        "a": [1, 2, 3],
        "b": ["1", 2],
        "c": [1 << 20, 0],
        "d": [1, True],
        "e": [-(1 << 20) + 1, 0],
    }
    for sent in (
        {"picture": picture, "corners": points, "moved": points},
        {"picture": picture, "corners": [1], "sheet": "north"},
        {"picture": {**picture, "file": "x" * 50}},
        {"picture": {**picture, "high": "600"}},
        {"picture": 1},
        {"picture": picture, "sheet": 5},
    ):
        yield from asked("align", **sent)
        yield f"pictures {json.dumps(page.board()['pictures'])}"
    for sent in ({"gone": 1, "picture": picture}, {"gone": True}, {"gone": True, "sheet": "north"}):
        yield from asked("align", **sent)
        yield f"pictures {json.dumps(page.board()['pictures'])}"


EDITED = [("diplomacy", "three_shores"), ("victory", "sarn_strait")]


@in_ci
@pytest.mark.parametrize(("system", "scenario"), EDITED)
def test_the_editor_answers_as_it_did(
    system: str, scenario: str, tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    lines = _editor(tmp_path, system, scenario)
    text = "".join(f"{line}\n" for line in lines).replace(str(tmp_path), "")
    golden(f"web-editor-{system}.txt", text)
