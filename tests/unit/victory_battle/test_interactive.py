"""Interactive battles: what is asked of whom, and what a doctrine spares its owner (4.6.12)."""

from __future__ import annotations

from typing import Any

from pbem.engine.answers import ScriptedSource
from pbem.engine.play import Played, play
from pbem.systems.victory.rules.blocks import Block
from tests.unit.victory_battle.helpers import block, came, position

AT_HASKA = {"R-AR1": came("0606", "0507", cv=2), "G-IN1": {"cv": 3}, "G-IN2": {"cv": 2}}


def battle(
    counters: dict[str, Any], dice: list[list[int]], orders: Any = None, standing: Any = None, **options: Any
) -> tuple[Any, Played]:
    game = position(counters, only=[], battle_mode="interactive", **options)
    game.tracks["active"] = "red"
    return game, play(game, "2.T.4.2", ScriptedSource(orders or {}, dice, standing), "red")


def test_a_defender_is_asked_at_his_slot_and_told_what_is_legal() -> None:
    _, played = battle(AT_HASKA, [[6, 6]])
    (question,) = played.pending
    assert (question.party, question.kind) == ("green", "unit-action")
    assert question.fields["block"] == "green IN a"
    assert question.fields["targets"] == ["G"]
    assert question.fields["retreats"] == ["0707", "0607", "0506"]
    assert "G-IN" not in question.key


def test_an_attacker_with_one_choice_is_not_asked() -> None:
    _, played = battle(AT_HASKA, [[6, 6]])
    assert all(q.party != "red" for q in played.pending)


def test_a_rule_of_the_doctrine_answers_for_its_owner() -> None:
    standing = {"green": [{"doctrine": {"rules": [{"when": {"unit": ["G-IN1"]}, "do": "fire"}]}}]}
    _, played = battle(AT_HASKA, [[6, 6], [6, 6, 6]], standing=standing)
    (question,) = played.pending
    assert question.fields["block"] == "green IN b"  # the other block has no rule


def test_a_retreat_without_a_hex_asks_for_it() -> None:
    orders = {"green": {"unit-action": {"in_turn": [{"do": "retreat"}]}}}
    _, played = battle(AT_HASKA, [[6, 6]], orders)
    (question,) = played.pending
    assert (question.kind, question.fields["why"]) == ("destination", "retreat")
    assert question.fields["places"] == ["0707", "0607", "0506"]


def test_a_forced_departure_asks_where_to() -> None:
    fire = {"in_turn": [{"target": "G"}] * 4}
    counters = {
        "R-AR1": came("0606", "0507", cv=1),
        "R-IN2": came("0606", "0506", cv=1),
        "G-IN1": {"cv": 4},
    }
    orders = {"green": {"unit-action": fire}, "red": {"unit-action": fire}}
    _, played = battle(counters, [[6], [6] * 4, [6]] * 3, orders)
    (question,) = played.pending
    assert (question.party, question.kind, question.fields["why"]) == ("red", "destination", "withdrawal")


def test_a_block_without_target_may_hold_or_leave() -> None:
    counters = {
        "R-SS1": came("0703", "0603", "sail", cv=1),
        "B-DB1": {"hex": "0703", "cv": 1, "aboard": "B-AC1"},
        "B-AC1": {"hex": "0703", "cv": 1},
        "B-F1": {"hex": "0703", "cv": 1},
    }
    orders = {"blue": {"unit-action": {"in_turn": [{"target": "N"}, {"do": "retreat", "to": "0804"}]}}}
    game, played = battle(counters, [[6], [6]], orders)
    assert Block(game, "B-DB1").hex == "0804" and Block(game, "B-DB1").aboard is None
    assert played.pending


def test_alike_blocks_are_not_worth_a_question() -> None:
    counters = {"R-AR1": came("0606", "0507", cv=1), "G-IN1": {"cv": 2}, "G-IN2": {"cv": 2}}
    orders = {"green": {"unit-action": {"in_turn": [{"target": "G"}]}}}
    game, played = battle(counters, [[1], [6]], orders)
    assert [q.kind for q in played.pending] == ["unit-action"]
    assert (Block(game, "G-IN1").cv, Block(game, "G-IN2").cv) == (1, 2)


def test_a_loss_order_answers_which_block_loses() -> None:
    counters = {
        "R-AR1": came("0606", "0507", cv=1),
        "G-IN1": {"cv": 2},
        "G-AR9": block("green", "AR", 2, hex="0606"),
    }
    standing = {"green": [{"doctrine": {"loss_order": ["G-IN1"]}}]}
    orders = {"green": {"unit-action": {"in_turn": [{"target": "G"}]}}}
    game, played = battle(counters, [[6, 6], [1]], orders, standing)
    assert "loss-choice" not in [q.kind for q in played.pending]
    assert Block(game, "G-IN1").cv == 1


def test_answers_name_blocks_as_the_battle_shows_them() -> None:
    counters = {
        "R-AR1": came("0606", "0507", cv=1),
        "G-IN1": {"cv": 2},
        "G-AR9": block("green", "AR", 2, hex="0606"),
    }
    orders = {"green": {"unit-action": {"in_turn": [{"target": "G"}]}}}
    _, played = battle(counters, [[6, 6], [1]], orders)
    (question,) = played.pending
    assert question.kind == "loss-choice"
    assert question.fields["blocks"] == ["green AR a", "green IN a"]


def test_who_fires_at_nobody_in_particular_fires_at_what_he_hits_best() -> None:
    counters = {
        "R-SS1": came("0703", "0603", "sail", cv=1),
        "R-F1": came("0703", "0603", "mission", cv=1),
        "B-DB1": {"hex": "0703", "cv": 1, "aboard": "B-AC1"},
        "B-AC1": {"hex": "0703", "cv": 1},
    }
    everybody = {"in_turn": [{"do": "fire"}] * 9}
    orders = {party: {"unit-action": everybody} for party in ("red", "blue")}
    _, played = battle(counters, [[6]] * 20, orders)
    at = {
        event["block"]: event["target"]
        for event in (event_told.event for event_told in played.told)
        if event["event"] == "block-fired"
    }
    assert at["blue DB a"] == "Naval"
