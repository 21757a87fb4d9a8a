"""What the mail room makes of each case: replies, headers, settings, the book of what was sent, boxes.

Cases are combined, so that each habit of a program meets each other one. If a difference is meant, run
`pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbem.mail import boxes, handing_book
from pbem.mail.envelope import dressed, envelope, mail_link
from pbem.mail.handing_book import Ledger
from pbem.mail.plain import automatic, decoded, like_orders, sender
from pbem.mail.replies import ABOVE, Reply, said_in
from pbem.mail.returned import returned
from pbem.mail.settings import load
from pbem.text.diagnostics import Refused
from pbem.text.render import full

ABOUT = {
    "none": "",
    "wrote": "On Monday, 3 May 2027 at 10:15, Ann <ann@example.org> wrote:",
    "broken": "On Monday, 3 May 2027,\nAnn\n<ann@example.org>\nschrieb:",
    "time above": "3 May 2027 10:15\nAnn <ann@example.org> wrote:",
    "no": "My plan for 1944:",
}
BEGINS = {
    "quoted": "> 1. Hold\n> 2. Attack",
    "rule": "-----Original Message-----\nHold",
    "line": "________________\nFrom: Ann <ann@example.org>\nSent: 10:15\n\nHold",
    "stars": "*****\nHold",
    "headers": "From: Ann <ann@example.org>\nTo: me\n\nHold",
    "one header": "From: here\nHold",
    "above": f" {ABOVE} answer above this line ##\nHold",
    "phone": "Sent from my phone",
    "dashes": "--\nAnn",
}
END = b"\r\n\r\n"
BELOW = {"nothing": "", "answer": "\n2, please", "quoted": "\n> more\n2, please"}
FROM = ("Ann <Ann@Example.ORG>", "Ann", "", "=?utf-8?q?K=C3=B6?= <K@x>", "a@b\r\nFrom: c@d", "a" * 70 + "@b")
AUTOMATIC = (
    "Auto-Submitted: No",
    "Auto-Submitted: auto-replied",
    "List-Id: x",
    "Precedence: bulk",
    "X-A: b",
    "List-Unsubscribe: <x>",
)
ORDERS = (
    "answers:\n",
    "> stage: 1\n> answers: {}",
    "standing: []\ngame: 0123456789ab",
    "game: 0123456789a\nanswers: x",
    "stage: 1\ngame: 0123456789ab",
    '"stage" : 1\n"answers": 2',
    "x answers: 1\nstage: 1",
)
HEAD = (
    b"From: Gm <gm@example.org>\r\nTo: a@x,\r\n b@x\r\nCc: c@x, a@x\r\nDate: old\r\nX-Unsent: "
    b"1\r\nAuto-Submitted: no\r\n"
    b"Subject: =?utf-8?q?Spiel_K=C3=B6ln=3A_Zug?=\r\nThread-Topic: Spiel\r\nMessage-ID: "
    b"<a-1@pbem.invalid>\r\n\r\n\r\nbody\r\nTo: x\r\n"
)
HEADS = (
    HEAD,
    HEAD.replace(b"\r\n", b"\n"),
    b"From: a@x\r\n\r\n",
    b"Cc: c@x\r\nSubject: s\r\n\r\nb",
    b"Subject: nothing",
)
DRESSES: list[dict[str, Any]] = [
    {},
    {"sender": "me@x", "automatic": True},
    {"to": ["z@x", "y@x"], "cc_all": False},
    {"cc_all": False, "one_subject": True},
]
REPORT = (
    "Content-Type: multipart/report; report-type=delivery-status; "
    "boundary=B\r\n\r\n--B\r\n\r\nSorry\r\n--B\r\n"
    "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: "
    "x\r\n\r\n{status}\r\n--B\r\nContent-Type: {kind}\r\n\r\n"
    "Subject: x\r\nMessage-ID: <{id}@pbem.invalid>\r\n\r\nbody\r\n--B--\r\n"
)
STATUSES = (
    "Final-Recipient: rfc822; a@x\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no "
    "such\r\n user\r\n",
    "Final-Recipient: rfc822; a@x\r\nOriginal-Recipient: rfc822; b@x\r\nAction: Delayed\r\nStatus: "
    "4.4.7\r\n\r\nFinal-Recipient: rfc822;c@x\r\nAction: failed\r\n",
    "Final-Recipient: rfc822; a@x\r\nAction: delivered\r\n\r\nFinal-Recipient: x400; c=de\r\nAction: "
    "failed\r\n",
    "Action: failed\r\n",
)
SETTINGS = (
    "out: {way: smtp, server: mail.example.org, user: ann, password: {keyring: pbem}}\nin: {way: imap, "
    "server: localhost, security: none, user: ann, password: {variable: PASS}, folder: Games, move_to: "
    "Done, since: 2026-11-20}",
    "out: {way: smtp, server: a.example, security: tls, user: x, token: {command: [pass, show]}, from: "
    "a@b, cc: none, subjects: one, reports: own}\nlanguage: de",
    "out: {way: sendmail}\nin: {way: files, paths: [a, b]}",
    "out: {way: folder, folder: out, port: 25, cc: all}\nin: {way: files, paths: [a], user: x}",
    "out: {way: smtp, server: a.example, security: none, user: x}\nin: {way: imap, server: b.example, "
    "password: {variable: P}, token: {variable: T}, user: x}",
    "out: {way: smtp, server: a.example, user: x, password: hunter2}",
    "out: {way: pigeon}\nin: {server: a}\nother: 1",
    "{}",
)
BOOK: list[tuple[Any, ...]] = [
    ("begun", "a", "d1", "1", ["x", "y"], None, "", {"sender": "s"}),
    ("begun", "b", "d2", "2", ["x"]),
    ("sent", "a", "d1", "3", ["x"], {"y": "no such user"}),
    ("begun", "b", "d2", "4", ["z"], None, "", {"sender": "t"}),
    ("told", "a", "d3", "4"),
    ("begun", "a", "d1", "5", ["y"]),
    ("failed", "a", "d1", "6", ["y"], None, "no way"),
    ("returned", "a", "d1", "7", [], {"x": "full"}),
    ("settled", "b", "d2", "8", ["w"]),
    ("sent", "a", "d1", "9", ["y", "y"]),
    ("settled", "a", "d1", "10", [], None, "the owner says so"),
    ("again", "b", "d2", "11"),
]
BROKEN = (
    b'{"what": "sent", "digest": "d1", "to": ["q"]\n[]\n{"digest": 1, "to": []}\n'
    b'{"digest": "d1", "to": "x"}\n{"digest": "d9", "to": [1]}\n'
    b'{"digest": "d2", "what": "sent", "to": ["v"], "refused": null}'
)
BOXES = {
    "mbox": b"\n\nFrom a\nSubject: 1\n\nFrom here on\n\nFrom b\r\nSubject: 2\r\n\r\nFrom c\r\n\r\nbody",
    "one": b"Subject: x\n\nFrom a\n\nFrom b\n",
    "empty": b"",
    "only lines": b"\n\n",
}


def replies() -> Iterator[str]:
    for (about, line), (begins, original), (below, answer) in product(
        ABOUT.items(), BEGINS.items(), BELOW.items()
    ):
        for above in ("1\u00a0and\u200b 3\r\n\r\n", ""):
            said = said_in("\n".join(filter(None, (above, line, original))) + answer)
            yield f"{'answer, ' if above else ''}{about}, {begins}, {below}: {said!r}"
    for text in (
        "abcdefghij-12 klmnopqrst",
        "xabcdefghij",
        "ABCDEFGHIJ",
        "abcdefghij-1234",
        "abcdefghij\nabcdefghij-2",
    ):
        reply = Reply("", "", "", text, text)
        yield f"{text!r}: {reply.names('abcdefghij')} {reply.names('klmnopqrst')}"


def headers() -> Iterator[str]:
    for name in FROM:
        data = f"From: {name}\r\nTo: x\r\n\r\nb".encode("utf-8", "surrogateescape")
        yield f"{name!r}: {sender(data)!r} {decoded(name)!r}"
    yield from (f"{line}: {automatic(line.encode() + END)}" for line in AUTOMATIC)
    yield from (f"{text!r}: {like_orders([text])} {like_orders(['x', text])}" for text in ORDERS)
    for data in HEADS:
        opened = envelope(data)
        yield f"== {opened} {opened.everybody}"
        yield from (repr(mail_link(data, text, armour_only="armour")) for text in ("a\nb & c", "x" * 2000))
        for dress in DRESSES:
            yield f"{dress}: {dressed(data, date='today', **dress)!r}"


def reports() -> Iterator[str]:
    for status, kind, id in product(STATUSES, ("text/rfc822-headers", "message/rfc822"), ("a-1", "a_1")):
        found = returned(REPORT.format(status=status, kind=kind, id=id).encode(), "here")
        yield f"{kind} {id} {status.splitlines()[0]}: {found}"
    yield str(returned(REPORT.replace("delivery-status;", "feedback;").encode(), "here"))


def settings() -> Iterator[str]:
    for text in SETTINGS:
        try:
            made = load(text.encode(), "mail.yaml")
        except Refused as refused:
            yield full(refused.diagnostics, {"mail.yaml": text})
            continue
        yield f"{made.programs} {made.over(load(SETTINGS[0].encode(), 'x')).language!r} {made}"


def book(root: Path) -> Iterator[str]:
    ledger = Ledger(root / "mail" / "book.jsonl")
    for number, line in enumerate(BOOK):
        ledger.write(*line)
        sent = ledger.of(line[2])
        shown = {
            name: sorted(value) if isinstance(value, set) else value for name, value in vars(sent).items()
        }
        yield f"{line}: {json.dumps(shown)}"
        if number == 6:
            with ledger.path.open("ab") as file:
                file.write(BROKEN)
    again = Ledger(ledger.path)
    modes = [f"{path.stat().st_mode & 0o777:o}" for path in (ledger.path, ledger.path.parent)]
    yield f"{ledger.is_new} {again.is_new} {modes}"
    for digest in ("d1", "d2", "d3", "d9", "none"):
        yield f"{digest}: {sorted(again.of(digest).done)} {again.of(digest).refused} {again.of(digest).tries}"
    yield ledger.path.read_text()
    yield f"{handing_book.MOST_TRIES}"


def stores(root: Path) -> Iterator[str]:
    for folder in ("dir", "maildir/cur", "maildir/new", "maildir/tmp", "dir/inner"):
        (root / folder).mkdir(parents=True)
    for name in (
        "dir/b.eml",
        "dir/a.eml",
        "dir/.hidden",
        "dir/inner/c.eml",
        "maildir/new/1",
        "maildir/cur/2",
        "maildir/tmp/3",
    ):
        (root / name).write_bytes(name.encode())
    for name, data in BOXES.items():
        (root / name).write_bytes(data)
        for after in (0, data.find(b"From b")):
            found = boxes.messages(root / name, max(0, after))
            yield from (f"{name} after {after}: {one.name} {one.size} {one.data!r}" for one in found)
        yield from (f"{one.name} {one.size}" for one in boxes.messages_in(data, "here"))
        yield from (f"{at}: {boxes.ending(root / name, at)[:8]}" for at in (0, 5, len(data), len(data) + 1))
    for name in ("dir", "maildir", "one"):
        yield f"{name}: {[one.removeprefix(str(root)) for one in boxes.file_names(root / name)]}"
    yield f"{boxes.size(root / 'one')} {boxes.size(root / 'gone')}"


@pytest.mark.parametrize("kind", [replies, headers, reports, settings], ids=lambda kind: str(kind.__name__))
def test_each_case_of_a_mail_is_read_as_it_was(
    kind: Callable[[], Iterator[str]], golden: Callable[[str, str], None]
) -> None:
    golden(f"mail-{kind.__name__}.txt", "".join(f"{line}\n" for line in kind()))


@pytest.mark.parametrize("kind", [book, stores], ids=lambda kind: str(kind.__name__))
def test_each_file_of_mails_is_kept_as_it_was(
    kind: Callable[[Path], Iterator[str]], tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    golden(
        f"mail-{kind.__name__}.txt",
        "".join(f"{line}\n" for line in kind(tmp_path)).replace(str(tmp_path), ""),
    )
