"""Games for tests of a system: its first questions, whole games by bots, all its options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.bot.games import Played, play
from pbem.engine.adjudicate import Outcome, adjudicate, facts, game_of, start, view_of
from pbem.engine.answers import Inputs
from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.system import System
from pbem.model.facts import may_know

SEED = bytes(32)
MOST_STAGES = 20
_games: dict[tuple[int, str], tuple[System, Played]] = {}


def variants(system: System, scenario: str) -> Iterator[dict[str, Any]]:
    """Yield the options of a scenario as they are, then each other value of each option alone."""
    usual = system.options(system.scenario(scenario), {})
    yield {}
    for name, spec in system.option_specs().items():
        yield from ({name: value} for value in spec["values"] if value != usual.get(name, spec["default"]))


def asked_first(system: System, scenario: str) -> Outcome:
    """Adjudicate until a scenario asks its first question, or ends. Return that stage."""
    outcome = adjudicate(system, start(system, scenario), Inputs(0))
    for stage in range(1, MOST_STAGES):
        if outcome.pending or outcome.finished:
            break
        outcome = adjudicate(system, outcome.state, Inputs(stage, seed=SEED, hidden_seed=SEED))
    return outcome


def asked_at_start(system: System, scenario: str) -> list[tuple[Decision[Any], Game, Game]]:
    """Return the first decisions of a scenario, each with the truth and with its player's view."""
    outcome = asked_first(system, scenario)
    truth = game_of(system, outcome.state, outcome.position)
    listed = facts(system, outcome)
    asked = []
    for question in outcome.pending:
        known = {fact.key: fact.value for fact in listed if may_know(fact.audience, question.party)}
        view = view_of(system, outcome.state, known, question.party)
        asked.append((system.decision(question.kind, question.party, question.fields), truth, view))
    return asked


def longest(system: System) -> dict[str, Any]:
    """Return the options with most questions: owners decide wherever possible, and numbers are
    highest.

    A limit that may be none is the highest one, as a game by chance alone may never come to an end.
    """
    asking = {"interactive", "owner"}
    chosen: dict[str, Any] = {}
    for name, spec in system.option_specs().items():
        chosen.update((name, value) for value in spec["values"] if value in asking)
        if all(type(value) is int for value in spec["values"]):
            chosen[name] = max(spec["values"])
        limits = [value for value in spec["values"] if str(value).isdigit()]
        if spec["default"] == "none" and limits:
            chosen[name] = max(limits, key=int)
    return chosen


def whole_game(system: System, scenario: str) -> Played:
    """Return one game by bots to its end with the options that ask most; played once."""
    key = (id(system), scenario)
    if key not in _games:
        _games[key] = (system, play(system, scenario, longest(system), "conformance"))
    return _games[key][1]
