"""Questions in a row: my questions now, and those that follow from my answers.

The row continues as long as nobody but me decides. It ends at a die, at another player's choice, at a sealed
answer of somebody else, and at a secret that all can read in a list (in a game that hides nothing): sent by
its kind it would be lost with its stage if another has to answer beside me. Beyond that end it
continues only where I answered on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pbem.archive.folder.parts import Readable
from pbem.archive.ordering import answers_ahead
from pbem.engine.ahead import Entry
from pbem.engine.decisions import Decision, NoDefault
from pbem.engine.forced import only_answer
from pbem.engine.foreseen import does_nothing, for_the_rest, waiting_for
from pbem.engine.game import Game
from pbem.engine.rehearsal import Around, Foreseen, Passed, Rehearsed, rehearse, standpoint
from pbem.engine.resolve import Question
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

How = Literal["asked", "ahead", "program"]
"""Origin of a step: asked now, foreseen, or answered by the program because there is one legal answer."""
Why = Literal["die", "choice", "sealed", "secret", "over", "unknown"]
"""Reason for the end of a row."""
Later = Callable[[int, Game, Decision[Any]], Json]
"""Gives my answer to a foreseen question, by its number in the row, on the board of its time; or None."""


@dataclass(frozen=True)
class RowStep:
    """One question of the row, on the board of its time.

    `answer` is None for the question that comes next. `entry` waits for a foreseen question, without its
    answer. `rest` is an entry that answers every question of this kind for the rest of the phase. `number`
    counts the foreseen questions from 1. `passed` lists dice and others' answers since the step before.
    `around` is where a foreseen question comes.
    """

    question: Question
    decision: Decision[Any]
    game: Game
    how: How
    answer: Json = None
    entry: Entry | None = None
    rest: Entry | None = None
    number: int = 0
    passed: tuple[Passed, ...] = ()
    around: Around | None = None


@dataclass(frozen=True)
class Row:
    """The row so far: its answered steps, and the next question, or why it ends.

    `beyond` is the question behind the end, if it can be answered on purpose. `players` decide there. `here`
    is where the player is asked, once the row continues from there.
    """

    steps: tuple[RowStep, ...]
    question: RowStep | None = None
    why: Why | None = None
    players: tuple[str, ...] = ()
    beyond: RowStep | None = None
    here: Around | None = None


def row(
    folder: Readable,
    asked: Sequence[Question],
    given: Mapping[str, Json],
    later: Later,
    waiting: Sequence[Json] = (),
    *,
    past: bool = False,
) -> Row:
    """Return the row after the answers `given` (by key) to what I am `asked`, and the `later` ones.

    `waiting` are the standing and advance orders that answer beside it. `past`: go on behind its end.
    """
    view = folder.view()
    steps: list[RowStep] = []
    first: RowStep | None = None
    for question in asked:
        decision = view.system.decision(question.kind, question.party, question.fields)
        step = RowStep(question, decision, view.game, "asked", given.get(question.key))
        if step.answer is None and (only := only_answer(view.game, decision)) is not None:
            step = RowStep(question, decision, view.game, "program", only.answer)
        if step.answer is None:
            first = first or step
        else:
            steps.append(step)
    if first is not None or not asked:
        return Row(tuple(steps), first, None if asked else "unknown")
    answers = {taken.question.key: taken.answer for taken in steps}
    return _Coming(folder, asked, later, past).after(tuple(steps), answers, waiting)


class _Coming:
    """The foreseen part of a row."""

    def __init__(self, folder: Readable, asked: Sequence[Question], later: Later, past: bool) -> None:
        self.folder = folder
        self.asked = asked
        self.later = later
        self.past = past
        self.view = folder.view()
        self.boards: list[Game] = []
        self.mine: list[bool] = []  # whether I answered, or the program

    def after(self, steps: tuple[RowStep, ...], answers: Mapping[str, Json], waiting: Sequence[Json]) -> Row:
        """Return the row with the questions that come after these steps."""
        view, me = self.view.game, self.folder.need_me()
        hidden = view.system.hidden
        state = standpoint(view, self.asked[0]) if hidden else self.folder.state()
        mine = [view.system.decision(question.kind, me, question.fields) for question in self.asked]
        ahead = [
            (ahead_of.kind, ahead_of.subject()) for decision in mine for ahead_of in decision.ahead(view)
        ]
        ahead += [(decision.kind, decision.subject()) for decision in mine]
        rehearsed = rehearse(
            view, state, answers, me, self._says, standing=waiting, later=ahead, watchful=True
        )
        return replace(self._walked(steps, rehearsed), here=rehearsed.here)

    def _says(self, game: Game, decision: Decision[Any], question: Question) -> Json:
        only = only_answer(game, decision)
        answer = self.later(len(self.boards) + 1, game, decision) if only is None else only.answer
        self.boards.append(game.copy())
        self.mine.append(only is None and answer is not None)
        if only is None and answer is None:
            raise NoDefault(question.key)
        return answer

    def _walked(self, steps: tuple[RowStep, ...], rehearsed: Rehearsed) -> Row:
        """Return the row up to the first question without an answer, or to its end."""
        seen = 0
        coming = [*rehearsed.asked, *([rehearsed.unanswered] if rehearsed.unanswered is not None else [])]
        for number, question in enumerate(coming, 1):
            passed = question.passed[seen:]
            seen = len(question.passed)
            step = self._step(number, question, rehearsed, passed)
            by_me = self.mine[number - 1]
            if step.entry is None:
                return Row(steps, None, "secret")
            if passed and not by_me and not self.past:
                return Row(steps, None, *_end(passed), beyond=step)
            if step.answer is None or (passed and not by_me):
                return Row(steps, step)
            steps = (*steps, step)
        return Row(steps, None, *_end(rehearsed.passed[seen:]))

    def _step(
        self, number: int, foreseen: Foreseen, rehearsed: Rehearsed, passed: tuple[Passed, ...]
    ) -> RowStep:
        may_wait = answers_ahead.may_wait(self.folder.system, foreseen.decision.kind)
        by_me = self.mine[number - 1]
        anyhow = by_me and foreseen.sure and does_nothing(foreseen.decision, foreseen.answer)
        return RowStep(
            foreseen.question,
            foreseen.decision,
            self.boards[number - 1],
            "ahead" if by_me or foreseen.answer is None or passed else "program",
            foreseen.answer if by_me or not passed else None,
            waiting_for(foreseen, rehearsed, anyhow=anyhow) if may_wait else None,
            for_the_rest(foreseen, rehearsed) if may_wait else None,
            number,
            passed,
            foreseen.around,
        )


def _end(passed: Sequence[Passed]) -> tuple[Why, tuple[str, ...]]:
    """Return why a row ends before this question, and which players decide."""
    if not passed:
        return "over", ()
    first = passed[0]
    if not first.party:
        return "die", ()
    players = dict.fromkeys(
        passed_by.party for passed_by in passed if passed_by.party and passed_by.secret is first.secret
    )
    return ("sealed" if first.secret else "choice"), tuple(players)
