"""Questions without a choice: the program gives the one legal answer, and asks nobody."""

from __future__ import annotations

from itertools import islice
from typing import Any

from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.model.codec import faults_in
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class OnlyAnswer:
    """The one legal answer to a question, in its JSON form, and its meaning."""

    answer: Json
    text: str


def only_answer(game: Game, decision: Decision[Any]) -> OnlyAnswer | None:
    """Return the one answer that is legal on this board, or None if there is a choice.

    An answer that grows is without a choice only if nothing can be added to it.
    """
    options = list(islice(decision.options(game), 2))
    if len(options) != 1 or not options[0].complete:
        return None
    if isinstance(decision, Growing) and not is_empty(options[0].answer):
        return None
    if faults_in(decision.answer, options[0].answer):
        return None
    return OnlyAnswer(options[0].answer, options[0].text)


def is_empty(answer: Json) -> bool:
    """Return True if an answer has no element in any of its sections."""
    if isinstance(answer, dict):
        return all(is_empty(part) for part in answer.values())
    return answer in ([], None)
