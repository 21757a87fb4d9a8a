"""A text in another language, by texts and patterns with fields: `{a} plays {b}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pbem.text.sentences import FIELD

_LETTERS = re.compile(r"[a-z]{2}")
LONGEST = 400  # characters; a longer text is no phrase of any rules


def translated(text: str, values: Mapping[str, str]) -> str:
    """A text in the language of `values`: the whole of it, else by the first pattern that fits, else as a
    list of which each part is known, else word by word. A sentence with unknown words stays as it is:
    half a translation helps nobody.
    """
    if text in values or not values or len(text) > LONGEST:
        return values.get(text, text)
    for key, to in values.items():
        found = _pattern(key).fullmatch(text) if "{" in key and _may_fit(key, text) else None
        if found:
            parts = {name: translated(part, values) for name, part in found.groupdict().items()}
            return FIELD.sub(lambda field, parts=parts: parts.get(field[1], field[0]), to)  # type: ignore[misc]
    listed = text.split(", ")
    if len(listed) > 1:
        told = [translated(part, values) for part in listed]
        pairs = zip(told, listed, strict=True)
        if all(new != old or old in values or not _LETTERS.search(old) for new, old in pairs):
            return ", ".join(told)
    words = text.split(" ")
    if any(word not in values and _is_word(word) for word in words):
        return text
    return " ".join(values.get(word, word) for word in words)


def fits(key: str, text: str) -> bool:
    """Is this text one that a key stands for: it itself, or by its fields?"""
    return key == text or ("{" in key and _may_fit(key, text) and _pattern(key).fullmatch(text) is not None)


def _may_fit(key: str, text: str) -> bool:
    """Is everything in the text that the pattern has beside its fields? Much faster than a match."""
    return all(part in text for part in _solid(key))


@cache
def _solid(key: str) -> tuple[str, ...]:
    """What a pattern has beside its fields, the longest part first."""
    return tuple(sorted((part for part in FIELD.split(key)[::2] if part), key=len, reverse=True))


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """What a text with fields matches."""
    parts = FIELD.split(key)
    return re.compile("".join(f"(?P<{p}>.+?)" if n % 2 else re.escape(p) for n, p in enumerate(parts)))


def _is_word(word: str) -> bool:
    """A word of a sentence, no name, code or letter."""
    return len(word) > 1 and word.isalpha() and word.islower()
