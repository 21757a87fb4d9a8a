"""The meaning of an order file in words, line by line, for terminals and pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pbem.cli.shell.language import spoken
from pbem.text.messages import Message, Value

_NOTE = r"sealed|committed|the only legal answer|in the open.*|sent ahead.*"
_LINE = re.compile(
    rf"(?P<key>\S+)(?: \((?P<before>[^()]*)\))?(?::|: (?P<said>.*?)(?: \((?P<after>{_NOTE})\))?)"
)


class _Meaning(NamedTuple):
    """An answer in parts: the key of its question, its words if they are on this line, and its note."""

    key: str
    said: str = ""
    note: str = ""


def line_in_words(line: str, questions: Mapping[str, str] | None = None) -> str:
    """Return a line of the meaning in the reader's language: `KEY: words (sealed)`, or an element.

    The key stays as it is, unless `questions` has other words for it; "" leaves it out.
    """
    meaning = _meaning(line)
    if meaning is None:
        return spoken(line)
    said, note = (spoken(text) if text else "" for text in (meaning.said, meaning.note))
    noted = f" ({note})" if note else ""
    asked = questions.get(meaning.key) if questions and said else None
    if asked is not None:
        return f"{asked} {said}{noted}".strip()
    return f"{meaning.key}: {said}{noted}" if said else f"{meaning.key}{noted}:"


def _meaning(line: str) -> _Meaning | None:
    """Return the parts of a line, or None for an element or another sentence."""
    if isinstance(line, Message):
        if not {"name", "note"} <= line.fields.keys() <= {"name", "said", "note"}:
            return None
        return _Meaning(*(_text(line.fields.get(part)) for part in ("name", "said", "note")))
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    return _Meaning(match["key"], match["said"] or "", match["before"] or match["after"] or "")


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else ""
