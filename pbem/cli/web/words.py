"""The table's own words in their languages, and those of the editor.

They are in `words/<code>.yaml` and `words/editor/<code>.yaml`. English fills the gaps of a translation.
"""

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
    """Return the content of a language's files, or {}."""
    from pbem.text.loading import load_file

    words_: dict[str, str] = {}
    for name in (f"{code}.yaml", f"editor/{code}.yaml"):
        if (FOLDER / name).is_file():
            words_ |= load_file(FOLDER / name, f"table/words/{name}").data
    return words_
