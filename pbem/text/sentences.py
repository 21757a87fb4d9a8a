"""Sentences with fields, as files of words have them: parsed, checked and filled in.

`{field}` is a value. `{field|block|blocks}` is a number and the word for one or for several: `3 blocks`;
`{field:marches|march}` is the word alone, where the sentence tells the number or the names itself. A language
with more plural forms gives more words (`text/plurals.py`). A part in
double brackets, `[[; withheld: {units}]]`, is left out where a field in it is empty, no or 0;
`[[field?text]]` says its text where the field is neither, `[[field!text]]` where it is; `[[field=word?text]]`
where the field is that word, `[[field=word!text]]` where it is not. Such parts may be in each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from pbem.text.plurals import ONE_OR_MANY, Plural

ENGLISH = "en"
FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}")
PLURAL = re.compile(r"\{([a-z][a-z0-9_]*)([|:])([^|{}]*(?:\|[^|{}]*)+)\}")
_IF = re.compile(r"([a-z][a-z0-9_]*)(?:=([^?!\[\]{}]*))?([?!])")
_MARK = re.compile(rf"(\[\[)|(\]\])|{PLURAL.pattern}|{FIELD.pattern}")
Fields = Mapping[str, Any]


class English(str):
    """A substitute for a sentence that the reader's language lacks: pages mark it (`lang="en"`)."""

    __slots__ = ()


def like(text: str, made: str) -> str:
    """Return `made` marked as English if the text is."""
    return English(made) if type(text) is English else made


class Field(NamedTuple):
    """A value in a sentence, or a word that goes with it.

    `how` is `|`, `:` or empty.
    """

    name: str
    how: str = ""
    forms: tuple[str, ...] = ()


class If(NamedTuple):
    """A part in double brackets. Without a `name` every field in it must have a value."""

    name: str
    word: str | None
    wanted: bool
    parts: Parts


Parts: TypeAlias = "tuple[str | Field | If, ...]"


@lru_cache(maxsize=8192)
def parse(sentence: str) -> Parts:
    """Return the parts of a sentence. Brackets without a partner are text."""
    return _parts(sentence, list(_MARK.finditer(sentence)), 0, len(sentence), 0)[0]


def _parts(sentence: str, marks: list[re.Match[str]], at: int, end: int, n: int) -> tuple[Parts, int]:
    """Return the parts between two places, and the number of the first mark behind them."""
    parts: list[str | Field | If] = []
    while n < len(marks) and marks[n].start() < end:
        mark, n = marks[n], n + 1
        closing = _closing(marks, n) if mark[1] else None
        if mark[2] or (mark[1] and closing is None):
            continue  # brackets without a partner
        parts.append(sentence[at : mark.start()])
        at = mark.end()
        if closing is not None:
            test = _IF.match(sentence, at, closing.start())
            inner, n = _parts(sentence, marks, test.end() if test else at, closing.start(), n)
            parts.append(If(test[1], test[2], test[3] == "?", inner) if test else If("", None, True, inner))
            at = closing.end()
            n += 1
        elif mark[3]:
            parts.append(Field(mark[3], mark[4], tuple(mark[5].split("|"))))
        else:
            parts.append(Field(mark[6]))
    parts.append(sentence[at:end])
    return tuple(part for part in parts if part != ""), n


def _closing(marks: list[re.Match[str]], n: int) -> re.Match[str] | None:
    """Return the mark that closes the brackets before mark `n`."""
    depth = 1
    for mark in marks[n:]:
        depth += bool(mark[1]) - bool(mark[2])
        if not depth:
            return mark
    return None


@lru_cache(maxsize=8192)
def used(sentence: str) -> tuple[str, ...]:
    """Return the fields that a sentence names, in order."""
    return tuple(_named(parse(sentence)))


@lru_cache(maxsize=8192)
def needed(sentence: str) -> tuple[str, ...]:
    """Return the fields without which a sentence says nothing: those outside double brackets, in order."""
    return tuple(part.name for part in parse(sentence) if isinstance(part, Field))


def _named(parts: Parts) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Field):
            yield part.name
        elif isinstance(part, If):
            if part.name:
                yield part.name
            yield from _named(part.parts)


def fill(sentence: str, values: Fields, shown: Callable[[Any], str], plural: Plural = ONE_OR_MANY) -> str:
    """Return the sentence with its fields filled in by `shown`; braces in values stay."""
    parts = []
    for part in _resolved(parse(sentence), values):
        if isinstance(part, str):
            parts.append(part)
        elif part.how:
            parts.append(_counted(values.get(part.name), part, shown, plural))
        else:
            parts.append(shown(values.get(part.name)))
    return "".join(parts)


def _resolved(parts: Parts, values: Fields) -> Iterator[str | Field]:
    """Return the parts without brackets: those inside are there or left out."""
    for part in parts:
        if not isinstance(part, If):
            yield part
        elif part.name:
            value = values.get(part.name)
            holds = _has(value) if part.word is None else str(value) == part.word
            if holds is part.wanted:
                yield from _resolved(part.parts, values)
        else:
            inner = list(_resolved(part.parts, values))
            if all(_has(values.get(field.name)) for field in inner if isinstance(field, Field)):
                yield from inner


def _counted(value: Any, field: Field, shown: Callable[[Any], str], plural: Plural) -> str:
    """Return `1 block`, `3 blocks`, or the word alone.

    A list counts its members, which are not shown; a single text is one. Beside an empty list the word alone
    is singular: its sentence is about somebody else then.
    """
    several = isinstance(value, list | tuple | Mapping)
    number = len(value) if several else value
    if isinstance(number, str) or (several and not number and field.how == ":"):
        word = field.forms[0]
    else:
        index = plural.form(abs(number)) if isinstance(number, int) else plural.forms - 1
        word = field.forms[min(index, len(field.forms) - 1)]
    return word if field.how == ":" else f"{shown(number)} {word}"


def _has(value: Any) -> bool:
    return value not in (None, "", (), [], {}, 0)


def faults(sentence: str, plural: Plural) -> Iterator[str]:
    """Say what is wrong with the form of a sentence: brackets, braces, too many or too few plural forms."""
    if len(re.findall(r"\[\[", sentence)) != len(re.findall(r"\]\]", sentence)):
        yield "double brackets without a partner"
    for part in flat(parse(sentence)):
        if isinstance(part, str) and re.search(r"\{[a-z][a-z0-9_]*(?:[|}]|:\S)", part):
            yield f"a field that is not understood: {part}"
        if isinstance(part, Field) and part.how and len(part.forms) != plural.forms:
            yield f"{part.name} has {len(part.forms)} plural forms, and the language {plural.forms}"


def flat(parts: Parts) -> Iterator[str | Field]:
    """Return all texts and fields of a sentence, those in brackets too."""
    for part in parts:
        if isinstance(part, If):
            yield from flat(part.parts)
        else:
            yield part
