"""The envelope of a ready `.eml`: sender, recipients, and the final headers before it leaves.

Headers are changed as bytes; the body, which carries what was signed, is never written anew.
"""

from __future__ import annotations

import email
import re
from collections.abc import Sequence
from email import policy
from email.header import Header
from email.utils import getaddresses
from urllib.parse import quote

from pbem.text.dataclass import dataclass

_FIELD = re.compile(rb"([!-9;-~]+):[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n")
_END = re.compile(rb"\r?\n\r?\n")
UNSENT = "X-Unsent"
"""Tells Outlook to open a file as a draft; goes before an email leaves."""
MAX_LINK = 2000
"""Characters of a `mailto:` link that every system passes on whole."""


@dataclass(frozen=True)
class Envelope:
    """The addresses of an email.

    `automatic`: a program wrote it, and no program should answer.
    """

    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    subject: str
    message_id: str = ""

    @property
    def everybody(self) -> tuple[str, ...]:
        """Return all recipients, each once."""
        return tuple(dict.fromkeys((*self.to, *self.cc)))


def envelope(data: bytes) -> Envelope:
    """Return the addresses in an email that we wrote."""
    message = email.message_from_bytes(_head(data), policy=policy.default)

    def addresses(name: str) -> tuple[str, ...]:
        pairs = getaddresses([str(value) for value in message.get_all(name, [])])
        return tuple(address for _, address in pairs if "@" in address)

    return Envelope(
        next(iter(addresses("From")), ""),
        addresses("To"),
        addresses("Cc"),
        str(message["Subject"] or ""),
        str(message["Message-ID"] or "").strip(),
    )


def dressed(
    data: bytes,
    *,
    date: str,
    sender: str = "",
    to: Sequence[str] = (),
    cc_all: bool = True,
    automatic: bool = False,
    one_subject: bool = False,
) -> bytes:
    """Return the email as it leaves: with a date, and no draft any more.

    It may get another sender, other recipients, or no Cc. `automatic`: nobody has looked at it, so no program
    should answer it (RFC 3834). `one_subject`: its subject is that of its game only.
    """
    drop = {b"date", UNSENT.lower().encode()}
    new = [f"Date: {date}\r\n"]
    if automatic:
        drop.add(b"auto-submitted")
        new.append("Auto-Submitted: auto-generated\r\n")
    if sender:
        drop.add(b"from")
        new.append(f"From: {sender}\r\n")
    if to:
        drop |= {b"to", b"cc"}
        new.append(f"To: {', '.join(to)}\r\n")
    elif not cc_all:
        drop.add(b"cc")
    if one_subject:
        drop.add(b"subject")
        new.append(f"Subject: {subject_of_game(data)}\r\n")
    head = _head(data)
    kept = [m[0] for m in _FIELD.finditer(head) if m[1].lower() not in drop]
    return "".join(new).encode("ascii") + b"".join(kept) + b"\r\n" + data[len(head) :].lstrip(b"\r\n")


def subject_of_game(data: bytes) -> str:
    """Return the common subject of a game's letters for the header: `The Sarn Strait [pbem 94901e55]`.

    A letter before the game has its own.

    Programs that go by subjects (Gmail) show these letters as one thread.
    """
    head = email.message_from_bytes(_head(data), policy=policy.default)
    text = " ".join(str(head["Thread-Topic"] or head["Subject"] or "").split())
    return Header(text, "utf-8" if not text.isascii() else None).encode(linesep="\r\n")


def _head(data: bytes) -> bytes:
    """Return the headers with the end of their last line."""
    end = _END.search(data)
    return data if end is None else data[: end.end()].rstrip(b"\r\n") + b"\r\n"


def mail_link(data: bytes, text: str, *, armour_only: str) -> str:
    """Return a `mailto:` link that writes the email; with the armour alone if the whole is too long.

    "" if not even that fits, or if nobody is written to.
    """
    opened = envelope(data)
    to = opened.to or opened.cc
    if not to:
        return ""
    fields = {
        "cc": ",".join(address for address in opened.cc if address not in to),
        "subject": opened.subject,
    }
    start = "mailto:" + ",".join(quote(address, safe="@") for address in to) + "?"
    start += "".join(f"{key}={quote(value, safe='@,')}&" for key, value in fields.items() if value)
    for body in (text, armour_only):
        link = f"{start}body={quote(body.replace(chr(10), chr(13) + chr(10)), safe='')}"
        if len(link) <= MAX_LINK:
            return link
    return ""
