"""Plain text that is safe to print: widths, wrapping, tables, and values of events in words.

Nothing here raises on hostile text: control and direction-changing characters become visible (text/chars).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pbem.text.chars import JOINERS, cell, clipped, visible

WIDTH = 72
"""Columns of a report as text: a quoted reply adds some and still fits."""
LONGEST_NAME = 40


def safe(text: object, length: int = 0) -> str:
    """Return any text on one line, fit to print; cut to `length` characters if given."""
    shown = visible(text if isinstance(text, str) else str(text))
    return clipped(shown, length) if length else shown


def width(text: str) -> int:
    """Return how many columns a terminal needs for it."""
    return len(text) if text.isascii() else _wide(text)


@lru_cache(maxsize=8192)
def _wide(text: str) -> int:
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    """Return the columns of one character of a safe text, whose joiners are needed."""
    return 0 if char in JOINERS else cell(char)[1]


def padded(text: str, columns: int) -> str:
    """Return the text with blanks up to a number of columns."""
    return text + " " * max(0, columns - width(text))


def cut(text: str, columns: int) -> str:
    """Return as much of the text as fits into a number of columns."""
    if width(text) <= columns:
        return text
    kept, used = "", 0
    for char in text:
        used += _columns(char)
        if used > columns:
            break
        kept += char
    return kept


def wrapped(text: str, first: str = "", rest: str | None = None, columns: int = WIDTH) -> list[str]:
    """Return lines of at most `columns`: `first` is before the first, `rest` before the others.

    `rest` is blanks as wide as `first` unless given; neither takes more than half a line. A word longer
    than a line is broken. `columns` is at least 4.
    """
    words = text.split()
    line = first + " ".join(words)
    if len(first) <= columns // 2 and len(line) <= columns and line.isascii():
        return [line.rstrip()]
    first = cut(first, columns // 2)
    rest = " " * width(first) if rest is None else cut(rest, columns // 2)
    lines: list[str] = []
    line, empty, filled = first, True, width(first)
    for word in words:
        wide = width(word)
        if not empty and wide > columns - filled - 1:
            lines.append(line)
            line, empty, filled = rest, True, width(rest)
        while empty and wide > columns - filled:
            head = cut(word, columns - filled)
            lines.append(line + head)
            line, word, filled = rest, word[len(head) :], width(rest)
            wide = width(word)
        line += word if empty else f" {word}"
        filled += wide if empty else wide + 1
        empty = False
    return [*lines, line.rstrip()]


def heading(text: str) -> list[str]:
    """Return a section heading with a rule below it."""
    return ["", text, "-" * width(text)]


def columns(left: str, right: str) -> str:
    """Return one line with texts at both ends; the left one is cut if needed."""
    room = WIDTH - width(right) - 1
    return f"{padded(cut(left, room), room)} {right}".rstrip()


def is_roll(value: object) -> bool:
    """Return True if this is the JSON of a roll or a shuffle."""
    return isinstance(value, Mapping) and "label" in value and "result" in value


def label_text(label: Iterable[object]) -> str:
    """Return a label of the dice as one word: `battle/2/red/0606/1`."""
    return safe("/".join(str(word) for word in label))


def in_words(value: Any) -> str:
    """Return a value of an event for a reader; a missing one is a dash."""
    if value is None or value in ((), [], {}, ""):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_roll(value):
        return " ".join(safe(item) for item in value["result"])
    if isinstance(value, Mapping):
        return ", ".join(f"{safe(key)} {_member(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(in_words(item) for item in value)
    return safe(_HALVES.sub(_half, value) if isinstance(value, str) else value)


_HALVES = re.compile(r"\b(\d*[3579]|\d+1)/2\b(?!/)")


def _half(match: re.Match[str]) -> str:
    """Return `7/2` as people write it: `3½`.

    One half alone may be the name of a result, and stays.
    """
    return f"{int(match[1]) // 2}½"


def _member(value: Any) -> str:
    """Return the value under a key of a mapping; a mapping, a list or dice get brackets.

    Inside brackets, lists need none, and what is empty is left out.
    """
    if isinstance(value, Mapping) and not is_roll(value):
        kept = {key: item for key, item in value.items() if item not in (None, "", [], (), {})}
        flat = all(isinstance(item, list | tuple) for item in kept.values())
        if flat and kept:
            return f"({'; '.join(f'{safe(key)} {in_words(item)}' for key, item in kept.items())})"
    several = isinstance(value, Mapping) or (isinstance(value, list | tuple) and len(value) > 1)
    return f"({in_words(value)})" if several and value else in_words(value)


def fixed(value: Fraction, places: int = 1) -> str:
    """Return a fraction with fixed decimal places, half away from zero, made without floats."""
    scale = 10**places
    scaled = abs(value) * scale
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if value < 0 and rounded else ""
    return f"{sign}{rounded // scale}.{rounded % scale:0{places}}" if places else f"{sign}{rounded}"


def capital(text: str) -> str:
    """Return the text with a capital letter first."""
    return text[:1].upper() + text[1:]
