"""The table's own words in their languages: `words/<code>.yaml`, English where a translation has none."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pbem.report.language import Language, with_english
from pbem.text.sentences import ENGLISH

FOLDER = Path(__file__).parent / "words"


@cache
def words(code: str = ENGLISH) -> Language:
    """Return the words of a language; Refused for an unknown one."""
    from pbem.report.language import language

    language(code)
    return with_english(code, own(ENGLISH), own(code))


def own(code: str) -> dict[str, str]:
    """Return the content of a language's file, or {}."""
    from pbem.text.loading import load_file

    path = FOLDER / f"{code}.yaml"
    if not path.is_file():
        return {}
    words_: dict[str, str] = load_file(path, f"table/words/{code}.yaml").data
    return words_
