"""Wordings in other languages: complete, with the same fields, and no English left in a game that is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pbem.engine.system import System
from pbem.report.translation import translated, translation_faults
from pbem.testing.playing import whole_game

CODE = re.compile(r"[0-9]{4}(/[0-9]{4})?|[A-Z]-[A-Z]{1,2}[0-9]+|[A-Z]{1,2}|[a-z]|-?[0-9]+")


def texts(value: Any) -> Iterator[str]:
    """Every text in the JSON of an event, labels of dice left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.items() if "label" not in value else ():
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def test_every_sentence_is_translated_with_all_its_fields(system: System, language: str) -> None:
    found = translation_faults(system.wording, system.translation(language))
    assert not found, "\n".join(fault.message for fault in found)


def test_the_sequence_of_play_is_translated(system: System, language: str) -> None:
    values = system.translation(language)["values"]
    missing = {node.label for node in system.outline.walk() if node.label} - set(values)
    assert not missing


def test_seats_terrain_places_and_results_are_translated(system: System, language: str) -> None:
    words = system.translation(language)
    wanted = {
        kind for section in ("terrain", "hexsides", "links") for kind in system.wording.get(section, {})
    }
    for name in system.scenarios():
        scenario = system.scenario(name)
        wanted |= set(scenario["seats"])
        wanted |= set(re.findall(r"'result': '([^']+)'", repr(scenario)))
    assert wanted <= set(words["values"])


def test_a_whole_game_is_told_without_a_word_of_english(system: System, language: str) -> None:
    """Each text in an event is translated, or made of names and codes; reasons of refusals stay English."""
    values = system.translation(language)["values"]
    for scenario in system.scenarios():
        names = set(re.findall(r"'name': '([^']+)'", repr(system.scenario(scenario))))
        for stage in whole_game(system, scenario).stages:
            for event in (told.event for told in stage.outcome.told):
                told = {k: v for k, v in event.items() if k not in ("event", "rule", "at", "roll")}
                if event["event"] == "move-dropped":
                    told.pop("reason")
                for text in texts(list(told.values())):
                    assert _known(text, names, values), f"{event['event']}: {text!r} has no translation"


def _known(text: str, names: set[str], values: dict[str, str]) -> bool:
    rest = text
    for name in names:
        rest = rest.replace(name, "")
    return (
        text in values
        or translated(text, values) != text
        or all(CODE.fullmatch(word) or word in values for word in rest.split())
    )
