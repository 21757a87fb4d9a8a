"""Whole games in memory, through the same `adjudicate` as games by email, for tests and random play.

Everything follows from the seed string: answers and dice. A player's answer depends on what that player may
see and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from typing import Any

from pbem.bot.ahead import Ahead, answers_ahead
from pbem.bot.answers import Brain, answer, speaker
from pbem.engine.adjudicate import Outcome, adjudicate, facts, game_of, start, view_of
from pbem.engine.answers import Inputs, NotOpened, Reply
from pbem.engine.rehearsal import standpoint
from pbem.engine.resolve import Question
from pbem.model.facts import may_know
from pbem.rules import Diagnostic, Game, Json, System, dataclass

MOST_STAGES = 2000


class Endless(AssertionError):
    """A game that did not end within the stages allowed."""


@dataclass(frozen=True)
class Stage:
    """One stage of a game: what went in, what came out. Stage 0 had no inputs."""

    number: int
    inputs: Inputs
    outcome: Outcome


@dataclass(frozen=True)
class Played:
    """A game that was played to its end, stage by stage."""

    system: System = field(repr=False)
    stages: tuple[Stage, ...] = field(repr=False)

    @property
    def last(self) -> Outcome:
        """Return the outcome of the last stage."""
        return self.stages[-1].outcome

    @property
    def refused(self) -> list[tuple[int, str, Diagnostic]]:
        """Return the refused answers: (stage, party, why)."""
        return [(s.number, party, why) for s in self.stages for party, why in s.outcome.diagnostics]


def seen_by(system: System, outcome: Outcome, player: str) -> Game:
    """Return the game as one player sees it at the end of a stage."""
    known = {fact.key: fact.value for fact in facts(system, outcome) if may_know(fact.audience, player)}
    return view_of(system, outcome.state, known, player)


def reply(system: System, outcome: Outcome, question: Question, brain: Brain, seed: str, stage: int) -> Reply:
    """Return the answer of a brain to one question, found on its player's view."""
    game = seen_by(system, outcome, question.party)
    game.stage, game.asked = stage, question.key
    decision = system.decision(question.kind, question.party, question.fields)
    rng = random.Random(f"{seed}/{stage}/{question.party}/{question.key}")
    return Reply(brain(game, decision, rng))


def stages(
    system: System,
    scenario: str,
    options: Mapping[str, Any] | None = None,
    seed: str = "",
    brains: Brain | Mapping[str, Brain] = answer,
    *,
    standing: Mapping[str, Sequence[Json]] | None = None,
    ahead: bool = False,
) -> Iterator[Stage]:
    """Yield the stages of a game one by one, from the start to its end.

    `brains` is one for all or one for each player, `standing` the standing orders that they file first;
    `ahead`: they answer their next questions ahead where they can (`bot/ahead.py`). An answer found on a
    view may turn out illegal on the whole truth; the question then comes again and is answered with the
    truth in sight, so that a game continues.
    """
    inputs = Inputs(0, standing=standing or {})
    outcome = adjudicate(system, start(system, scenario, options), inputs)
    number = 0
    yield Stage(0, inputs, outcome)
    while not outcome.finished:
        number += 1
        refused = {party for party, _ in outcome.diagnostics}
        replies: dict[str, dict[str, Reply]] = {}
        for question in outcome.pending:
            brain = brains if callable(brains) else brains[question.party]
            if question.party in refused:
                given = _with_the_truth(system, outcome, question, brain, seed, number)
            else:
                given = reply(system, outcome, question, brain, seed, number)
            replies.setdefault(question.party, {})[question.key] = given
        lists = dict(outcome.state.standing)
        for party in replies if ahead else ():
            brain = brains if callable(brains) else brains[party]
            sent = sent_ahead(system, outcome, party, replies[party], brain, seed, number)
            lists[party] = sent.list_with(lists.get(party, []))
            replies[party] |= {kind: Reply(value, committed=True) for kind, value in sent.secrets.items()}
        inputs = Inputs(
            number, replies, lists, seed=dice_seed(seed, number), hidden_seed=dice_seed(seed, -number)
        )
        outcome = adjudicate(system, outcome.state, inputs)
        yield Stage(number, inputs, outcome)


def _with_the_truth(
    system: System, outcome: Outcome, question: Question, brain: Brain, seed: str, stage: int
) -> Reply:
    """Return the answer of a brain that sees the whole truth, after an illegal answer."""
    game = game_of(system, outcome.state, outcome.position, stage=stage)
    game.asked = question.key
    decision = system.decision(question.kind, question.party, question.fields)
    return Reply(
        brain(game, decision, random.Random(f"{seed}/{stage}/{question.party}/{question.key}/again"))
    )


def sent_ahead(
    system: System,
    outcome: Outcome,
    player: str,
    replies: Mapping[str, Reply],
    brain: Brain,
    seed: str,
    stage: int,
) -> Ahead:
    """Return the advance orders of a player with these replies, found on the player's view."""
    view = seen_by(system, outcome, player)
    view.stage = stage
    asked = [question for question in outcome.pending if question.party == player]
    given: dict[str, Json] = {}
    for question in asked:
        value = replies[question.key].value
        assert not isinstance(value, NotOpened)
        given[question.key] = value
    here = standpoint(view, asked[0]) if view.system.hidden else outcome.state
    standing = outcome.state.standing.get(player, [])
    return answers_ahead(
        view, here, asked, given, player, lambda: speaker(brain, f"{seed}/{stage}"), standing=standing
    )


def dice_seed(seed: str, stage: int) -> bytes:
    """Return 32 bytes for the dice of a stage; negative stages are for hidden dice."""
    return sha256(f"{seed}/{stage}".encode()).digest()


def play(
    system: System,
    scenario: str,
    options: Mapping[str, Any] | None = None,
    seed: str = "",
    brains: Brain | Mapping[str, Brain] = answer,
    *,
    most: int = MOST_STAGES,
    watch: Callable[[Stage], None] | None = None,
    standing: Mapping[str, Sequence[Json]] | None = None,
    ahead: bool = False,
) -> Played:
    """Play a whole game. `watch` sees each stage as it is made. Raises `Endless` after `most` stages."""
    played: list[Stage] = []
    for stage in stages(system, scenario, options, seed, brains, standing=standing, ahead=ahead):
        played.append(stage)
        if watch:
            watch(stage)
        if stage.number >= most and not stage.outcome.finished:
            raise Endless(f"{system.name}/{scenario}, seed {seed!r}: no end after {most} stages")
    return Played(system, tuple(played))
