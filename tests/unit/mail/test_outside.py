"""Other projects' mails as carriers and as noise; skipped where ../shared/data/mails is not present."""

from __future__ import annotations

import base64
import email
import html
import quopri
from email import policy
from email.generator import BytesGenerator
from email.message import Message
from io import BytesIO
from pathlib import Path

from pbem.mail.read import read
from pbem.trust.armour import Signed

from .damage import mail


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.name not in ("README.md", "LICENSE"))


def _mails(folder: Path) -> list[Path]:
    return [path for path in _files(folder) if path.suffix == ".eml" or "emails" in path.parts]


def test_outside_mails_hold_nothing_of_ours(outside: Path) -> None:
    files = _files(outside)
    assert len(files) > 300
    for path in files:
        assert read(path.read_bytes(), path.name).signed == (), path


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


def _with_block(text: str, block: str, markup: bool) -> str:
    """The block in the middle of somebody's text, quoted as the line it takes the place of."""
    lines = text.split("\n")
    middle = next((n for n, line in enumerate(lines) if line.startswith(">")), len(lines) // 2)
    prefix = lines[middle][: len(lines[middle]) - len(lines[middle].lstrip("> "))] if not markup else ""
    body = (
        "<pre>" + html.escape(block) + "</pre>"
        if markup
        else "".join(prefix + x + "\n" for x in block.split("\n"))
    )
    if markup and "</body>" in text:
        return text.replace("</body>", body + "</body>", 1)
    return "\n".join([*lines[:middle], body, *lines[middle:]])


def _carrying(message: Message, block: str) -> bytes | None:
    """The message with the block in its first text part, encoded as that part was; None without one."""
    for part in message.walk():
        if part.is_multipart() or part.get_content_maintype() != "text":
            continue
        encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes):
            return None
        markup = part.get_content_subtype() == "html"
        text = _with_block(data.decode("latin-1"), block, markup).encode("latin-1")
        if encoding == "base64":
            text = base64.encodebytes(text)
        elif encoding == "quoted-printable":
            text = quopri.encodestring(text)
        part.set_payload(text.decode("ascii", "surrogateescape"))
        out = BytesIO()
        BytesGenerator(out, mangle_from_=True, maxheaderlen=0, policy=policy.compat32).flatten(message)
        return out.getvalue()
    return None


def test_outside_mails_carry_a_statement(outside: Path, letter: str, order: Signed) -> None:
    """In whole mails: same parts, same transfer encoding, same charset as the client wrote."""
    block = letter[letter.index("-----BEGIN PBEM") :]
    carried = 0
    for path in _mails(outside):
        try:
            data = _carrying(email.message_from_bytes(path.read_bytes()), block)
        except (LookupError, ValueError, KeyError, TypeError, AttributeError):
            continue  # the library cannot write what it read; the noise test still reads it
        if data is not None:
            assert read(data, path.name).signed == (order,), path
            carried += 1
    assert carried > 80


def test_outside_bodies_carry_a_statement(outside: Path, letter: str, order: Signed) -> None:
    """In bare bodies of replies and forwards, sent in several charsets and encodings."""
    block = letter[letter.index("-----BEGIN PBEM") :]
    ways = {
        ("utf-8", "8bit"): lambda data: data,
        ("utf-8", "base64"): base64.encodebytes,
        ("iso-8859-1", "quoted-printable"): quopri.encodestring,
        ("utf-16", "base64"): base64.encodebytes,
    }
    bodies = [p for p in _files(outside) if p.suffix == ".txt" and not p.name.endswith("_subject.txt")]
    assert len(bodies) > 150
    for number, path in enumerate(bodies):
        text = _with_block(path.read_text("utf-8", errors="replace"), block, False)
        (charset, encoding), encode = list(ways.items())[number % len(ways)]
        data = mail(encode(text.encode(charset, "replace")), f"text/plain; charset={charset}", encoding)
        assert read(data, path.name).signed == (order,), path
