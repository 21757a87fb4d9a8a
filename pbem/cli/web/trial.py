"""Standing orders tried against the stages that were played: where would they have answered?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import PbemError

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.resolve import Question
    from pbem.stages.views import PlayerView

STAGES = 40
"""How many of the last stages are looked at."""


def tried(folder: Folder, orders: Sequence[Any]) -> list[list[str]]:
    """Return for each standing order the questions it would have answered: stage, question, answer."""
    lines: list[list[str]] = [[] for _ in orders]
    if not orders or folder.stage < 0:
        return lines
    for stage, view, question in _asked(folder):
        for n, order in enumerate(orders):
            answered = _answered(view, question, order)
            if answered:
                lines[n].append(f"{stage}: {answered}")
    return lines


def _asked(folder: Folder) -> Iterator[tuple[int, PlayerView, Question]]:
    """Yield my questions at the end of each of the last stages, on the views of that time."""
    from pbem.archive import history

    me = folder.need_me()
    past = history(folder.root, folder.private)
    for chapter in past.chapters[-STAGES:]:
        view = past.view(chapter, me)
        for question in view.questions:
            if question.party == me and not question.opening:
                yield chapter.stage, view, question


def _answered(view: PlayerView, question: Question, order: Any) -> str:
    """Return a standing order's answer to a question, in words, or ""."""
    from pbem.archive import order_form
    from pbem.cli.shell.language import code, spoken
    from pbem.engine.conditions import applies
    from pbem.engine.resolve import faults_of
    from pbem.model.codec import from_json, to_json

    decision = view.system.decision(question.kind, question.party, question.fields)
    try:
        forms = [name for name in order if name in decision.standing_forms]
        if forms:
            typed = [from_json(decision.standing_forms[name], order[name]) for name in forms]
            given = decision.from_standing(view.game, typed)
            answer = None if given is None else to_json(given)
        elif order.get("decision") == question.kind and applies(view.game, decision, order.get("when", {})):
            answer = order["answer"]
        else:
            return ""
        if answer is None:
            return ""
        faults = faults_of(view.game, decision, answer)
        if faults:
            return f"{order_form.sentence(view.system, question, code())} ✗ {spoken(faults[0].message)}"
        answer_text = "; ".join(
            spoken(word) for word in decision.words(view.game, from_json(decision.answer, answer))
        )
    except (PbemError, KeyError, ValueError, TypeError, AttributeError):
        return ""  # an order of another shape answers nothing
    return f"{order_form.sentence(view.system, question, code())} → {answer_text}"
