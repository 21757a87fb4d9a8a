"""Turn orders: all faults at once, the same on a player's view as on the truth, what is left of bad ones."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.adjudicate import adjudicate, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.game import Game
from pbem.engine.resolve import faults_of
from pbem.model.codec import from_json, to_json
from pbem.systems.victory import SYSTEM
from pbem.systems.victory.rules.decisions.player_turn import SuMoves
from pbem.systems.victory.rules.decisions.turn_order import PassOrTurn
from pbem.systems.victory.rules.orders import TurnOrder
from tests.unit.victory.boards import board, order, view

IDS = ("R-IN1", "R-AR1", "R-SU1", "R-SU2", "R-F1", "R-BB1", "R-MA1", "R-RS1", "B-IN1", "R-XX9")
HEXES = ("0305", "0306", "0406", "0507", "0405", "0505", "0606", "0502", "0503", "0605", "0804", "9999")
KINDS = ("march", "road_strat", "sea_strat", "assault", "mission", "rebase", "sail", "sail_strat", "drop")

hexes = st.sampled_from(HEXES)
paths = st.lists(hexes, max_size=4)
moves = st.one_of(
    st.builds(
        lambda u, k, p: {"unit": u, "kind": k, "path": p}, st.sampled_from(IDS), st.sampled_from(KINDS), paths
    ),
    st.builds(
        lambda u, k, to: {"unit": u, "kind": k, "to": to}, st.sampled_from(IDS), st.sampled_from(KINDS), hexes
    ),
)
reveals = st.builds(
    lambda su, mode, targets: {"su": su, "mode": mode, "targets": targets},
    st.sampled_from(IDS),
    st.sampled_from(("local", "remote", "both")),
    st.lists(st.sampled_from(IDS), max_size=3),
)
orders = st.builds(
    lambda choice, reveal, move, battles, su: {
        "choice": choice,
        "reveal": reveal,
        "moves": move,
        "battle_order": battles,
        "su_moves": su,
    },
    st.sampled_from(("turn", "turn", "turn", "pass", "wait")),
    st.lists(reveals, max_size=3),
    st.lists(moves, max_size=5),
    st.lists(hexes, max_size=2),
    st.lists(
        st.builds(
            lambda su, k, p: {"su": su, "kind": k, "path": p},
            st.sampled_from(IDS),
            st.sampled_from(KINDS),
            paths,
        ),
        max_size=2,
    ),
)


@settings(max_examples=120, deadline=None)
@given(wild=orders, round_=st.sampled_from((1, 2)))
def test_whatever_is_left_of_a_wild_order_is_legal(wild: dict[str, Any], round_: int) -> None:
    """And the player's own tool refuses exactly what the GM's would."""
    game = board(tracks={"round": round_})
    asked = PassOrTurn("red", round_, 2)
    faults = faults_of(game, asked, wild)
    assert faults_of(view(game, "red"), asked, wild) == faults
    left = asked.repair(game, from_json(TurnOrder, wild))
    assert asked.check(game, left) == []
    if not faults:
        assert left == from_json(TurnOrder, wild)


@pytest.mark.parametrize("round_", [1, 2])
def test_orders_grown_from_the_options_are_always_legal(round_: int) -> None:
    """Growing by any option, from nothing to a long order, never leads into an order that is refused."""
    for seed in range(4):
        pick = random.Random(seed)
        game = board(tracks={"round": round_, "initiative": {"taken": round_ - 1}})
        seen = view(game, "red")
        asked, so_far = PassOrTurn("red", round_, 1), None
        for _ in range(9):
            options = list(asked.options(seen, so_far))
            if not options:
                break
            chosen = pick.choice(options)
            so_far = from_json(TurnOrder, chosen.answer)
            assert not chosen.complete or asked.check(game, so_far) == [], chosen.answer


def test_the_players_options_are_those_of_the_truth() -> None:
    game = board(counters={"R-AR1": {"hex": "0507"}, "R-BB1": {"hex": "0604"}, "B-DD1": {"hex": "0605"}})
    asked, so_far = PassOrTurn("red", 1, 2), TurnOrder("turn")
    truth = [o.answer for o in asked.options(game, so_far)]
    assert [o.answer for o in asked.options(view(game, "red"), so_far)] == truth
    assert len(truth) > 100


def test_the_holder_is_not_offered_a_pass_and_others_are() -> None:
    game = board()
    assert [o.answer for o in PassOrTurn("red", 1, 2).options(game)] == [{"choice": "turn"}]
    offered = [o.answer for o in PassOrTurn("blue", 1, 0).options(game)]
    assert offered == [{"choice": "pass"}, {"choice": "turn"}]


def test_a_doctrine_that_names_unknown_units_is_refused_where_it_does() -> None:
    wrong = order(
        doctrine={"rules": [{"when": {"unit": ["R-IN7"]}, "do": "retreat"}], "rebase": {"R-F9": ["0305"]}}
    )
    faults = faults_of(board(), PassOrTurn("red", 1, 2), wrong)
    assert [(f.code, f.path) for f in faults] == [
        ("E-GEN-01", ("doctrine", "rules", 0, "when", "unit", 0)),
        ("E-GEN-01", ("doctrine", "rebase", "R-F9")),
    ]


def test_battles_can_be_ordered_only_where_there_are_some() -> None:
    game = board(
        only=["R-AR1", "R-IN1", "G-IN1", "G-IN4"],
        counters={"R-AR1": {"hex": "0507"}, "R-IN1": {"hex": "0807"}},
    )
    marched = (
        {"unit": "R-AR1", "kind": "march", "path": ["0507", "0606"]},
        {"unit": "R-IN1", "kind": "march", "path": ["0807", "0908"]},
    )
    asked = PassOrTurn("red", 1, 2)
    assert faults_of(game, asked, order(*marched, battle_order=["0908", "0606"])) == []
    assert faults_of(game, asked, order(*marched, battle_order=["0908"])) == []
    wrong = faults_of(game, asked, order(*marched, battle_order=["0908", "0908", "0707"]))
    assert [f.code for f in wrong] == ["battle-twice", "no-battle-there"]
    said = asked.words(game, from_json(TurnOrder, order(*marched, battle_order=["0908", "0606"])))
    assert said[-2:] == ["battle 1 at 0908 Lessa", "battle 2 at 0606 Haska"]
    assert asked.words(game, from_json(TurnOrder, order(battle_order=[])))[-1] == "battle_order: []"


def test_a_supply_unit_may_plan_to_follow_into_a_hex_that_battle_may_clear() -> None:
    """Without the battle the same plan is refused: nothing could make it legal."""
    game = board(
        counters={"R-SU1": {"hex": "0507"}, "R-AR1": {"hex": "0507"}},
        tracks={"round": 2, "initiative": {"taken": 1}},
    )
    follow = [{"su": "R-SU1", "kind": "march", "path": ["0507", "0606"]}]
    reveal = [{"su": "R-SU1", "mode": "local"}]
    attack = {"unit": "R-AR1", "kind": "march", "path": ["0507", "0606"]}
    asked = PassOrTurn("red", 2, 1)
    assert faults_of(game, asked, order(attack, reveal=reveal, su_moves=follow)) == []
    alone = faults_of(game, asked, order(reveal=reveal, su_moves=follow))
    assert [(f.code, f.path) for f in alone] == [("E-MOV-09", ("su_moves", 0, "path", 1))]


def begin(mode: str = "doctrine") -> Any:
    """A game where red has the initiative and is asked for his first turn."""
    state = start(SYSTEM, "sarn_strait", {"battle_mode": mode})
    bids = {"red": {"bid": Reply(2, True)}, "blue": {"bid": Reply(0, True)}, "green": {"bid": Reply(0, True)}}
    return adjudicate(SYSTEM, state, Inputs(1, bids, seed=bytes(32)))


def test_a_committed_order_loses_its_bad_moves_and_keeps_the_rest() -> None:
    asked = begin()
    (question,) = asked.pending
    assert (question.party, question.kind, question.secrecy) == ("red", "turn-order", "sealed")
    good = {"unit": "R-IN4", "kind": "march", "path": ["0202", "0302"]}
    bad = {"unit": "R-IN1", "kind": "march", "path": ["0305", "0507"]}
    replies = {"red": {question.key: Reply(order(bad, good), committed=True)}}
    out = adjudicate(SYSTEM, asked.state, Inputs(2, replies, seed=bytes(32)))
    assert [(party, d.code) for party, d in out.diagnostics] == [("red", "E-MOV-03")]
    assert out.position.counters["R-IN4"]["hex"] == "0302"
    assert out.position.counters["R-IN1"]["hex"] == "0305"


def test_before_the_deadline_an_order_with_a_fault_is_refused_whole() -> None:
    asked = begin()
    (question,) = asked.pending
    good = {"unit": "R-IN4", "kind": "march", "path": ["0202", "0302"]}
    bad = {"unit": "R-IN1", "kind": "march", "path": ["0305", "0507"]}
    replies = {"red": {question.key: Reply(order(bad, good))}}
    out = adjudicate(SYSTEM, asked.state, Inputs(2, replies, seed=bytes(32)))
    assert [d.code for _, d in out.diagnostics] == ["E-MOV-03"]
    assert out.position == asked.position
    assert [q.key for q in out.pending] == [question.key]


def test_an_interactive_game_asks_for_the_order_of_two_battles() -> None:
    game = board(
        options={"battle_mode": "interactive"},
        counters={"R-AR1": {"hex": "0606"}, "R-IN1": {"hex": "0908"}},
        tracks={"battles": ["0606", "0908"], "active": "red", "plan": {"red": {"choice": "turn"}}},
    )
    from pbem.engine.answers import ScriptedSource
    from pbem.engine.play import play

    orders = {"red": {"battle-order": ["0908", "0606"]}}
    play(game, "2.T.4.1", ScriptedSource(orders), "red")
    assert game.tracks["battles"] == ["0908", "0606"]
    asked = play(game, "2.T.4.1", ScriptedSource({"red": {"battle-order": ["0908"]}}), "red")
    assert [d.code for _, d in asked.diagnostics] == ["bad-battle-order"]


def test_moves_of_supply_units_asked_on_their_own_are_checked_and_mended() -> None:
    game = board(counters={"R-SU1": {"cv": 3, "revealed": True}}, tracks={"active": "red", "round": 3})
    asked = SuMoves("red")
    options = [o.answer for o in asked.options(game)]
    assert options[0] == [] and [{"su": "R-SU1", "kind": "march", "path": ["0305", "0306"]}] in options
    assert all(faults_of(game, asked, option) == [] for option in options)
    mixed = [
        {"su": "R-SU2", "kind": "march", "path": ["0502", "0402"]},
        {"su": "R-SU1", "kind": "march", "path": ["0305", "0405"]},
        {"su": "R-SU1", "kind": "march", "path": ["0405", "0505"]},
    ]
    assert [f.code for f in faults_of(game, asked, mixed)] == ["E-MOV-01", "E-MOV-02"]
    left = asked.repair(game, from_json(asked.answer, mixed))
    assert to_json(left) == mixed[1:2]


def test_e_mov_01_tells_inactive_units_from_face_up_ones() -> None:
    game = board(tracks={"round": 2, "initiative": {"taken": 1}})
    plan = order(
        {"unit": "R-IN3", "kind": "march", "path": ["0502", "0402"]},
        {"unit": "R-SU1", "kind": "march", "path": ["0305", "0306"]},
        reveal=[{"su": "R-SU1", "mode": "local"}],
    )
    faults = faults_of(game, PassOrTurn("red", 2, 1), plan)
    assert [f.code for f in faults] == ["E-MOV-01", "E-MOV-01"]
    assert "not activated" in faults[0].message and "face up" in faults[1].message


def test_views_of_all_players_are_made_without_the_truth() -> None:
    game: Game = board()
    seen = view(game, "blue")
    assert "R-IN1" not in seen.position.counters
    assert len(seen.position.counters) == len(game.position.counters)
    kinds = {str(c["type"]) for c in seen.position.counters.values() if c["owner"] == "red"}
    assert kinds == {"?"}


def doubts(game: Game, answer: dict[str, Any]) -> list[tuple[str, str, tuple[Any, ...], str]]:
    asked = PassOrTurn("red", 1, 2)
    assert faults_of(game, asked, answer) == [], "a warning refuses nothing"
    found = asked.warnings(game, from_json(TurnOrder, answer))
    return [(one.severity, one.code, one.path, one.message) for one in found]


def march(unit: str, *path: str) -> dict[str, Any]:
    return {"unit": unit, "kind": "march", "path": list(path)}


FROM_HASKA = {"R-AR1": {"hex": "0606"}, "R-IN2": {"hex": "0606"}}
RED_HASKA = {"counters": FROM_HASKA, "remove": ["G-IN1", "G-IN2"], "tracks": {"control": {"0606": "red"}}}


def test_an_attack_that_empties_a_captured_base_is_warned_of() -> None:
    """2.5: the base reverts the moment the last garrison leaves, so nobody can retreat there."""
    game = board(**RED_HASKA)
    attack = order(march("R-IN2", "0606", "0707"), march("R-AR1", "0606", "0707"))
    assert doubts(game, attack) == [
        (
            "warning",
            "empty-base",
            ("moves", 1),
            "the attack leaves nobody in 0606 Haska, which becomes green's at once",
        )
    ]
    assert doubts(view(game, "red"), attack) == doubts(game, attack)


def test_an_attack_that_empties_a_home_base_is_warned_of_too() -> None:
    game = board(counters={"R-IN2": {"hex": "0505"}, "G-IN2": {"hex": "0506"}}, remove=["R-DB1"])
    assert doubts(game, order(march("R-IN2", "0505", "0506"))) == [
        (
            "warning",
            "empty-base",
            ("moves", 0),
            "the attack leaves nobody in 0505 Velm: the first to enter takes it",
        )
    ]


def test_nobody_is_warned_who_leaves_a_garrison_or_brings_one_or_does_not_attack() -> None:
    game = board(**RED_HASKA)
    assert doubts(game, order(march("R-AR1", "0606", "0707"))) == []
    both = (march("R-AR1", "0606", "0707"), march("R-IN2", "0606", "0707"))
    assert (
        doubts(
            board(**{**RED_HASKA, "counters": {**FROM_HASKA, "R-AR2": {"hex": "0507"}}}),
            order(*both, march("R-AR2", "0507", "0606")),
        )
        == []
    )
    assert doubts(game, order(march("R-AR1", "0606", "0507"), march("R-IN2", "0606", "0507"))) == []


def test_a_supply_unit_is_no_garrison() -> None:
    game = board(**{**RED_HASKA, "counters": {**FROM_HASKA, "R-SU1": {"hex": "0606"}}})
    assert len(doubts(game, order(march("R-IN2", "0606", "0707"), march("R-AR1", "0606", "0707")))) == 1


def test_an_attack_from_open_ground_leaves_no_base() -> None:
    game = board(counters={"R-AR1": {"hex": "0507"}})
    assert doubts(game, order(march("R-AR1", "0507", "0606"))) == []


def test_the_next_round_is_asked_ahead_as_it_will_be() -> None:
    """4.2.4: from round 2 on a turn takes a supply unit, whatever round it is now."""
    game = board()
    (ahead,) = PassOrTurn("blue", 1).ahead(game)
    assert (ahead.player, ahead.round, ahead.owed) == ("blue", 2, 0)
    assert [option.answer for option in ahead.options(game) if option.complete] == [{"choice": "pass"}]
    reveals = [option.text for option in ahead.options(game, TurnOrder("turn"))]
    assert reveals and all(text.startswith("reveal B-SU") for text in reveals)
    assert game.tracks["round"] == 1


def test_who_must_pass_in_the_next_round_is_not_asked_ahead() -> None:
    assert (
        list(PassOrTurn("red", 1, 1).ahead(board(tracks={"initiative": {"holder": "red", "quota": 1}}))) == []
    )
    (ahead,) = PassOrTurn("red", 1, 2).ahead(board())
    assert ahead.owed == 1
    assert list(PassOrTurn("green", 1).ahead(board(remove=["G-SU1"]))) == []
