"""Order files changed by Notepad or a word processor: safe repairs, each reported.

A document without plain text is named.

Only a file with faults is treated so. Damage by email programs, where something would
have to be guessed, is offered by `pbem orders check --fix` (protocol 6.4).
"""

from __future__ import annotations

import codecs
import re

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.yaml import read

_DOCUMENTS = {
    b"PK\x03\x04": "cli.survival.document-or-archive",
    b"{\\rtf": "cli.survival.document-rtf",
    b"\xd0\xcf\x11\xe0": "cli.survival.document-doc",
    b"%PDF": "cli.survival.pdf",
    b"<!doctype html": "cli.survival.web-page",
    b"<html": "cli.survival.web-page",
}
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_LETTERS = (
    (re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]"), "", "cli.survival.invisible-characters-go"),
    (
        re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"),
        " ",
        "cli.survival.odd-blanks-become-ordinary",
    ),
    (re.compile("[\u201c-\u201f\u00ab\u00bb]"), '"', "cli.survival.curly-quotes-become-straight"),
    (re.compile("[\u2018-\u201b]"), "'", "cli.survival.curly-quotes-become-straight"),
    (re.compile("[\u2010-\u2015\u2212]"), "-", "cli.survival.dashes-become-plain"),
    (re.compile("[\u2028\u2029\u0085]"), "\n", "cli.survival.odd-ends-of-lines-become-ordinary"),
)
_TABS = (2, 4, 8)
_LOOKED_AT = 200  # bytes to examine in a file without a byte order mark


@dataclass(frozen=True)
class Saved:
    """A text as it was meant, and its repairs, in words."""

    text: str
    said: tuple[str, ...]


def foreign(source: bytes, name: str) -> Diagnostic | None:
    """Return the fault of a file that is no plain text, or None."""
    start = source.lstrip()[:20].lower()
    document = next((id for mark, id in _DOCUMENTS.items() if start.startswith(mark.lower())), None)
    if document is None:
        return None
    help_ = (
        Message("cli.survival.save-it-as-plain-text"),
        Message("cli.survival.next-opens-a-plain-editor"),
    )
    return Diagnostic(
        "no-plain-text", Message("cli.survival.no-plain-text", name=name, what=Message(document)), help=help_
    )


def saved(source: bytes, name: str) -> Saved | None:
    """Return the text with the changes of editors undone; None if there was nothing, or it is unreadable."""
    changes: list[str] = []
    text = _decoded(source, changes)
    if text is None:
        return None
    if "\r" in text.replace("\r\n", ""):
        changes.append(Message("cli.survival.odd-ends-of-lines-become-ordinary"))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [_line(line, changes) for line in text.splitlines(keepends=True)]
    text = _untabbed("".join(lines), name, changes)
    return Saved(text, tuple(dict.fromkeys(changes))) if changes else None


def _decoded(source: bytes, changes: list[str]) -> str | None:
    for mark, encoding in _MARKS.items():
        if source.startswith(mark):
            utf_8 = mark == codecs.BOM_UTF8
            changes.append(
                Message("cli.survival.mark-at-the-beginning-goes" if utf_8 else "cli.survival.read-as-utf-16")
            )
            return _or_none(source, encoding)
    start = source[:_LOOKED_AT]
    for half, encoding in ((start[1::2], "utf-16-le"), (start[::2], "utf-16-be")):
        if half and half.count(0) * 2 > len(half):  # no mark, but every other byte is zero: UTF-16
            changes.append(Message("cli.survival.read-as-utf-16"))
            return _or_none(source, encoding)
    text = _or_none(source, "utf-8")
    if text is None:
        changes.append(Message("cli.survival.read-windows-1252"))
        text = _or_none(source, "cp1252")
    return text


def _or_none(source: bytes, encoding: str) -> str | None:
    try:
        return source.decode(encoding)
    except UnicodeDecodeError:
        return None


def _line(line: str, changes: list[str]) -> str:
    """Return one repaired line, its comment unchanged."""
    hash = re.search(r"(?:^|\s)#", line)
    part, comment = (line[: hash.start()], line[hash.start() :]) if hash else (line, "")
    for pattern, by, id in _LETTERS:
        part, count = pattern.subn(by, part)
        if count:
            changes.append(Message(id))
    return part + comment


def _untabbed(text: str, name: str, changes: list[str]) -> str:
    """Return tabs as blanks: at the beginning of a line as many as make the file readable."""
    if "\t" not in text:
        return text
    for width in _TABS:
        tried = "".join(_blanks(line, width) for line in text.splitlines(keepends=True))
        if not read(tried, name).faults:
            changes.append(Message("cli.survival.tabs-become-blanks"))
            return tried
    return text


def _blanks(line: str, width: int) -> str:
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].replace("\t", " " * width) + body.replace("\t", " ")
