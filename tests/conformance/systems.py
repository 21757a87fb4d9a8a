"""The systems under test, and what several tests need of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from pbem.bot.games import Played, play
from pbem.engine.adjudicate import adjudicate, facts, game_of, start, view_of
from pbem.engine.answers import Inputs
from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.system import System, find, installed
from pbem.model.facts import may_know
from tests.primer import FOG, SYSTEM

INSTALLED = [find(name) for name in sorted(installed())]
ALL = [*INSTALLED, SYSTEM, FOG]

over_all = pytest.mark.parametrize("system", ALL, ids=lambda system: system.name)
over_installed = pytest.mark.parametrize("system", INSTALLED, ids=lambda system: system.name)
over_scenarios = pytest.mark.parametrize(
    ("system", "scenario"),
    [(system, name) for system in ALL for name in system.scenarios()],
    ids=lambda value: value if isinstance(value, str) else value.name,
)


def variants(system: System, scenario: str) -> Iterator[dict[str, Any]]:
    """The options of a scenario as they are, then each other value of each option on its own."""
    usual = system.options(system.scenario(scenario), {})
    yield {}
    for name, spec in system.option_specs().items():
        yield from ({name: value} for value in spec["values"] if value != usual[name])


def asked_at_start(system: System, scenario: str) -> list[tuple[Decision[Any], Game, Game]]:
    """The questions of stage 0: each decision with the whole truth, and with its player's view of it."""
    outcome = adjudicate(system, start(system, scenario), Inputs(0))
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


@cache
def whole_game(system_name: str, scenario: str) -> Played:
    """One game by bots, played to its end with the options that ask most."""
    (system,) = [system for system in ALL if system.name == system_name]
    return play(system, scenario, longest(system), "conformance")
