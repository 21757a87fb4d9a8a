"""Damage by email programs and word processors: odd blanks, invisible characters, curly quotes, tabs.

Looked for only outside of quoted text, where such characters are never meant (protocol 6.4).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from pbem.text.chars import called
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.reading.events import Unreadable, events
from pbem.text.reading.source import Source

_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_INVISIBLE = "\u00ad\u200b-\u200d\u2060\ufeff"
_HYPHENS = "\u2010\u2011"
_QUOTES = "\u2018-\u201f"
_PROBABLY = "text.damage.probably"

#: In unquoted text: odd blanks, invisible characters and hyphens anywhere, a curly quote at the beginning.
SUSPECT = re.compile(f"[{_BLANKS}{_INVISIBLE}{_HYPHENS}]|^[{_QUOTES}]")
_SUSPECT_IN_LINE = re.compile(f"[{_BLANKS}{_INVISIBLE}{_HYPHENS}]|(?<=[ :,\\[{{-])[{_QUOTES}]|^[{_QUOTES}]")
_COMMENT = re.compile(r"(?:^|[ \t])#")
_SHOWN = 20


def suspicious(source: Source, at: int) -> Diagnostic:
    """Return the diagnostic for the character at this offset, which `SUSPECT` found."""
    char = source.text[at]
    code, advice = _advice(char)
    message = Message("text.damage.found-outside-quotes", called=called(char), probably=Message(_PROBABLY))
    return Diagnostic(code, message, span=source.span(at, at + 1), help=(advice,))


def _advice(char: str) -> tuple[str, Message]:
    if re.fullmatch(f"[{_BLANKS}]", char):
        return "odd-blank", Message("text.damage.write-ordinary-blank-instead")
    if re.fullmatch(f"[{_INVISIBLE}]", char):
        return "invisible-character", Message("text.damage.delete-character")
    if re.fullmatch(f"[{_HYPHENS}]", char):
        return "odd-hyphen", Message("text.damage.odd-hyphen")
    return "curly-quote", Message("text.damage.write-straight-quotes-instead")


def after_syntax_error(source: Source, depth: int, pure: bool) -> list[Diagnostic]:
    """Return traces of a mail program in a file that is no YAML, as possible causes."""
    if quoted := _quote_prefix(source):
        return [quoted]
    if source.text.isascii():
        return []
    inside = _quoted(source.text, depth, pure)
    causes = []
    for start, line in _lines(source.text):
        comment = _COMMENT.search(line)
        for suspect in _SUSPECT_IN_LINE.finditer(line, 0, comment.start() if comment else len(line)):
            at = start + suspect.start()
            if not _within(at, inside):
                causes.append(suspicious(source, at))
    return causes[:_SHOWN]


def _quote_prefix(source: Source) -> Diagnostic | None:
    lines = [(start, line) for start, line in _lines(source.text) if line.strip()]
    if not lines or not all(line.startswith(">") for _, line in lines):
        return None
    message = Message("text.damage.every-line-begins", probably=Message(_PROBABLY))
    help = (Message("text.damage.delete-blank-after-in"),)
    return Diagnostic("quote-prefix", message, span=source.span(lines[0][0], lines[0][0] + 1), help=help)


def stray_tabs(source: Source, depth: int, pure: bool) -> list[Diagnostic]:
    """Return tabs outside quoted text, text blocks and comments, where they look like blanks."""
    if "\t" not in source.text:
        return []
    inside = _quoted(source.text, depth, pure)
    tabs = []
    for start, line in _lines(source.text):
        if (column := _stray_tab(line, start, inside)) is None:
            continue
        indents = not line[:column].strip()
        what = Message("text.damage.in-indentation") if indents else Message("text.damage.between-words")
        message = Message("text.damage.found-tab-wanted-blanks", what=what)
        span = source.span(start + column, start + column + 1)
        tabs.append(Diagnostic("tab", message, span=span, help=(Message("text.damage.replace-blanks"),)))
    return tabs[:_SHOWN]


def _stray_tab(line: str, start: int, inside: list[tuple[int, int]]) -> int | None:
    comment = len(line)
    for mark in _COMMENT.finditer(line):
        if not _within(start + mark.end() - 1, inside):
            comment = mark.end() - 1
            break
    column = line.find("\t")
    while 0 <= column < comment:
        if not _within(start + column, inside):
            return column
        column = line.find("\t", column + 1)
    return None


def _quoted(text: str, depth: int, pure: bool) -> list[tuple[int, int]]:
    """Return the ranges of quoted and block texts, as far as the file can be read."""
    ranges = []
    left = depth + 2  # the stream and the document begin and end as well
    try:
        for event in events(text, pure):
            kind = type(event).__name__
            left += kind.endswith("EndEvent") - kind.endswith("StartEvent")
            if left < 0:
                break
            if kind == "ScalarEvent" and event.style:
                ranges.append((event.start_mark.index, event.end_mark.index))
    except Unreadable:
        pass
    return ranges


def _within(at: int, inside: list[tuple[int, int]]) -> bool:
    index = bisect_right(inside, at, key=lambda stretch: stretch[0]) - 1
    return index >= 0 and inside[index][0] <= at < inside[index][1]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line.rstrip("\r")
        start += len(line) + 1
