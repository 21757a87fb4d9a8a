"""The primer in its two forms, and a way to answer whatever is asked with a legal option."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.resolve import Question
from pbem.engine.system import System
from tests.primer import FOG, SYSTEM


@pytest.fixture(params=[SYSTEM, FOG], ids=["public", "fog"])
def system(request: pytest.FixtureRequest) -> System:
    chosen: System = request.param
    return chosen


def random_answer(system: System, outcome: Outcome, question: Question, rng: random.Random) -> Any:
    game = game_of(system, outcome.state, outcome.position)
    decision = system.decision(question.kind, question.party, question.fields)
    return rng.choice(list(decision.options(game))).answer


def play_on(
    system: System, outcome: Outcome, stage: int, choose: Callable[[Outcome, Question], Any]
) -> Outcome:
    """One stage more: everybody who is asked answers."""
    replies: dict[str, dict[str, Reply]] = {}
    for question in outcome.pending:
        replies.setdefault(question.party, {})[question.key] = Reply(choose(outcome, question))
    inputs = Inputs(stage, replies, seed=bytes([stage % 256]) * 32, hidden_seed=b"h" * 32)
    return adjudicate(system, outcome.state, inputs)


def play_out(system: System, seed: int, most: int = 400) -> list[Outcome]:
    rng = random.Random(seed)
    outcomes = [adjudicate(system, start(system, "ford"), Inputs(0))]
    while not outcomes[-1].finished:
        assert len(outcomes) < most
        stage = len(outcomes)
        outcomes.append(play_on(system, outcomes[-1], stage, lambda o, q: random_answer(system, o, q, rng)))
    return outcomes
