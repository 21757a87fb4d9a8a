"""A player's next questions, which can be answered in advance.

They are found by rehearsing the consequences of the player's answers.

People and the order form use them. Bots find their advance answers in the same way
(`bot/ahead.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from pbem.archive.folder.parts import Readable
from pbem.archive.ordering import answers_ahead
from pbem.engine.ahead import Entry
from pbem.engine.decisions import Decision, NoDefault, Option
from pbem.engine.foreseen import for_the_rest, waiting_for
from pbem.engine.game import Game
from pbem.engine.rehearsal import Dice, Rehearsed, rehearse, standpoint
from pbem.engine.resolve import Question
from pbem.model.codec import to_json
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

MOST = 40
"""Options that are listed for a question that may come."""


@dataclass(frozen=True)
class NextQuestion:
    """A question that may come.

    It has the options on the board of that time, the empty entry that waits for it, one that holds for the
    rest of the phase if it repeats, and the defaults of the rehearsal. `entry` is None for a secret that must
    not wait in a list.
    """

    decision: Decision[Any]
    question: Question
    options: Sequence[Option]
    entry: Entry | None
    rest: Entry | None
    supposed: Json
    after_dice: bool
    after_others: bool


def next_questions(
    folder: Readable,
    asked: Sequence[Question],
    given: Mapping[str, Json],
    waiting: Sequence[Json] = (),
    *,
    dice: Dice = "low",
    most: int = MOST,
) -> list[NextQuestion]:
    """Return the questions after the answers `given` to what the player is `asked`.

    Other questions get their default. `waiting` answers in its place: standing orders, and advance orders
    sent already.
    """
    if not asked:
        return []
    view, me = folder.view(), folder.need_me()
    listed: list[list[Option]] = []

    def speaker(game: Game, decision: Decision[Any], question: Question) -> Json:
        listed.append(list(islice(decision.options(game), most + 1)))
        return to_json(decision.default(game))

    answers = dict(given)
    for question in asked:
        if question.key not in answers:
            decision = view.system.decision(question.kind, question.party, question.fields)
            try:
                answers[question.key] = to_json(decision.default(view.game))
            except NoDefault:
                return []
    state = standpoint(view.game, asked[0]) if view.game.system.hidden else folder.state()
    mine = [view.system.decision(question.kind, me, question.fields) for question in asked]
    later = [
        (ahead_of.kind, ahead_of.subject()) for decision in mine for ahead_of in decision.ahead(view.game)
    ]
    later += [(question.kind, decision.subject()) for question, decision in zip(asked, mine, strict=True)]
    rehearsed = rehearse(view.game, state, answers, me, speaker, standing=waiting, dice=dice, later=later)
    return [
        _question(folder, rehearsed, n, options) for n, options in enumerate(listed[: len(rehearsed.asked)])
    ]


def _question(folder: Readable, rehearsed: Rehearsed, number: int, options: Sequence[Option]) -> NextQuestion:
    asked = rehearsed.asked[number]
    may_wait = answers_ahead.may_wait(folder.system, asked.decision.kind)
    return NextQuestion(
        asked.decision,
        asked.question,
        options,
        waiting_for(asked, rehearsed) if may_wait else None,
        for_the_rest(asked, rehearsed) if may_wait else None,
        asked.answer,
        asked.after_dice,
        not asked.sure,
    )
