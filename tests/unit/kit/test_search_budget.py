"""A search looks at no more positions than its budget, and plays no answer forward when it is used up."""

from __future__ import annotations

from pbem.bot.games import seen_by, stages
from pbem.engine.game import Game
from pbem.engine.rehearsal import SAMPLES
from pbem.kit.search import PLAYED, search
from pbem.rules import Decision, Json, to_json
from tests.primer import make

PRIMER = make("budget-test", hidden=False)


def asked() -> tuple[Game, Decision[object]]:
    """The view of a player who chooses a move in the primer."""
    for stage in stages(PRIMER, PRIMER.scenarios()[0], seed="search"):
        for question in stage.outcome.pending:
            if question.kind == "next-move":
                view = seen_by(PRIMER, stage.outcome, question.party)
                view.asked = question.key
                return view, PRIMER.decision(question.kind, question.party, question.fields)
    raise AssertionError("nobody is asked")


def judged(budget: int) -> tuple[int, Json]:
    view, decision = asked()
    seen: list[int] = []

    def judge(board: Game) -> int:
        seen.append(1)
        return len(seen)  # whatever is looked at later seems better

    answer = search(view, decision, lambda: judge, lambda options: options[0], (), budget)
    return len(seen), answer


def test_without_a_budget_nothing_is_looked_at_and_the_default_is_answered() -> None:
    view, decision = asked()
    assert judged(0) == (0, to_json(decision.default(view)))


def test_when_the_budget_is_used_up_no_other_answer_is_tried() -> None:
    view, decision = asked()
    assert judged(1) == (SAMPLES, to_json(decision.default(view)))


def test_a_larger_budget_tries_others_and_is_kept() -> None:
    view, decision = asked()
    count, answer = judged(2000)
    assert SAMPLES < count <= 2000 // PLAYED + SAMPLES
    assert answer != to_json(decision.default(view))
