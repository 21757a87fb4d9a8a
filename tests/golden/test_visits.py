"""What `pbem table` answers to everything a player can ask of it: clicks that are wrong, late or twice, files
and forms, letters and notes, hints, settings and the pages around a game, in order.

Answers of a script are there as JSON, pages by the lines of their text. If a difference is meant, run
`pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pbem.cli.games.memory import Memory
from pbem.cli.web.desk import Desk
from pbem.engine.pins import WORDS
from tests import luck
from tests.cli.conftest import _here as _here
from tests.cli.test_board import Sitting
from tests.cli.test_table import Said, Visitor
from tests.golden.digests import digest
from tests.golden.test_tables import lasting
from tests.nightly import in_ci

LONG, LINES, WIDE = 300, 14, 110
"""Characters of a part of an answer, lines of a page, and characters of one that are written out."""
FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
FILE = {"CONTENT_TYPE": "multipart/form-data; boundary=x"}
_AROUND = re.compile(r"<(head|nav|footer|style|script|svg)\b.*?</\1>", re.S)
_TAG = re.compile(r"<[^>]*>")
_VALUES = re.compile(r"<(?:input|option|button)[^>]*>")
_PASSING = re.compile(
    r"(?<=letter-)[0-9a-f]{8}\b|(?<=\[)[0-9a-f]{8}(?=\])|\b[0-9a-f]{10,64}\b|\d{4}-\d\d-\d\d|\d\d:\d\d|SHA256:\S+"
)


def told(value: Any) -> Iterator[str]:
    """Yield an answer of a script, a line for each part."""
    for key, part in lasting(value).items():
        text = _PASSING.sub("#", json.dumps(part, ensure_ascii=False, sort_keys=True))
        yield f"    {key}: {text if len(text) <= LONG else f'{text[:WIDE]} … {digest(text)}'}"


def read(page: str) -> Iterator[str]:
    """Yield what a person reads on a page, and what its forms have in them."""
    fields = [one for one in _VALUES.findall(page) if 'name="carried"' not in one]
    text = html.unescape(_TAG.sub("\n", _AROUND.sub("", page)))
    lines = [" ".join(line.split()) for line in _PASSING.sub("#", WORDS.sub("", text)).splitlines()]
    lines = [line for line in lines if line]
    yield from (f"    {line[:WIDE]}" for line in lines[:LINES])
    shown = _PASSING.sub("#", WORDS.sub("", "\n".join(fields)))
    yield f"    {len(lines)} lines {digest(chr(10).join(lines))}, {len(fields)} fields {digest(shown)}"


class Visit:
    """Somebody at the table, and what was said to him."""

    def __init__(self, root: Path) -> None:
        self.at = Sitting(root, "victory", "red")
        self.base = f"/g/{self.at.name}"
        self.at.choose("GT1/1.1/bid", "bid 1")

    def bare(self, text: str) -> str:
        for passing in (str(self.at.place.home), self.at.name, os.environ["XDG_CONFIG_HOME"]):
            text = text.replace(passing, "")
        return text

    def said(self, about: str, answer: Said) -> Iterator[str]:
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        for name in ("Location", "Content-Disposition"):
            kind += f" {name}: {answer.headers[name]}" if name in answer.headers else ""
        yield self.bare(f"{about}: {answer.status} {kind}")
        text = self.bare(answer.text)
        if kind.startswith("application/json"):
            yield from told(json.loads(text))
        elif kind.startswith("text/html"):
            yield from read(text)
        elif kind.startswith("application/yaml"):
            yield from (f"    {line}" for line in _PASSING.sub("#", text).splitlines())

    def click(self, path: str, **data: Any) -> Iterator[str]:
        sent = json.dumps(data)
        answer = self.at.visitor.ask("POST", f"{self.base}/{path}", sent.encode())
        yield from self.said(f"{path} {_PASSING.sub('#', sent[:WIDE])}", answer)

    def look(self, path: str, whole: str = "", accept: str = "text/html") -> Iterator[str]:
        yield from self.said(
            path, self.at.visitor.ask("GET", whole or f"{self.base}/{path}", HTTP_ACCEPT=accept)
        )

    def fill(self, path: str, *fields: tuple[str, str], whole: str = "") -> Iterator[str]:
        answer = self.at.visitor.ask(
            "POST", whole or f"{self.base}/{path}", urlencode(fields).encode(), **FORM
        )
        yield from self.said(f"{path} {dict(fields)}", answer)

    def send(self, path: str, data: bytes, whole: str = "") -> Iterator[str]:
        """Send a file, as a browser does."""
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        answer = self.at.visitor.ask(
            "POST", whole or f"{self.base}/{path}", head + data + b"\r\n--x--\r\n", **FILE
        )
        yield from self.said(f"{path} < {data[:60]!r}", answer)

    # ---- the parts

    def before(self) -> Iterator[str]:
        """What is asked of the order file in the first stage."""
        yield from self.look("template")
        yield from self.fill("orders", ("text", "answers:\r\n  bid: 2\r\n"))
        yield from self.fill("orders", ("text", "answers: {bid: many"))
        yield from self.fill("sign")
        yield from self.send("orders", b"answers:\n  GT1/1.1/bid: 1\n")
        for sent in ((("f.value", "2"), ("f.turn", "any"), ("try", "1")), (("f.value", "x"),)):
            yield from self.fill("standing/bid", *sent)
        yield from self.fill("standing/nothing", ("f.value", "2"))
        yield from self.look("standing/nothing")
        for value in ("2", "3"):
            yield from self.fill("standing/bid", ("f.value", value), ("f.turn", "any"))
        yield from self.fill("standing/bid", ("f.value", "4"), ("f.turn", "any"), ("instead", "1"))
        yield from self.look("standing")
        for number in ("7", "x", "1"):
            yield from self.fill("standing", ("number", number))
            yield from self.look("standing")
        yield from self.look("standing/bid")
        yield from self.fill("standing", ("back", "1"))
        yield from self.look("standing")
        yield from self.click("enclose", kind="note", to=["blue"], text="psst")
        yield from self.fill("sign")

    def clicks(self) -> Iterator[str]:
        """What is clicked in the second stage, right and wrong."""
        key = self.at.get("state")["questions"][0]["key"]
        yield from self.click("options", key=key, at=None)
        yield from self.click("choose", key=key, number=0, text="take a player turn")
        yield from self.click("nothing")
        row = self.at.next()["question"]
        key = row["key"] if row else key
        yield from self.look("state")
        yield from self.click("options", key=key, units=["R-AR1", "R-AR2", "nobody", 5])
        yield from self.click("options", key=key, units="all")
        for unit in ("R-AR1", "r-ar2", "R-BB1"):
            found = self.at.post("options", key=key, at=unit)["options"]
            one = found[1]
            yield from self.click("choose", key=key, at=unit, number=one["number"], text=one["text"])
        for number in (True, -1, 99, "0", None):
            yield from self.click("choose", key=key, at="R-F1", number=number, text="R-F1 rebase to 0202")
        kept = self.at.get("state")["text"]
        for number, text in (
            (2, "up"),
            (0, "up"),
            (0, "down"),
            (2, "down"),
            (9, "up"),
            (-1, "up"),
            (True, "up"),
        ):
            yield from self.click("shift", key=key, number=number, text=text)
        for number in (9, "1", -1, 1):
            yield from self.click("remove", key=key, number=number)
        yield from self.click("back", key=key)
        yield from self.click("put", text=kept)
        yield from self.click("put", text="answers: {a: [")
        for at, to in (
            *(("R-AR2", "0909"), ("r-ar2", "Haska"), ("R-AR2", "0104"), ("R-AR2", "0405"), ("R-DB1", "0606")),
            *(("R-DB1", "0708"), ("R-BB2", "0101"), ("R-AR2", None), (None, "0606"), ("0405", "0305")),
            *(("nobody", "0305"), ("R-AR2", "nowhere")),
        ):
            yield from self.click("why", key=key, at=at, to=to)
        yield from self.click("why", key=key, at="R-F1", to="0909")
        yield from self.click("why", key=key, at="R-F1", to="0202")
        yield from self.click("take", key=key, at="R-F1", to="0909")
        yield from self.click("take", key=key, at="R-F1", to="0202")
        yield from self.click("march", key=key, counters=["R-DB1", "R-HB1", "R-HB1", "nobody"], to="0502")
        yield from self.click("march", key=key, counters="R-DB1", to="0502")
        yield from self.click("after", key=key)
        yield from self.click("after", key=key, of="R-HB2", at="0606", units=["R-HB1"])
        yield from self.click("after", key=key, of="R-AR1", number=0, text="nothing of this")
        yield from self.click("clear", key=key)
        yield from self.click("clear", key="GT9/nothing")
        yield from self.look("state")
        yield from self.click("next", past=True)
        named = {"name": "a", "until": "GT", "decision": "bid", "answer": 1}
        for entry in ({"bid": {"value": 1}}, "bid", named, {**named, "answer": 2}, {**named, "name": "b"}):
            yield from self.click("stand", entry=entry)
        yield from self.click("state")

    def hints(self) -> Iterator[str]:
        """Rules, charts, counters, odds, notes and letters."""
        for path in (
            "rule/4.2.3",
            "rule/4",
            "rule/0",
            "card/none",
            "chart/units?row=AR&column=cost",
            "chart/none",
        ):
            yield from self.look(path)
            yield from self.look(path, accept="application/json")
        for at in ("R-AR1", "r-ar1", "0202", "nobody", None):
            yield from self.click("counter", at=at)
            yield from self.click("past", at=at)
        key = self.at.get("state")["questions"][0]["key"]
        for target, units in (("0606", ["R-HB1"]), ("0606", []), ("nowhere", ["R-HB1"]), (None, ["nobody"])):
            yield from self.click("odds", key=key, target=target, units=units)
        yield from self.click("odds", target="0606", units=["R-HB1"])
        yield from self._written()
        yield from self._forms()
        yield from self.click("sign", passphrase="wrong")
        for stage, tag in ((9, None), (2, "0"), (None, None)):
            yield from self.click("clear", key=key, stage=stage, tag=tag)

    def _written(self) -> Iterator[str]:
        for at, text in (("0202", "watch this"), ("", "all of it"), ("x" * 70, "far"), ("0202", "")):
            yield from self.click("note", at=at, text=text)
        yield from self.look("notes")
        for since in ("0", "1", "x", "", "123456"):
            yield from self.look(f"news?since={since}")
        blue, green = "blue", "green"
        for to, text in (
            ([blue], "a"),
            ([green, blue, blue], "b"),
            ([blue], " "),
            ([], "c"),
            (["nobody"], "d"),
        ):
            yield from self.click("talk", to=to, text=text)
        yield from self.click("talk", public=True, text="to all")
        yield from self.look("talk")
        yield from self.look("letters")
        private = (("to", blue), ("to", "nobody"), ("words", "a letter\r\nof two lines"))
        *lines, _ = self.fill(
            "letters", *private
        )  # the last is sealed for this reader, differently each time
        yield from lines
        yield from self.fill("letters", ("words", ""), ("public", "1"))
        yield from self.fill("letters", ("to", blue), ("words", "grey"), ("grey", "1"))
        yield from self.fill("letters", ("to", blue), ("words", ""))
        yield from self.fill("letters", ("read", "1"))
        yield from self.look("map")

    def _forms(self) -> Iterator[str]:
        for path in ("table", "picture/none.png", "keep", "", "report/1", "trust", "desk", "post"):
            yield from self.look(path)
        yield from self.fill("read")
        yield from self.look("archive")
        for what in ("nothing", "deadline", "look", "run", "resend"):
            yield from self.fill("do", ("what", what))
        yield from self.fill("trust")
        yield from self.fill("backup")
        yield from self.fill("backup", ("passphrase", "a b c"))
        for fields in SETTINGS:
            yield from self.fill("settings", *fields)
            kept = self.at.folder.root / "private" / "mail.yaml"
            lines = kept.read_text("utf-8").splitlines() if kept.exists() else []
            yield from (f"    > {line}" for line in lines)
            yield from self.look("settings")
        german = Visitor(self.at.place, "de")
        for path in ("rule/4.2.3", "chart/units", "table", "desk", "post", "settings", "standing", "letters"):
            yield from self.said(f"de {path}", german.ask("GET", f"{self.base}/{path}"))


def around(root: Path) -> Iterator[str]:
    """Yield what is said on the pages without a game, in both languages."""
    for lang in ("en", "de"):
        visit = object.__new__(Visit)
        visit.at = object.__new__(Sitting)
        visit.at.place = Desk(root / lang, Memory(root / f"{lang}.json"))
        visit.at.name, visit.at.visitor = "<name>", Visitor(visit.at.place, lang)
        visit.at.place.home.mkdir()
        for path in (
            *("/", "/new", "/new/victory/sarn_strait", "/new/victory/none", "/new/none/none"),
            *("/around/victory/sarn_strait", "/around/wbts/none", "/join", "/restore", "/settings", "/none"),
        ):
            yield from visit.look(path, path)
        for path, fields in POSTS:
            yield from visit.fill(path, *fields, whole=path)
        for path, data in (("/mail", b""), ("/mail", b"hello"), ("/mail", b"PK\x03\x04"), ("/restore", b"x")):
            yield from visit.send(path, data, path)


POSTS: list[tuple[str, list[tuple[str, str]]]] = [
    ("/forget", [("game", "none")]),
    ("/leave", []),
    ("/leave", [("to", "none")]),
    ("/practice", [("system", "none"), ("seat", "red")]),
    ("/practice", [("system", "victory"), ("seat", "pink")]),
    ("/around/victory/sarn_strait", []),
    ("/around/victory/sarn_strait", [("who-red", "person"), ("master", "nobody")]),
    ("/join", [("invitation", "%")]),
    ("/join", [("invitation", "YWJj")]),
    ("/take-over", [("archive", "YWJj")]),
    ("/restore", [("passphrase", "a")]),
    ("/new/victory/sarn_strait", [("name", "Ann"), ("mail", "not an address")]),
    ("/settings", [("provider", "Gmail"), ("fill", "1"), ("out-way", "smtp"), ("in-way", "imap")]),
    ("/settings", [("provider", "none"), ("fill", "1"), ("out-way", "folder"), ("out-folder", "out")]),
]

SETTINGS: list[list[tuple[str, str]]] = [
    [("out-way", "folder"), ("out-folder", "away"), ("in-way", "files"), ("in-paths", "a.mbox\r\nb")],
    [("out-way", "smtp"), ("out-server", "a.example"), ("out-port", "99999")],
    [("out-way", "smtp"), ("out-server", "a.example"), ("out-port", "x")],
    [
        *(("out-way", "smtp"), ("out-server", "a.example"), ("out-port", "587"), ("out-user", "ann")),
        *(("out-secret", "variable"), ("out-variable", "SECRET"), ("out-security", "starttls")),
        *(("out-from", "ann@a.example"), ("out-cc", "all"), ("in-way", "")),
    ],
    [
        *(("in-way", "imap"), ("in-server", "b.example"), ("in-user", "ann"), ("in-secret", "variable")),
        *(("in-variable", "OTHER"), ("in-folder", "Games"), ("in-security", "tls"), ("out-way", "")),
    ],
    [("in-way", "pop3"), ("in-server", "c.example"), ("language", "de")],
    [("in-way", "none of these"), ("language", "xx")],
]

PARTS = ("before", "clicks", "hints")


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """One visit: its parts follow each other, each made once."""

    @cache
    def at_table() -> Visit:
        return Visit(tmp_path_factory.mktemp("visit"))

    @cache
    def part(name: str) -> str:
        for earlier in PARTS[: PARTS.index(name)]:
            part(earlier)
        with luck.drawn_for(f"a visit at the table, {name}"):
            return "".join(f"{line}\n" for line in getattr(at_table(), name)())

    return part


@in_ci
@pytest.mark.parametrize("part", PARTS)
def test_a_visit_at_the_table_is_answered_as_it_was(
    part: str, visit: Callable[[str], str], golden: Callable[[str, str], None]
) -> None:
    golden(f"table-visit-{part}.txt", visit(part))


@in_ci
def test_the_pages_without_a_game_say_what_they_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[str, str], None]
) -> None:
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    golden("table-visit-around.txt", "".join(f"{line}\n" for line in around(tmp_path)))
