"""Other projects' mails as carriers and as noise; skipped where ../shared/data/mails is not present."""

from __future__ import annotations

import base64
import email
import html
import quopri
import re
from email import policy
from email.generator import BytesGenerator
from email.message import Message
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest

from pbem.mail.read import read
from pbem.trust.armour import Signed

from .damage import mail


@cache
def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.name not in ("README.md", "LICENSE"))


@cache
def _mails(folder: Path) -> list[Path]:
    return [path for path in _files(folder) if path.suffix == ".eml" or "emails" in path.parts]


def test_outside_mails_hold_nothing_of_ours(outside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files, orders = _files(outside), 0
    assert len(files) > 300
    for path in files:
        reading = read(path.read_bytes(), path.name)
        assert reading.signed == (), path
        assert not [note for note in reading.notes if note.kind in ("damaged", "unreadable")], path
        orders += len(reading.plain)
    with capsys.disabled():
        print(f"\n{len(files)} outside files held nothing of ours; {orders} were taken for orders", end=" ")
    assert orders == 0


def test_all_of_them_in_one_mbox_hold_nothing_but_what_was_put_between(
    outside: Path, letter: str, order: Signed
) -> None:
    box = b""
    for path in _mails(outside):
        box += b"From x Fri Nov 20 12:00:00 2026\n" + path.read_bytes().replace(b"\r\n", b"\n") + b"\n\n"
    box += b"From x Fri Nov 20 12:00:00 2026\n" + mail(letter.encode()).replace(b"\r\n", b"\n")
    reading = read(box)
    assert reading.signed == (order,)
    assert reading.messages > 100


WAYS_IN_HTML = ("<pre>{}</pre>", "<div>{}</div>", "{}<br>", "<p class=MsoNormal>{}</p>")


def _with_block(text: str, block: str, markup: bool, place: int = 1) -> str:
    """The block above (0), within (1) or below (2) a text, quoted as the line it takes the place of."""
    lines = text.split("\n")
    if markup:
        return _in_html(text, block, place)
    quoted = next((n for n, line in enumerate(lines) if line.startswith(">")), len(lines) // 2)
    at = (0, quoted, len(lines))[place]
    line = lines[at] if at < len(lines) else ""
    prefix = line[: len(line) - len(line.lstrip("> "))]
    body = "".join(prefix + x + "\n" for x in block.split("\n"))
    return "\n".join([*lines[:at], body, *lines[at:]])


def _in_html(text: str, block: str, place: int) -> str:
    """Where a client would have put it: after <body>, before a quote, or before </body>."""
    way = WAYS_IN_HTML[(len(text) + place) % len(WAYS_IN_HTML)]
    lines = [html.escape(block)] if "pre" in way else [html.escape(line) for line in block.split("\n")]
    body = "\n".join(way.format(line) for line in lines)
    found = (
        re.search(r"<body[^>]*>", text, re.IGNORECASE),
        re.search(r"<blockquote|<div[^>]*quote", text, re.IGNORECASE),
        re.search(r"</body>", text, re.IGNORECASE),
    )[place]
    at = len(text) if found is None else found.end() if place == 0 else found.start()
    return text[:at] + body + text[at:]


def _carrying(message: Message, block: str, number: int, place: int) -> bytes | None:
    """The message with the block in that of its leaf parts, encoded as that part was; None if it has not so
    many.

    Text parts come first; a message of pictures carries it as one of them would be carried.
    """
    leaves = [part for part in message.walk() if not part.is_multipart()]
    leaves.sort(key=lambda part: part.get_content_maintype() != "text")
    if number >= len(leaves):
        return None
    part = leaves[number]
    if part.get_content_maintype() == "multipart":  # it says so and has no parts
        part.set_payload(f"{part.get_payload()}\n{block}\n")
        return _written(message)
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    is_text = part.get_content_maintype() == "text"
    markup = part.get_content_subtype() == "html"
    old = data.decode("latin-1") if is_text else ""
    text = _with_block(old, block, markup, place).encode("latin-1")
    if encoding == "base64":
        text = base64.encodebytes(text)
    elif encoding == "quoted-printable":
        text = quopri.encodestring(text)
    part.set_payload(text.decode("ascii", "surrogateescape"))
    return _written(message)


def _written(message: Message) -> bytes:
    out = BytesIO()
    BytesGenerator(out, mangle_from_=True, maxheaderlen=0, policy=policy.compat32).flatten(message)
    return out.getvalue()


def test_every_outside_mail_carries_a_statement(
    outside: Path, letter: str, order: Signed, capsys: pytest.CaptureFixture[str]
) -> None:
    """In whole mails: in each of the first leaf parts, above, within or below; same parts, same transfer
    encoding, same charset as the client wrote.
    """
    block = letter[letter.index("-----BEGIN PBEM") :]
    carried, mails = 0, set()
    for path in _mails(outside):
        for number in range(3):
            data = _carrying(email.message_from_bytes(path.read_bytes()), block, number, number % 3)
            if data is None:
                continue
            assert read(data, path.name).signed == (order,), (path, number)
            carried += 1
            mails.add(path)
    with capsys.disabled():
        print(
            f"\n{len(mails)} of {len(_mails(outside))} outside mails carried a statement in {carried} parts",
            end=" ",
        )
    assert len(mails) == len(_mails(outside)) > 100


def test_every_outside_body_carries_a_statement(
    outside: Path, letter: str, order: Signed, capsys: pytest.CaptureFixture[str]
) -> None:
    """In bare bodies of replies and forwards, plain and HTML, sent in several charsets and encodings."""
    block = letter[letter.index("-----BEGIN PBEM") :]
    ways = [
        ("utf-8", "8bit", lambda data: data),
        ("utf-8", "base64", base64.encodebytes),
        ("iso-8859-1", "quoted-printable", quopri.encodestring),
        ("utf-16", "base64", base64.encodebytes),
        ("windows-1251", "8bit", lambda data: data),
        ("iso-2022-jp", "7bit", lambda data: data),
    ]
    bodies = [path for path in _files(outside) if path not in _mails(outside) and "_subject" not in path.name]
    for number, path in enumerate(bodies):
        markup = path.suffix == ".html"
        for place in range(3):
            charset, encoding, encode = ways[(number + place) % len(ways)]
            text = _with_block(path.read_text("utf-8", errors="replace"), block, markup, place)
            kind = f"text/{'html' if markup else 'plain'}; charset={charset}"
            data = mail(encode(text.encode(charset, "replace")), kind, encoding)
            assert read(data, path.name).signed == (order,), (path, charset, encoding, place)
    with capsys.disabled():
        print(f"\n{len(bodies)} outside bodies carried a statement in {3 * len(bodies)} mails", end=" ")
    assert len(bodies) > 200
