"""Codes of results in words: `Ae4 DL1o2` as the section `codes` of a wording has them.

    codes: {"Ae{n}": "the attack may exploit with ratings of {n} or more", "DL{n}": "{n|step|steps} lost"}

Fields of a key stand for numbers. A sentence that names `{result_said}` says the field `result` so, and by
the section `types` the type of a counter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pbem.text.sentences import FIELD, fill

SAID = "_said"
"""The ending of the name of a field that is said in words."""


def spelt(code: str, words: Mapping[str, str]) -> str:
    """Return a code in words: as a whole, else each part between blanks; unknown codes stay."""
    in_full = _spelt(code, words)
    if in_full is not None:
        return in_full
    parts = [_spelt(part, words) for part in code.split(" ")]
    return "; ".join(part for part in parts if part) if all(part is not None for part in parts) else code


def _spelt(code: str, words: Mapping[str, str]) -> str | None:
    if code in words:
        return words[code]
    for key, text in words.items():
        match = _pattern(key).fullmatch(code) if "{" in key else None
        if match:
            return fill(text, {name: int(number) for name, number in match.groupdict().items()}, str)
    return None


@cache
def _pattern(key: str) -> re.Pattern[str]:
    parts = FIELD.split(key)
    return re.compile(
        "".join(rf"(?P<{part}>\d+)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
    )
