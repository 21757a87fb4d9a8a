"""A text in another language, by texts and patterns with fields: `{a} plays {b}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pbem.text.sentences import FIELD

LONGEST = 400  # characters; a longer text is no phrase of any rules


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
