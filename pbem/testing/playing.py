"""What tests of a system play: its first questions, whole games by bots, all its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    """The options of a scenario as they are, then each other value of each option on its own."""
    usual = system.options(system.scenario(scenario), {})
    yield {}
    for name, spec in system.option_specs().items():
        yield from ({name: value} for value in spec["values"] if value != usual[name])


def asked_first(system: System, scenario: str, options: Mapping[str, Any] | None = None) -> Outcome:
    """The first stage of a scenario at which somebody is asked, or its end: dice may fall before."""
    outcome = adjudicate(system, start(system, scenario, options), Inputs(0))
    for stage in range(1, MOST_STAGES):
        if outcome.pending or outcome.finished:
            break
        outcome = adjudicate(system, outcome.state, Inputs(stage, seed=SEED, hidden_seed=SEED))
    return outcome


def asked_at_start(system: System, scenario: str) -> list[tuple[Decision[Any], Game, Game]]:
    """The first questions of a scenario: each decision with the whole truth, and with its player's view."""
    outcome = asked_first(system, scenario)
    truth = game_of(system, outcome.state, outcome.position)
    listed = facts(system, outcome)
    found = []
    for question in outcome.pending:
        known = {fact.key: fact.value for fact in listed if may_know(fact.audience, question.party)}
        view = view_of(system, outcome.state, known, question.party)
        found.append((system.decision(question.kind, question.party, question.fields), truth, view))
    return found


def longest(system: System) -> dict[str, Any]:
    """Options with which a game asks most: owners are asked wherever they can be, and numbers are highest."""
    asking = {"interactive", "owner"}
    chosen: dict[str, Any] = {}
    for name, spec in system.option_specs().items():
        chosen.update((name, value) for value in spec["values"] if value in asking)
        if all(type(value) is int for value in spec["values"]):
            chosen[name] = max(spec["values"])
    return chosen


def whole_game(system: System, scenario: str) -> Played:
    """One game by bots, played to its end with the options that ask most; played once."""
    key = (id(system), scenario)
    if key not in _games:
        _games[key] = (system, play(system, scenario, longest(system), "conformance"))
    return _games[key][1]
