"""Text for named readers decides nothing: a game is the same with and without it (letters 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.bot.games import seen_by
from pbem.engine.adjudicate import adjudicate, facts
from pbem.engine.answers import Reply
from pbem.engine.decisions import Decision
from pbem.engine.resolve import faults_of
from pbem.engine.system import System
from pbem.model.codec import from_json
from pbem.testing.playing import asked_first, whole_game
from pbem.text.yaml import load

LOOK = 30


def texts(system: System) -> dict[str, Any]:
    """Return an answer to each decision for named readers, by kind: the one that order files show."""
    kinds = [kind for kind, cls in system.registry.decisions.items() if cls.secrecy == "readers"]
    shown = system.wording.get("answers", {})
    for kind in kinds:
        assert kind in shown, f"the words show no answer to {kind}: a text in the section `answers`"
    return {kind: load(shown[kind], kind).data for kind in kinds}


def test_text_for_named_readers_decides_nothing(system: System, scenario: str) -> None:
    named = texts(system)
    if not named:
        return
    replies = {kind: Reply(value, committed=True, commit="0" * 64) for kind, value in named.items()}
    before = None
    for stage in whole_game(system, scenario).stages[:LOOK]:
        if before is not None:
            given = {
                party: {**answers_given, **replies} for party, answers_given in stage.inputs.replies.items()
            }
            outcome = adjudicate(system, before.state, replace(stage.inputs, replies=given))
            assert outcome == stage.outcome, f"stage {stage.number} comes out otherwise with {list(named)}"
            assert facts(system, outcome) == facts(system, stage.outcome)
        before = stage.outcome


def test_who_reads_a_text_and_what_is_told_follows_from_it_alone(system: System, scenario: str) -> None:
    outcome = asked_first(system, scenario)
    for kind, value in texts(system).items():
        for player in outcome.state.players:
            asked: Decision[Any] = system.decision(kind, player, {})
            answer = from_json(asked.answer, value)
            for _ in range(2):
                assert all(isinstance(reader, str) for reader in asked.readers(answer))
                assert [tell.as_json() for tell in asked.tells(answer)] == [
                    tell.as_json() for tell in system.decision(kind, player, {}).tells(answer)
                ]
            for event in asked.tells(answer):
                assert system.registry.events.get(event.kind) is type(event)
            faults_of(seen_by(system, outcome, player), asked, value)
