"""`unless: attacked`: an answer sent ahead that lapses when another's turn brings a battle on its owner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.attacks import attacked
from pbem.model.events import Told
from pbem.stages.standing_orders import entry_faults
from tests.primer import SYSTEM

PASS = {"decision": "next-move", "name": "quiet", "until": "T", "unless": "attacked", "answer": {}}


def told(event: dict[str, Any], audience: tuple[str, ...] = ("*",)) -> Told:
    return Told(audience, {"rule": "4.3", **event}, 0)


def hit(event: dict[str, Any], phasing: str | None, audience: tuple[str, ...] = ("*",)) -> tuple[str, ...]:
    return attacked(game_of(SYSTEM, start(SYSTEM, "ford")), told(event, audience), phasing)


def test_a_battle_is_an_attack_on_whom_it_concerns_in_the_turn_of_another() -> None:
    fought = {"event": "fought", "attacker": "north", "hex": "0102"}
    assert hit(fought, "south") == ("north",)
    assert hit(fought, "north") == ()
    assert hit(fought, None) == ("north",)


def test_a_retreat_is_one_in_the_turn_of_another_and_not_in_nobodys() -> None:
    retreated = {"event": "retreated", "owner": "south", "hex": "0102"}
    assert hit(retreated, "north") == ("south",)
    assert hit(retreated, "south") == ()
    assert hit(retreated, None) == ()


def test_a_march_is_no_attack_and_what_he_is_not_told_lets_nothing_lapse() -> None:
    assert hit({"event": "moved", "owner": "south", "hex": "0102"}, "north") == ()
    assert hit({"event": "unheard-of"}, "north") == ()
    assert hit({"event": "retreated", "owner": "south", "hex": "0102"}, "north", ("north",)) == ()


def test_the_form_wants_a_name_and_one_word() -> None:
    assert entry_faults(SYSTEM, PASS, ()) == []
    for wrong in ({**PASS, "unless": "bored"}, {"decision": "next-move", "unless": "attacked", "answer": {}}):
        assert [fault.code for fault in entry_faults(SYSTEM, wrong, ())] in (["not-one-of"], ["missing-key"])


def answered(outcome: Outcome, stage: int, **given: Any) -> Outcome:
    """One stage more: everybody asked answers with what is given for the kind."""
    replies: dict[str, dict[str, Reply]] = {}
    for question in outcome.pending:
        value = given[question.kind.replace("-", "_")]
        replies.setdefault(question.party, {})[question.key] = Reply(value)
    standing = {"south": [PASS]} if stage == 1 else outcome.state.standing
    inputs = Inputs(stage, replies, standing, seed=b"s" * 32, hidden_seed=b"h" * 32)
    return adjudicate(SYSTEM, outcome.state, inputs)


def test_a_pass_for_the_turn_holds_in_peace_and_lapses_when_a_unit_is_driven_off() -> None:
    outcome = adjudicate(SYSTEM, start(SYSTEM, "ford"), Inputs(0))
    quiet = answered(outcome, 1, card="calm")
    peace = answered(quiet, 2, bid=1)
    assert [q.party for q in peace.pending] == ["north"]
    passed = answered(peace, 3, next_move={})
    assert "south" not in [q.party for q in passed.pending if q.kind == "next-move"]
    assert [entry.result for entry in passed.ahead] == []

    state = peace.state
    near = state.position.copy()
    near.move("s1", "0102")
    near.move("n1", "0101")
    near.move("n2", "0202")
    near.move("s2", "0104")
    war = replace(state, position=near, open=None)
    asked = adjudicate(SYSTEM, war, Inputs(3, {}, state.standing, seed=b"s" * 32, hidden_seed=b"h" * 32))
    fight = answered(asked, 4, next_move={"unit": "n1", "to": "0102"})
    assert [q.kind for q in fight.pending] == ["reaction"]
    driven = answered(fight, 5, reaction="retreat")
    over = answered(driven, 6, next_move={})
    assert [(one.party, one.result) for one in (*driven.ahead, *over.ahead)] == [("south", "lapsed")]
    assert [(q.party, q.kind) for q in over.pending] == [("south", "next-move")]
