"""Catalogues of messages checked and compiled, and as patterns for finished sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import TypeAlias

from pbem.text.messages import add_home, catalogue
from pbem.text.plurals import ONE_OR_MANY, Plural, rule
from pbem.text.sentences import ENGLISH, FIELD, Field, If, Parts, faults, flat, parse, used

_ID = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+){2,}")
_MOST_CHOICES = 6  # in one sentence, for patterns
_LETTERS = 7  # literal letters that a pattern needs; fewer would fit anything
_Choices: TypeAlias = Mapping[tuple[object, ...], bool]


def complaints(name: str, language: str) -> Iterator[str]:
    """Say what is wrong with the catalogue of a room or a system in a language.

    In English: ids and sentences of the wrong form. In others: sentences that translate nothing, and fields
    that are not those of the English sentence.
    """
    english, own = catalogue(name, ENGLISH), catalogue(name, language)
    for id, sentence in own.items():
        for fault in faults(sentence, rule(language)):
            yield f"{language}: {id}: {fault}"
        if not _ID.fullmatch(id) or not id.startswith(f"{name}."):
            yield f"{language}: {id} is no id such as {name}.topic.what-is-said"
        if id not in english:
            yield f"{language}: {id} translates nothing"
        elif set(used(sentence)) != set(used(english[id])):
            yield f"{language}: {id} has the fields {set(used(sentence))}, English {set(used(english[id]))}"


def gaps(name: str, language: str) -> list[str]:
    """Return the ids of messages that a language lacks."""
    own = catalogue(name, language)
    return [id for id in catalogue(name, ENGLISH) if id not in own]


def compiled(name: str, language: str) -> str:
    """Return the catalogue as JSON."""
    return json.dumps(dict(catalogue(name, language)), ensure_ascii=False, indent=0) + "\n"


def homes(package: Path) -> Iterator[tuple[str, str]]:
    """Return name and language of each catalogue in the package: those of the rooms, those of the systems."""
    for folder in sorted(package.glob("systems/*/words/*/messages/")):
        name = folder.parents[2].name.replace("_", "-")
        add_home(name, partial(Path, folder.parents[1]))
        yield name, folder.parent.name
    for folder in sorted((package / "words").glob("*/*/")):
        if any(folder.glob("*.yaml")):
            yield folder.name, folder.parent.name


# ---- patterns ------------------------------------------------------------------------------------------


@cache
def patterns(name: str, language: str) -> Mapping[str, str]:
    """Return English patterns with `{fields}` and their translations for `text/translating.py`.

    They are for messages that became part of another text, and for those in events of games.
    """
    pairs: dict[str, str] = {}
    own = catalogue(name, language)
    for id, sentence in catalogue(name, ENGLISH).items():
        if id in own:
            for english, other in _variants(parse(sentence), parse(own[id]), rule(language)):
                pairs.setdefault(english, other)
    return pairs


def _variants(english: Parts, other: Parts, plural: Plural) -> Iterator[tuple[str, str]]:
    """Return the sentence in both languages for each way in which its choices may come out."""
    choices = list(dict.fromkeys(_choices(english)))
    if len(choices) > _MOST_CHOICES:
        return
    counted = {part.name for part in flat(english) if isinstance(part, Field) and part.how == "|"}
    for made in product((True, False), repeat=len(choices)):
        chosen = dict(zip(choices, made, strict=True))
        text, own = _chosen(english, chosen, ONE_OR_MANY), _chosen(other, chosen, plural)
        for name in counted:
            if chosen[name,]:
                own = own.replace(f"{{{name}}}", "1")
        if _says_enough(text) and set(FIELD.findall(text)) == set(FIELD.findall(own)):
            yield text, own


def _says_enough(text: str) -> bool:
    """Return True if a pattern fits few texts but its own."""
    fields = FIELD.findall(text)
    if not fields:
        return " " in text
    return len(set(fields)) == len(fields) and sum(map(str.isalpha, FIELD.sub("", text))) >= _LETTERS


def _choices(parts: Parts) -> Iterator[tuple[object, ...]]:
    for part in parts:
        if isinstance(part, If):
            yield _choice(part)
            yield from _choices(part.parts)
        elif isinstance(part, Field) and part.how:
            yield (part.name,)


def _choice(part: If) -> tuple[object, ...]:
    if part.name:
        return part.name, part.word
    return tuple(sorted(field.name for field in part.parts if isinstance(field, Field))), "there"


def _chosen(parts: Parts, chosen: _Choices, plural: Plural) -> str:
    sentence = ""
    for part in parts:
        if isinstance(part, str):
            sentence += part
        elif isinstance(part, If):
            if chosen.get(_choice(part), True) is part.wanted:
                sentence += _chosen(part.parts, chosen, plural)
        elif not part.how:
            sentence += f"{{{part.name}}}"
        else:
            single = chosen.get((part.name,), False)
            number = "" if part.how == ":" else "1 " if single else f"{{{part.name}}} "
            sentence += number + part.forms[plural.form(1) if single else plural.forms - 1]
    return sentence
