"""Tests of translations: complete, with the same fields, and no English left in a whole game."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import Any

from pbem.engine.system import System
from pbem.model.meaning import with_names
from pbem.report.translation import translation_faults
from pbem.testing.gate import texts_for_readers
from pbem.testing.playing import whole_game
from pbem.text.translating import translated

CODE = re.compile(r"[^a-z ]*[a-z]?[^a-z ]*")  # numbers, results, ids: no two small letters beside each other
# `DL2o3DG`, `GAR-north-0501`, `south.convoys`
RESULT = re.compile(r"([A-Z]+[a-z]?[0-9]*)+|[A-Z]+-[a-z]+(-[A-Z0-9]+)+|[a-z]+\.[a-z_]+")

# reasons for refusals: sentences of the checks, which stay English
REASONS = {
    "move-dropped": ("reason",),
    "order-skipped": ("reason", "order"),
    "order-refused": ("text",),
    "action-refused": ("reason",),
    "answer-replaced": ("reason",),
    "attack-cancelled": ("reason",),
    "item-refused": ("message",),
}


def texts(value: Any, records: AbstractSet[str] = frozenset()) -> Iterator[str]:
    """Yield every text in the JSON of an event, without labels of dice and names of members (`records`)."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items() if "label" not in value else ():
            if key not in records:
                yield from texts(key)
            yield from texts(item, records)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item, records)


def _members(cls: type, names: set[str]) -> set[str]:
    """Return the names of the members of records inside an event."""
    for hint in typing.get_type_hints(cls).values():
        for part in _parts(hint):
            if is_dataclass(part) and isinstance(part, type):
                names |= {field.name for field in fields(part)}
                _members(part, names)
    return names


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for part in typing.get_args(hint):
        yield from _parts(part)


def _proper(value: Any) -> Iterator[str]:
    """Yield names in the data of a scenario, and the ids of its things: words of no language."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _proper(item)
    elif isinstance(value, list):
        for item in value:
            yield from _proper(item)
    elif isinstance(value, str) and not value.islower():
        yield value


def test_every_sentence_is_translated_with_all_its_fields(system: System, language: str) -> None:
    problems = translation_faults(system.wording, system.translation(language))
    assert not problems, "\n".join(f"{system.name}, {language}: {fault.message}" for fault in problems)


def test_the_sequence_of_play_seats_terrain_and_results_are_translated(system: System, language: str) -> None:
    missing = texts_for_readers(system) - set(system.translation(language)["values"])
    assert not missing, f"{language}: values of {system.name} lack {', '.join(sorted(missing))}"


def test_a_whole_game_is_told_without_a_word_of_english(system: System, language: str) -> None:
    """Check that each text in an event is translated or made of names and codes.

    Reasons of refusals stay English.
    """
    values = system.translation(language)["values"]
    members = {kind: _members(cls, set()) for kind, cls in system.registry.events.items()}
    for scenario in system.scenarios():
        names = {name for name in _proper(system.scenario(scenario)) if not name.islower()}
        for stage in whole_game(system, scenario).stages:
            for entry in stage.outcome.told:
                kind = str(entry.event["event"])
                cls = system.registry.events[kind]
                ids: set[str] = set()
                event = with_names(cls, entry.event, lambda what, id, ids=ids: ids.add(id) or id)  # type: ignore[misc]
                skipped = {"event", "rule", "at", "roll", "working", *REASONS.get(kind, ())}
                for text in texts([v for k, v in event.items() if k not in skipped], members[kind]):
                    assert _known(text, names | ids, values), f"{kind}: {text!r} has no translation"


def _known(text: str, names: set[str], values: dict[str, str]) -> bool:
    rest = text
    for name in sorted(names, key=len, reverse=True):
        rest = rest.replace(name, "")
    return (
        text in values
        or translated(text, values) != text
        or any(all(_is_code(word) or word in values for word in _words(form)) for form in (text, rest))
    )


def _words(text: str) -> list[str]:
    return re.split("[ :/,]+", text)


def _is_code(word: str) -> bool:
    return bool(CODE.fullmatch(word) or RESULT.fullmatch(word))
