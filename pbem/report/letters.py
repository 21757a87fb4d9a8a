"""Names that end with a letter, such as `Red's armour a`: who is alone of its kind needs none.

A system whose public names have one declares their form: `map: {lettered: "{who} {type} {which}"}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.report.reader import View


def without_letters(events: Iterable[Mapping[str, Any]], view: View) -> Callable[[str], str]:
    """Return what drops, from a sentence, the letters of names that these events tell of one counter."""
    form = view.wording.of("map").get("lettered")
    if not form:
        return str
    names = re.compile(re.sub(r"\\\{\w+\\\}", r"\\S+", re.escape(form)) + "(?= |$)")
    letters: dict[str, set[str]] = {}
    for text in {text for event in events for text in _texts(event)}:
        if (match := names.match(text)) is not None:
            bare, _, letter = view.wording.text(match[0]).rpartition(" ")
            if len(letter) == 1 and match[0].endswith(f" {letter}"):
                letters.setdefault(bare, set()).add(letter)
    alone = [f"{re.escape(bare)} {each}" for bare, (each, *others) in sorted(letters.items()) if not others]
    if not alone:
        return str
    told = re.compile(rf"({'|'.join(alone)})(?!\w)", re.IGNORECASE)
    return lambda text: told.sub(lambda found: found[0][:-2], text)


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts inside an event."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
