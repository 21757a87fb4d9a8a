"""A game with answers sent ahead, and the same game answered one by one, come to the same dice and state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import reply, sent_ahead
from pbem.engine.adjudicate import Outcome, run, start
from pbem.engine.ahead import name_of
from pbem.engine.answers import Inputs, Reply, StageSource
from pbem.engine.journal import without_stage
from pbem.engine.resolve import Resolver
from pbem.engine.system import System, find
from pbem.trust import dice
from tests.nightly import IN_CI

SEEDS = ("ash", "elm")
MOST = 400
GOAL = {"victory": ("turn", 10), "wbts": ("gt", 6)}
"""The track that counts game turns, and how many stages one may take with ordinary standing orders."""
Answers = dict[tuple[str, str], Any]


@dataclass
class Cup:
    """Dice that hang on what is rolled for and how often it was before in the game, not on the stage."""

    seed: bytes
    rolled: Counter[str] = field(default_factory=Counter)

    def label(self, label: list[str | int]) -> list[str | int]:
        self.rolled[str(label[:-1])] += 1
        return [*label[:-1], self.rolled[str(label[:-1])]]


class Shaken(StageSource):
    """The inputs of a stage with the dice of a cup."""

    def __init__(self, inputs: Inputs, cup: Cup) -> None:
        super().__init__(inputs)
        self.cup = cup

    def roll(self, dice_: str, label: list[str | int], hidden: bool) -> list[int]:
        return dice.roll(dice_, self.cup.seed, self.cup.label(label))

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any]:
        return dice.shuffle(items, self.cup.seed, self.cup.label(label))


@dataclass
class Told:
    """What a game came to: every event with its audience, how many stages it took, how it ended."""

    events: list[Any]
    stages: int
    end: Outcome


def whole(system: System, outcomes: Iterator[Outcome]) -> Told:
    """Play to the end."""
    found, stages, last = [], 0, None
    for last in outcomes:
        stages += 1
        found += [(told.audience, without_stage(told.event)) for told in last.told]
        assert stages < MOST
    assert last is not None and last.finished
    return Told(found, stages, last)


def begin(system: System, scenario: str, cup: Cup) -> Outcome:
    standing = {p: system.standing_well(p) for p in system.players(system.scenario(scenario))}
    state = replace(start(system, scenario), standing={p: o for p, o in standing.items() if o})
    return run(system, state, Shaken(Inputs(0, standing=state.standing), cup))


def ahead(system: System, scenario: str, cup: Cup, seed: str) -> Iterator[Outcome]:
    """Bots who answer ahead whatever they can."""
    outcome = begin(system, scenario, cup)
    yield outcome
    for stage in range(1, MOST):
        if outcome.finished:
            return
        given: dict[str, dict[str, Reply]] = {}
        lists = dict(outcome.state.standing)
        for question in outcome.pending:
            answer = reply(system, outcome, question, clever, seed, stage)
            given.setdefault(question.party, {})[question.key] = answer
        for party in given:
            sent = sent_ahead(system, outcome, party, given[party], clever, seed, stage)
            lists[party] = sent.list_with(lists.get(party, []))
            given[party] |= {kind: Reply(value, committed=True) for kind, value in sent.secrets.items()}
        outcome = on(system, outcome, Inputs(stage, given, lists), cup)
        yield outcome


def one_by_one(system: System, scenario: str, cup: Cup, answers: Mapping[Any, Any]) -> Iterator[Outcome]:
    """The same answers, each when its question comes and no sooner."""
    outcome = begin(system, scenario, cup)
    yield outcome
    for stage in range(1, MOST):
        if outcome.finished:
            return
        given: dict[str, dict[str, Reply]] = {}
        for question in outcome.pending:
            given.setdefault(question.party, {})[question.key] = Reply(answers[question.party, question.key])
        lists = {p: [o for o in orders if name_of(o) is None] for p, orders in outcome.state.standing.items()}
        outcome = on(system, outcome, Inputs(stage, given, lists), cup)
        assert not outcome.diagnostics, "what was legal ahead is legal now"
        yield outcome


def on(system: System, outcome: Outcome, inputs: Inputs, cup: Cup) -> Outcome:
    lists = {party: list(orders) for party, orders in inputs.standing.items() if orders}
    return run(system, replace(outcome.state, standing=lists), Shaken(inputs, cup))


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Every answer that a run takes, by party and question, wherever it came from."""
    found: Answers = {}
    resolve = Resolver.resolve

    def noted(self: Resolver, decision: Any, question: Any) -> Any:
        answer = resolve(self, decision, question)
        if answer is not None:
            found[question.party, question.key] = answer[0]
        return answer

    monkeypatch.setattr(Resolver, "resolve", noted)
    return found


@pytest.mark.parametrize("seed", [SEEDS[0], pytest.param(SEEDS[1], marks=IN_CI)])
@pytest.mark.parametrize("name", [pytest.param("victory", marks=IN_CI), "wbts"])
def test_answers_ahead_change_nothing_but_the_number_of_mails(name: str, seed: str, answers: Answers) -> None:
    system = find(name)
    scenario = system.scenarios()[0]
    fast = whole(system, ahead(system, scenario, Cup(seed.encode().ljust(32)), seed))
    taken = dict(answers)
    slow = whole(system, one_by_one(system, scenario, Cup(seed.encode().ljust(32)), taken))
    assert fast.events == slow.events
    assert fast.end.position.to_json() == slow.end.position.to_json()
    assert fast.end.state.at == slow.end.state.at
    track, most = GOAL[name]
    assert fast.stages <= most * fast.end.position.tracks[track] < slow.stages
