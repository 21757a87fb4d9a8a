"""Texts inside events in another language, and what is wrong with a translation of a system's wording."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pbem.report.language import FIELD, used
from pbem.text.diagnostics import Diagnostic

LONGEST = 400  # characters; a longer text is no phrase of any rules
# sections that are not language
SIGNS = ("hexsides", "links", "map", "luck", "standing", "answers")
Sections = Mapping[str, Mapping[str, str]]


def translated(text: str, values: Mapping[str, str]) -> str:
    """A text in the language of `values`: the whole of it, else by the first pattern that fits, else word by
    word. A sentence with words that are not there stays as it is: half a translation helps nobody.
    """
    if text in values or not values or len(text) > LONGEST:
        return values.get(text, text)
    for key, to in values.items():
        found = _pattern(key).fullmatch(text) if "{" in key else None
        if found:
            parts = {name: translated(part, values) for name, part in found.groupdict().items()}
            return FIELD.sub(lambda field, parts=parts: parts.get(field[1], field[0]), to)  # type: ignore[misc]
    words = text.split(" ")
    if any(word not in values and _is_word(word) for word in words):
        return text
    return " ".join(values.get(word, word) for word in words)


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """What a text with fields matches."""
    parts = FIELD.split(key)
    return re.compile("".join(f"(?P<{p}>.+?)" if n % 2 else re.escape(p) for n, p in enumerate(parts)))


def _is_word(word: str) -> bool:
    """A word of a sentence, no name, code or letter."""
    return len(word) > 1 and word.isalpha() and word.islower()


def translation_faults(english: Sections, other: Sections) -> list[Diagnostic]:
    """Sentences without a translation, translations of nothing, fields that only one of the two has."""
    found: list[Diagnostic] = []
    for section, texts in english.items():
        if section not in SIGNS:
            for key, text in texts.items():
                found += _differences(section, key, text, other.get(section, {}).get(key))
    for section, texts in other.items():
        for key, text in texts.items():
            if section == "values":
                found += _differences(section, key, key, text)
            elif key not in english.get(section, {}):
                message = f"{section}.{key} translates nothing"
                found.append(Diagnostic("unknown-name", message, path=(section, key)))
    return found


def _differences(section: str, key: str, text: str, to: str | None) -> list[Diagnostic]:
    path = (section, key)
    if to is None:
        return [Diagnostic("no-sentence", f"{section}.{key} is not translated", path=path)]
    wanted, there = set(used(text)), set(used(to))
    if wanted == there:
        return []
    message = f"{section}.{key}: found the fields {_named(there)}, wanted {_named(wanted)}"
    return [Diagnostic("bad-sentence", message, path=path)]


def _named(fields: set[str]) -> str:
    return ", ".join(sorted(fields)) or "none"
