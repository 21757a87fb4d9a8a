"""The answers that do nothing more in a part of the turn: one click for every list of actions in it.

Each answer is written out, as if it had been given one by one. So the player sees them all, and can take
each of them back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.archive.folder.parts import Readable
from pbem.archive.ordering.row import Later, Row, RowStep, row
from pbem.engine.ahead import Entry
from pbem.engine.cursor import stop_of
from pbem.engine.decisions import Decision, NoDefault
from pbem.engine.foreseen import does_nothing
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.engine.outline import Node
from pbem.engine.rehearsal import Around
from pbem.engine.resolve import Question, faults_of
from pbem.model.codec import to_json
from pbem.model.whereabouts import Whereabouts
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class NothingMore:
    """The questions of a part of the turn that are answered with "nothing", in order.

    `part` is its name in the sequence of play. The last question may come again, if others decide in between:
    then its `rest` answers until that is over.
    """

    part: str
    steps: tuple[RowStep, ...]


def nothing(game: Game, decision: Decision[Any]) -> Json:
    """Return the answer that does nothing, or None if the question asks for more than a list of actions.

    It is the default, if that names no action: losses have a default too, and are not nothing.
    """
    if not isinstance(decision, Growing):
        return None
    try:
        answer = to_json(decision.default(game))
    except NoDefault:
        return None
    return answer if does_nothing(decision, answer) and not faults_of(game, decision, answer) else None


def nothing_more(
    folder: Readable,
    asked: Sequence[Question],
    given: Mapping[str, Json],
    later: Later,
    waiting: Sequence[Json] = (),
) -> NothingMore | None:
    """Return what "nothing more" would answer now; None if that is one question at most.

    It continues after dice and other players' decisions, and ends with the turn in which it begins.
    """
    mine: list[int] = []

    def or_nothing(number: int, game: Game, decision: Decision[Any]) -> Json:
        answer = later(number, game, decision)
        if answer is None and (answer := nothing(game, decision)) is not None:
            mine.append(number)
        return answer

    game, system = folder.view().game, folder.view().system
    answers: dict[str, Json] = {}
    for question in asked:
        if given.get(question.key) is None:
            answer = nothing(game, system.decision(question.kind, question.party, question.fields))
            answers |= {question.key: answer} if answer is not None else {}
    walked = row(folder, asked, {**given, **answers}, or_nothing, waiting, past=True)
    new = [step for step in walked.steps if step.how != "program"]
    new = [step for step in new if step.number in mine or (not step.number and step.question.key in answers)]
    part = _part(walked, new)
    if part is None:
        return None
    start, node = part
    within = [step for step in new if _around(walked, step).same(start, node)]
    kept = tuple(step for n, step in enumerate(within) if step is new[n])
    if not kept:
        return None
    rest = kept[-1].rest if _inside(start, node, kept[-1].rest) else None
    if len(kept) < 2 and rest is None:
        return None
    part_of_turn = Whereabouts([stop_of(node, start.count, start.phasing, game.scenario)])
    return NothingMore(part_of_turn, (*kept[:-1], replace(kept[-1], rest=rest)))


def _inside(start: Around, part: Node, rest: Entry | None) -> bool:
    """Return True if an entry ends with a part of the turn, or sooner: it must not pass the player's next."""
    ids = [node.id for node in start.nodes]
    return rest is not None and rest["until"] in ids[ids.index(part.id) :]


def _part(row: Row, new: Sequence[RowStep]) -> tuple[Around, Node] | None:
    """Return the named turn in which the first of these questions comes, else the outermost loop."""
    if not new or row.here is None:
        return None
    around = _around(row, new[0])
    turn, loops = around.turn, [node for node in around.nodes if node.kind == "repeat"]
    node = turn if turn is not None and turn.label else next(iter(loops), None)
    return None if node is None else (around, node)


def _around(row: Row, step: RowStep) -> Around:
    around = step.around or row.here
    assert around is not None
    return around
