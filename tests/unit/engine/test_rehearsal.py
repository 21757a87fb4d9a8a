"""A rehearsal: what a player is asked next, gone through on what he may know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.bot.games import seen_by
from pbem.engine.adjudicate import Outcome, adjudicate, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.cursor import frames_at
from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.rehearsal import Rehearsed, rehearse, standpoint
from pbem.engine.resolve import Question
from pbem.engine.system import System, find
from tests.primer import FOG, SYSTEM

MOVES: list[Any] = [{"unit": "n1", "to": "0102"}, {"unit": "n2", "to": "0202"}]


def asked_to_move(system: System) -> Outcome:
    """The first turn, both bids equal: north moves first."""
    outcome = adjudicate(system, start(system, "ford"), Inputs(0))
    for stage in (1, 2):
        given: dict[str, dict[str, Reply]] = {}
        for question in outcome.pending:
            answer: Any = {"card": "calm", "bid": 1}[question.kind]
            given.setdefault(question.party, {})[question.key] = Reply(answer)
        inputs = Inputs(stage, given, seed=b"s" * 32, hidden_seed=b"h" * 32)
        outcome = adjudicate(system, outcome.state, inputs)
    assert [(one.party, one.kind) for one in outcome.pending] == [("north", "next-move")]
    return outcome


class Speaker:
    """Says these answers one after another, then what is said always."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.boards: list[dict[str, Any]] = []

    def __call__(self, game: Game, decision: Decision[Any], question: Question) -> Any:
        self.boards.append({id: dict(fields) for id, fields in game.position.counters.items()})
        usual: dict[str, Any] = {"next-move": {}, "card": "storm", "bid": 2, "reaction": "stand"}
        return self.answers.pop(0) if self.answers else usual[decision.kind]


def gone_through(system: System, speaker: Speaker, first: Any, **how: Any) -> Rehearsed:
    outcome = asked_to_move(system)
    view = seen_by(system, outcome, "north")
    (question,) = outcome.pending
    state = standpoint(view, question) if system.hidden else outcome.state
    return rehearse(view, state, {question.key: first}, "north", speaker, **how)


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["public", "fog"])
def test_own_questions_of_the_same_turn_come_on_the_board_that_the_answers_leave(system: System) -> None:
    speaker = Speaker(MOVES[1], {})
    found = gone_through(system, speaker, MOVES[0])
    mine = [question for question in found.asked if question.sure]
    assert [(one.decision.kind, one.answer) for one in mine] == [("next-move", MOVES[1]), ("next-move", {})]
    assert [board["n1"]["hex"] for board in speaker.boards[:2]] == ["0102", "0102"]
    assert speaker.boards[1]["n2"]["hex"] == "0202"
    assert not any(one.after_dice for one in mine)


def test_nothing_of_it_counts() -> None:
    outcome = asked_to_move(SYSTEM)
    before = outcome.state.digest(), outcome.position.digest()
    (question,) = outcome.pending
    view = seen_by(SYSTEM, outcome, "north")
    seen = view.position.digest()
    rehearse(view, outcome.state, {question.key: MOVES[0]}, "north", Speaker())
    assert (outcome.state.digest(), outcome.position.digest()) == before
    assert view.position.digest() == seen


def test_of_what_comes_after_others_only_the_first_question_is_asked() -> None:
    found = gone_through(SYSTEM, Speaker(), {})
    late = [question for question in found.asked if not question.sure]
    assert [one.decision.kind for one in late] == ["card"]
    assert late[0] is found.asked[-1] and late[0].after_dice, "clouds and wind come before the next turn"


def test_standing_orders_answer_in_his_place() -> None:
    passing = [{"decision": "next-move", "answer": {}}]
    speaker = Speaker()
    found = gone_through(SYSTEM, speaker, MOVES[0], standing=passing)
    assert "next-move" not in [question.decision.kind for question in found.asked]


def test_dice_fall_as_they_are_supposed_to() -> None:
    near = asked_to_move(SYSTEM)
    for unit, hex in (("s1", "0102"), ("n1", "0101")):
        near.state.position.move(unit, hex)
        near.position.move(unit, hex)
    (question,) = near.pending
    view, state = seen_by(SYSTEM, near, "north"), replace(near.state, open=None)
    steps = {}
    for dice in ("low", "high"):
        speaker = Speaker()
        rehearsed = rehearse(view, state, {question.key: MOVES[0]}, "north", speaker, dice=dice)  # type: ignore[arg-type]
        assert rehearsed.dice and rehearsed.asked[0].after_dice
        steps[dice] = speaker.boards[0]["s1"]["steps"]
    assert steps == {"low": 2, "high": 1}, "4 to 6 hits"


def test_a_question_that_does_not_come_is_no_standpoint() -> None:
    outcome = asked_to_move(SYSTEM)
    view = seen_by(SYSTEM, outcome, "north")
    rehearsed = rehearse(view, outcome.state, {"T1/elsewhere": {}}, "north", Speaker())
    assert rehearsed.asked == () and rehearsed.here is None


@pytest.mark.parametrize("name", ["victory", "wbts"])
def test_the_key_of_a_question_leads_to_its_leaf(name: str) -> None:
    from pbem.bot.answers import clever
    from pbem.bot.games import stages

    system = find(name)
    for stage in stages(system, system.scenarios()[0], seed="key", brains=clever):
        for question in stage.outcome.pending:
            view = seen_by(system, stage.outcome, question.party)
            frames = frames_at(view, question.key)
            known = [{k: v for k, v in frame.items() if k in ("in", "n")} for frame in stage.outcome.state.at]  # type: ignore[union-attr]
            assert [{k: v for k, v in frame.items() if k in ("in", "n")} for frame in frames] == known  # type: ignore[union-attr]
        if stage.number == 40:
            break
