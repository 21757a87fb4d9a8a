"""Sentences with fields in them, as files of words have them: filled in, and what fields they name.

`{field}` is a value. `{field|block|blocks}` is a number and the word for one or for several: `3 blocks`;
`{field:marches|march}` is the word alone, where the sentence tells the number or the names itself. A part in
double brackets, `[[; withheld: {units}]]`, is left out where a field in it is empty, no or 0;
`[[field?text]]` says its text where the field is neither, `[[field!text]]` where it is; `[[field=word?text]]`
where the field is that word, `[[field=word!text]]` where it is not. Such parts may lie in each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

ENGLISH = "en"
FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}")
PLURAL = re.compile(r"\{([a-z][a-z0-9_]*)([|:])([^|{}]*)\|([^|{}]*)\}")
_IF = r"([a-z][a-z0-9_]*)(=[^?!\[\]{}]*)?([?!])"
OPTIONAL = re.compile(rf"\[\[(?:{_IF})?((?:(?!\[\[).)*?)\]\]")
_ANY = re.compile(rf"{PLURAL.pattern}|{FIELD.pattern}|\[\[{_IF}")
Fields = Mapping[str, Any]


class English(str):
    """A sentence that stands in for one that the reader's language lacks: pages mark it (`lang="en"`)."""

    __slots__ = ()


def like(text: str, made: str) -> str:
    """What was made of a text, marked if that was."""
    return English(made) if type(text) is English else made


@lru_cache(maxsize=4096)
def used(sentence: str) -> tuple[str, ...]:
    """The fields that a sentence names, in order."""
    return tuple(found[1] or found[5] or found[6] for found in _ANY.finditer(sentence))


@lru_cache(maxsize=4096)
def _plain_parts(sentence: str) -> tuple[str, ...]:
    """A sentence with nothing but plain fields in parts: text and the name of a field, in turn. Empty for
    any other."""
    return () if PLURAL.search(sentence) else tuple(FIELD.split(sentence))


def fill(sentence: str, values: Fields, shown: Callable[[Any], str]) -> str:
    """The sentence with its fields filled in, each as `shown`; braces in values stay what they are."""
    while OPTIONAL.search(sentence):  # the innermost first
        sentence = OPTIONAL.sub(lambda part: _optional(part, values), sentence)
    parts = _plain_parts(sentence)
    if parts:
        return "".join([shown(values.get(part)) if n % 2 else part for n, part in enumerate(parts)])
    return _ANY.sub(lambda found: _filled(found, values, shown), sentence)


def _filled(found: re.Match[str], values: Fields, shown: Callable[[Any], str]) -> str:
    if found[1]:
        return _counted(values.get(found[1]), found, shown)
    return shown(values.get(found[5])) if found[5] else found[0]


def _counted(value: Any, form: re.Match[str], shown: Callable[[Any], str]) -> str:
    """`1 block`, `3 blocks`, or the word alone; a list is as many as it has members, and its members are not
    told. A single text is one; beside an empty list the word alone is that for one: its sentence is about
    somebody else then.
    """
    several = isinstance(value, list | tuple | Mapping)
    number = len(value) if several else value
    word = form[3] if number == 1 or isinstance(number, str) else form[4]
    if form[2] == ":":
        return form[3] if several and not number else word
    return f"{shown(number)} {word}"


def _is_there(name: str, values: Fields) -> bool:
    return values.get(name) not in (None, "", (), [], {}, 0)


def _optional(part: re.Match[str], values: Fields) -> str:
    name, wanted, how, text = part.groups()
    if name is None:
        return text if all(_is_there(each, values) for each in used(text)) else ""
    holds = _is_there(name, values) if wanted is None else str(values.get(name)) == wanted[1:]
    return text if holds is (how == "?") else ""
