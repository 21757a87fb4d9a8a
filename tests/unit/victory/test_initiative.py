"""Ties are broken as the scenario says, and by dice when it says nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.answers import ScriptedSource
from pbem.engine.play import play
from pbem.systems.victory.rules.procedures.initiative import game_goes_on
from pbem.systems.victory.rules.state import break_tie, in_force
from tests.unit.victory.boards import board

PLAYERS = ("red", "blue", "green")


def test_ex_2e_without_tie_rules_the_tied_roll_until_one_is_highest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = board()
    monkeypatch.setattr(game.world, "tie_rules", ())
    orders = {"red": {"bid": 3}, "blue": {"bid": 0}, "green": {"bid": 3}}
    played = play(game, "1", ScriptedSource(orders, [[4], [4], [2], [5]]))
    assert game.tracks["initiative"]["holder"] == "green"
    assert game.tracks["initiative"]["quota"] == 3
    rolls = [t.event for t in played.told if t.event["event"] == "tie-rolled"]
    assert [r["left"] for r in rolls] == [["red", "green"], ["green"]]
    assert "tied" not in game.tracks


def test_the_labels_of_a_roll_off_tell_turn_pass_and_player(monkeypatch: pytest.MonkeyPatch) -> None:
    game = board(tracks={"turn": 3})
    monkeypatch.setattr(game.world, "tie_rules", ({"kind": "random"},))
    source = ScriptedSource({p: {"bid": 1} for p in PLAYERS}, [[6], [6], [1], [2], [3]])
    play(game, "1", source)
    assert [label[1:4] for label in source.rolled] == [
        [3, 1, "red"],
        [3, 1, "blue"],
        [3, 1, "green"],
        [3, 2, "red"],
        [3, 2, "blue"],
    ]
    assert game.tracks["initiative"]["holder"] == "blue"


def test_a_game_turn_follows_the_third_of_four_and_none_the_last() -> None:
    assert [game_goes_on(board(tracks={"turn": turn}), None) for turn in (3, 4)] == [True, False]


def test_until_turn_4_means_turns_1_to_3() -> None:
    rule = {"kind": "fixed_list", "order": ["blue"], "until_turn": 4}
    assert [in_force(rule, turn) for turn in (1, 2, 3, 4)] == [True, True, True, False]
    rule = {"kind": "previous_holder", "from_turn": 2}
    assert [in_force(rule, turn) for turn in (1, 2)] == [False, True]


def test_a_side_of_two_narrows_the_tie_and_the_next_rule_goes_on() -> None:
    rules = [
        {"kind": "side_wins", "side": ["blue", "green"]},
        {"kind": "fixed_list", "order": ["red", "green", "blue"]},
    ]
    tie = break_tie(rules, 1, PLAYERS, None)
    assert (tie.left, tie.number, tie.kind) == (("green",), 2, "fixed_list")


names = st.lists(st.sampled_from(PLAYERS), min_size=1, max_size=3, unique=True)
rule = st.one_of(
    st.builds(lambda side: {"kind": "side_wins", "side": side}, names),
    st.builds(lambda listed: {"kind": "fixed_list", "order": listed}, names),
    st.just({"kind": "previous_holder"}),
    st.just({"kind": "random"}),
)


@settings(max_examples=80)
@given(rules=st.lists(rule, max_size=4), tied=names, previous=st.sampled_from((*PLAYERS, None)))
def test_only_the_tied_can_win_a_tie(rules: list[Any], tied: list[str], previous: str | None) -> None:
    tie = break_tie(rules, 1, tied, previous)
    assert tie.left and set(tie.left) <= set(tied)
    assert len(tie.left) > 1 or tie.number > 0 or len(tied) == 1
