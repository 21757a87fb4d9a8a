"""Repairs of a player's own file that went through a mail program (protocol 6.4).

Some damage can only be reported.

Repairs are offered, never made in silence. What would have to be guessed, tabs and lost indentation, is left
to the author.
"""

from __future__ import annotations

import re

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Span
from pbem.text.messages import Message
from pbem.text.yaml import read
from pbem.trust.repairs import unflow

_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_DOUBLE, _SINGLE = re.compile("[\u201c-\u201f]"), re.compile("[\u2018-\u201b]")
_HYPHENS = re.compile("[\u2010\u2011]")
_QUOTE = re.compile(r"[ \t]{0,3}>[ ]?")
_DEEP = 20  # levels of quoting to remove
_MANY = 3  # lines needed before a loss is reported


@dataclass(frozen=True)
class Repair:
    """One kind of damage: its repair, its first place (counted from 1), and how often it occurs."""

    code: str
    words: str
    line: int
    column: int
    count: int


@dataclass(frozen=True)
class Mended:
    """A text with all repairs made, and their list; the same text if there is nothing to mend."""

    text: str
    repairs: tuple[Repair, ...]


def mend(source: bytes | str, name: str) -> Mended:
    """Return the text after every repair of protocol 6.4 that it needs.

    A text that is no UTF-8 is left as it is.
    """
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
    except UnicodeDecodeError:
        return Mended("", ())
    repairs: list[Repair] = []
    before = text
    text = _quotes(_line_ends(text, repairs), repairs)
    text = _characters(text, before, repairs)
    text = _empty_lines(_flowed(text, name, repairs), repairs)
    return Mended(text, tuple(repairs))


def lost_indentation(text: str, name: str) -> Diagnostic | None:
    """Return the fault of a file that lost its indentation, or None.

    Nobody can tell which lines had it.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) < _MANY or any(line[0] in " \t" for line in lines):
        return None
    opened = next((n for n, line in enumerate(lines[:-1]) if re.fullmatch(r"[\w-]+:\s*(#.*)?", line)), None)
    if opened is None or lines[opened + 1].startswith("- "):
        return None
    number = text.splitlines().index(lines[opened + 1]) + 1
    message = Message("mail.mend.lost-indentation", key=lines[opened].split(":")[0])
    help_ = (Message("mail.mend.put-two-blanks-before-each-line"),)
    span = Span(name, number, 1, number, 2)
    return Diagnostic("lost-indentation", message, span=span, help=help_)


def _line_ends(text: str, repairs: list[Repair]) -> str:
    first = text.find("\r\r\n")
    if first < 0:
        return text
    line, column = _place(text, first)
    repairs.append(Repair("line-ends", Message("mail.mend.line-ends"), line, column, text.count("\r\r\n")))
    return text.replace("\r\r\n", "\n")


def _place(text: str, at: int) -> tuple[int, int]:
    """Return line and column, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _quotes(text: str, repairs: list[Repair]) -> str:
    """Remove the quote mark before every line, as often as it is there."""
    depth = 0
    while depth < _DEEP:
        lines = text.split("\n")
        full = [line for line in lines if line.strip()]
        if not full or not all(_QUOTE.match(line) for line in full):
            break
        text = "\n".join(_QUOTE.sub("", line, count=1) for line in lines)
        depth += 1
    if depth:
        words = Message("mail.mend.quote-prefix")
        repairs.append(Repair("quote-prefix", words, 1, 1, depth * len(text.splitlines())))
    return text


def _characters(text: str, before: str, repairs: list[Repair]) -> str:
    for code, pattern, instead, words in (
        ("invisible-character", _INVISIBLE, "", Message("mail.mend.invisible-characters-go")),
        ("odd-blank", _BLANKS, " ", Message("mail.mend.odd-blanks-become-ordinary-ones")),
        ("curly-quote", _DOUBLE, '"', Message("mail.mend.curly-quotes-become-straight-ones")),
        ("curly-quote", _SINGLE, "'", Message("mail.mend.curly-quotes-become-straight-ones")),
        ("odd-hyphen", _HYPHENS, "-", Message("mail.mend.typographic-hyphens-become")),
    ):
        first = pattern.search(before)
        if first is not None:
            line, column = _place(before, first.start())
            text, count = pattern.subn(instead, text)
            repairs.append(Repair(code, words, line, column, count))
    return text


def _flowed(text: str, name: str, repairs: list[Repair]) -> str:
    """Join lines that `format=flowed` has broken or indented, if that makes the file readable."""
    if not _faults(text, name):
        return text
    for delsp in (False, True):
        joined = unflow(text, delsp=delsp)
        if joined != text and not _faults(joined, name):
            old, new = text.split("\n"), joined.split("\n")
            line = next((n for n, (a, b) in enumerate(zip(old, new, strict=False), 1) if a != b), len(new))
            words = Message("mail.mend.lines-that-mail-program-has-broken-are-joined")
            repairs.append(Repair("flowed", words, line, 1, max(1, len(old) - len(new))))
            return joined
    return text


def _empty_lines(text: str, repairs: list[Repair]) -> str:
    """Remove the empty line after every line, or several in a row."""
    lines = text.split("\n")
    body = lines[:-1] if lines[-1] == "" else lines
    between = body[1::2]
    if (
        len(body) > _MANY
        and not any(line.strip() for line in between)
        and all(line.strip() for line in body[::2])
    ):
        kept = body[::2]
    else:
        kept = [line for n, line in enumerate(body) if line.strip() or n == 0 or body[n - 1].strip()]
    if len(kept) == len(body):
        return text
    first = next(n for n, line in enumerate(body, 1) if not line.strip() and (n > 1))
    words = Message("mail.mend.empty-lines")
    repairs.append(Repair("empty-lines", words, first, 1, len(body) - len(kept)))
    return "\n".join(kept) + ("\n" if lines[-1] == "" else "")


def _faults(text: str, name: str) -> bool:
    """Return True if the text is not the restricted YAML that it should be."""
    from pbem.text.diagnostics import Refused

    try:
        return bool(read(text, name).faults)
    except Refused:
        return True
