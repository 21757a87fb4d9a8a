"""Powers beside seats: who is asked, who works with whom, and what changes when a power changes hands."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.bot.games import play, seen_by
from pbem.engine import powers
from pbem.engine.adjudicate import Outcome, adjudicate, facts, game_of, start
from pbem.engine.answers import Inputs, Reply, ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import play as play_part
from pbem.engine.system import System
from pbem.model.state import dump, from_json
from pbem.text.diagnostics import Refused
from tests.primer import SYSTEM as PRIMER
from tests.unit.engine.congress import FOG, SYSTEM, RaiseMoney


def congress(system: System = SYSTEM, **tracks: Any) -> Game:
    game = game_of(system, start(system, "europe"))
    game.tracks.update(tracks)
    return game


def test_a_player_runs_several_powers() -> None:
    game = congress()
    assert game.powers == ("germany", "italy", "uk", "france", "ussr")
    assert game.seat("italy") == "axis" and game.powers_of("allies") == ("uk", "france", "ussr")
    assert game.seat("axis") == "axis", "a player stands for himself"


def test_without_powers_the_players_are_the_powers_and_nothing_is_kept() -> None:
    state = start(PRIMER, "ford")
    game = game_of(PRIMER, state)
    assert game.powers == ("north", "south") and game.powers_of("north") == ("north",)
    assert powers.TRACK not in state.position.tracks


def test_powers_of_a_side_cooperate_or_do_not() -> None:
    game = congress()
    assert game.cooperate("germany", "italy") and game.cooperate("italy", "germany")
    assert not game.cooperate("uk", "ussr"), "one player runs both, and still they do not"
    assert game.cooperate("ussr", "ussr")


def test_a_question_goes_to_who_controls_the_power_and_names_it_in_its_key() -> None:
    outcome = adjudicate(SYSTEM, start(SYSTEM, "europe"), Inputs(0))
    (question,) = outcome.pending
    assert (question.party, question.key) == ("axis", "T1/germany/P.1/raise-money/germany")
    assert question.fields == {"power": "germany"}
    assert outcome.place == "Turn 1, germany, Money and attack"


def test_a_power_taken_in_play_is_asked_of_its_new_seat() -> None:
    game = congress(money={"germany": 4, "italy": 1, "uk": 9, "france": 2, "ussr": 3})
    script = ScriptedSource({"allies": {"raise-money": 0, "attack": "italy"}}, [[6]])
    played = play_part(game, "P.1", script, "uk")
    assert [told.event["event"] for told in played.told] == ["raised", "attacked", "handed-over"]
    assert game.seat("italy") == "allies" and game.powers_of("axis") == ("germany",)
    (question,) = play_part(game, "P.1", ScriptedSource({}), "italy").pending
    assert (question.party, question.key) == ("allies", "P.1/raise-money/italy")


def test_an_example_answers_for_each_power_by_the_end_of_the_key() -> None:
    game = congress()
    answers = {"raise-money/uk": 1, "raise-money/ussr": 2, "raise-money/france": 3, "attack": "peace"}
    peace = {"in_turn": ["peace"] * 3}
    script = ScriptedSource(
        {
            "allies": {**answers, "attack": peace},
            "axis": {"raise-money": {"in_turn": [0, 0]}, "attack": {"in_turn": ["peace"] * 2}},
        }
    )
    assert not play_part(game, "P", script).pending and not script.unused_orders()
    assert game.tracks["money"] == {"germany": 4, "italy": 1, "uk": 4, "france": 5, "ussr": 5}


def test_rules_that_ask_the_wrong_player_about_a_power_are_caught() -> None:
    with pytest.raises(AssertionError, match="raise-money about italy is asked of allies, axis controls it"):
        powers.check(congress(), RaiseMoney("allies", "italy"))


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["public", "fog"])
def test_bots_play_to_the_end_and_powers_change_hands(system: System) -> None:
    handed = 0
    for seed in range(6):
        played = play(system, "europe", seed=str(seed))
        assert played.last.finished and not played.refused
        events = [told.event["event"] for stage in played.stages for told in stage.outcome.told]
        handed += events.count("handed-over")
        held: Any = played.last.position.tracks["held"]
        seats: Any = played.last.position.tracks["seats"]
        assert held["axis"] + held["allies"] == 5 and set(seats.values()) <= {"axis", "allies"}
    assert handed, "a power was handed over in mid-game"


def test_what_is_for_the_owner_is_told_to_the_seat_of_the_power() -> None:
    game = congress(FOG)
    play_part(game, "P.1", ScriptedSource({"axis": {"raise-money": 1, "attack": "peace"}}), "italy")
    assert [told.audience for told in game.told if told.event["event"] == "raised"] == [("axis",)]
    game.hand_over("italy", "allies")
    assert game.friends("italy") == ("allies",)


def test_everybody_sees_who_controls_what() -> None:
    outcome = adjudicate(FOG, start(FOG, "europe"), Inputs(0))
    fact = next(one for one in facts(FOG, outcome) if one.key == "track/seats")
    assert fact.audience == ("*",)
    assert seen_by(FOG, outcome, "allies").powers_of("axis") == ("germany", "italy")


def test_a_view_that_a_system_makes_itself_knows_who_controls_what_all_the_same() -> None:
    system = replace(FOG, facts_hook=lambda game: [], view_hook=lambda facts, player, world: Position())
    outcome = adjudicate(system, start(system, "europe"), Inputs(0))
    outcome.position.tracks["seats"] = {**outcome.position.tracks["seats"], "italy": "allies"}  # type: ignore[dict-item]
    assert seen_by(system, outcome, "allies").seat("italy") == "allies"


def test_a_power_that_changed_hands_stays_where_it_went_when_the_game_is_saved() -> None:
    outcome: Outcome = adjudicate(SYSTEM, start(SYSTEM, "europe"), Inputs(0))
    for stage, answers in enumerate([{"raise-money": 0, "attack": "france"}], 1):
        replies = {"axis": {kind: Reply(value) for kind, value in answers.items()}}
        state = from_json(json.loads(dump(outcome.state.to_json())))
        seed = next(
            bytes([n]) * 32
            for n in range(99)
            if _taken(adjudicate(SYSTEM, state, Inputs(stage, replies, seed=bytes([n]) * 32)))
        )
        outcome = adjudicate(SYSTEM, state, Inputs(stage, replies, seed=seed))
    again = game_of(SYSTEM, from_json(json.loads(dump(outcome.state.to_json()))))
    assert again.seat("france") == "axis"


def _taken(outcome: Outcome) -> bool:
    return "handed-over" in [told.event["event"] for told in outcome.told]


@pytest.mark.parametrize(
    "scenario, fault",
    [
        (
            {"powers": {"italy": {"seat": "centre"}}},
            "the power italy has the seat centre. Use one of: axis, allies",
        ),
        ({"powers": {"Italy!": {"seat": "axis"}}}, "'Italy!' can't be part of a key"),
        ({"cooperate": [["axis", "spain"]]}, "there is no power spain"),
    ],
)
def test_powers_that_cannot_be_are_refused(scenario: dict[str, Any], fault: str) -> None:
    with pytest.raises(Refused) as caught:
        powers.put_up(scenario, ("axis", "allies"), game_of(SYSTEM, start(SYSTEM, "europe")).position)
    assert caught.value.diagnostics[0].message.startswith(fault)
