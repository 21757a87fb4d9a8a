"""Every event has words, and the words name what is in the event."""

from __future__ import annotations

import dataclasses
import re

from pbem.engine.adjudicate import facts
from pbem.engine.system import System
from pbem.testing.playing import whole_game
from pbem.testing.wording import faults
from pbem.text.canonical import dumps

RULE = re.compile(r"[0-9]+(\.[0-9]+)*[a-z]?")


def test_words_and_events_and_decisions_fit_each_other(system: System) -> None:
    """Check that no sentence is missing or left over, and none names an unknown field."""
    broken = faults(system.wording, system.registry.events, system.registry.decisions)
    assert not broken, "\n".join(f"{fault.path}: {fault.message}" for fault in broken)


def test_no_sentence_is_written_twice(system: System) -> None:
    """Check that no file overwrites a sentence of another; the later one would win silently."""
    seen: dict[tuple[str, str], str] = {}
    for name in system.wording_files():
        for section, sentences in system.data(name).items():
            for kind in sentences:
                assert (section, kind) not in seen, f"{section}.{kind}: {seen[section, kind]} and {name}"
                seen[section, kind] = name


def test_an_event_has_a_rule_and_an_audience(system: System) -> None:
    for kind, cls in system.registry.events.items():
        assert RULE.fullmatch(cls.rule), f"{kind}: rule {cls.rule}"
        names = {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        assert cls.to in ("public", "owner", "gm", None)
        assert cls.to != "owner" or cls.owned_by in names, f"{kind} is for its owner and names none"
        if system.hidden is True:
            assert cls.to is not None, f"{kind} does not say who is told"
        if isinstance(system.hidden, str) and cls.to is None:
            assert cls.owned_by in names, f"{kind} would be told to nobody where units are hidden"


def test_the_events_of_a_whole_game_are_among_those_with_words(system: System) -> None:
    kinds = {
        str(t.event["event"])
        for s in whole_game(system, system.scenarios()[0]).stages
        for t in s.outcome.told
    }
    assert kinds and kinds <= set(system.registry.events)


def test_the_events_and_facts_of_a_whole_game_can_be_hashed(system: System) -> None:
    """Check that keys in records have no blanks and numbers are JSON's (protocol 3)."""
    stages = whole_game(system, system.scenarios()[0]).stages
    for stage in stages:
        for entry in stage.outcome.told:
            dumps(entry.event)
    for fact in facts(system, stages[-1].outcome):
        dumps({fact.key: fact.value})


def test_events_hold_simple_types(system: System) -> None:
    """Check that records have one form only: no floats, nothing that JSON lacks."""
    for kind, cls in system.registry.events.items():
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            assert "float" not in str(field.type), f"{kind}.{field.name}"
