"""Effect verbs and predicates of cards and events (5.14): each does what it says, and says what is wrong."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.kit.decks import Deck
from pbem.rules import Game, Json, Refused
from pbem.systems.totaler_krieg import SYSTEM
from pbem.systems.totaler_krieg.rules.cards import card_faults
from pbem.systems.totaler_krieg.rules.decisions.defence import StandIn
from pbem.systems.totaler_krieg.rules.pieces import Played, State, T, piece, world_of
from pbem.systems.totaler_krieg.rules.politics import apply
from pbem.systems.totaler_krieg.rules.reading import build_world
from pbem.systems.totaler_krieg.rules.verbs import WORDS
from pbem.testing.runner import prepare

from .test_against_a_plain_attack import drive


@pytest.fixture
def game() -> Game:
    """Lodestar at its start, in the axis turn."""
    found = prepare(SYSTEM, {})
    T.of(found).acting = "axis"
    return found


def run(game: Game, *effects: Json, die: int = 1) -> list[str]:
    """Carry out effects as a card has them; what was told."""
    drive(apply(game, WORDS.effects_of(list(effects), (), game.world)), game, die, 0)
    return [str(told.event["event"]) for told in game.told]


def holds(game: Game, predicate: Json) -> bool:
    return WORDS.predicate_of(predicate, (), game.world).holds(game)


# effects


def test_force_pool_add_brings_what_is_out_and_nothing_else(game: Game) -> None:
    run(game, {"force_pool_add": {"faction": "axis", "counters": ["N-PZC", "N-AR1"]}})
    assert piece(game, "N-PZC").spot == "pool" and piece(game, "N-AR1").spot == "map"


def test_delay_box_add(game: Game) -> None:
    run(game, {"delay_box_add": {"faction": "western", "counters": ["A-CON3"]}})
    assert piece(game, "A-CON3").spot == "delay"


def test_track_add_counts_from_the_present_turn(game: Game) -> None:
    run(game, {"track_add": {"counter": "R-PART", "turns_ahead": 3}})
    assert (piece(game, "R-PART").spot, piece(game, "R-PART").due) == ("track", 4)
    run(game, {"track_add": {"counter": "N-AR1", "turns_ahead": 3}})
    assert piece(game, "N-AR1").spot == "map", "what is in the game stays where it is"


def test_replacement_steps_are_added_to_the_next_segment(game: Game) -> None:
    run(game, {"replacement_steps": {"country": "norland", "kind": "any", "n": 2}})
    assert T.of(game).added_steps["axis"] == (("norland", "any", 2),)


def test_csv_modifier_adds_up(game: Game) -> None:
    run(game, {"csv_modifier": {"n": 2}}, {"csv_modifier": {"n": -1}})
    assert T.of(game).csv_modifier == 1


def test_drm_sets_the_modifier(game: Game) -> None:
    run(game, {"drm": {"faction": "western", "which": "delay", "n": -4}})
    assert T.of(game).drm["western"] == {"delay": -4, "political": 0}


def test_set_posture(game: Game) -> None:
    run(game, {"set_posture": {"country": "rosk", "faction": "axis", "posture": "truce"}})
    assert T.of(game).postures["rosk"] == {"western": "truce", "axis": "truce"}


def test_activate_is_for_neutral_countries_only(game: Game) -> None:
    run(game, {"activate": {"country": "weyland", "faction": "axis"}}, die=1)
    assert T.of(game).countries["weyland"] == State("active", "axis")
    assert piece(game, "W-IN1").hex == "0501" and piece(game, "W-IN1").steps == 2
    told = run(game, {"activate": {"country": "weyland", "faction": "western"}})
    assert T.of(game).countries["weyland"].alignment == "axis" and told.count("mobilized") == 1


def test_conquer_and_liberate(game: Game) -> None:
    run(game, {"conquer": {"country": "tamar", "by": "western"}})
    assert T.of(game).countries["tamar"] == State("conquered", "axis", "western")
    assert {piece(game, id).spot for id in ("T-IN1", "T-IN2")} == {"out"}
    run(game, {"liberate": {"country": "tamar", "faction": "soviet"}})
    assert T.of(game).countries["tamar"] == State("active", "soviet")
    assert {(piece(game, id).spot, piece(game, id).owner) for id in ("T-IN1", "T-IN2")} == {
        ("pool", "soviet")
    }
    assert T.of(game).postures["tamar"] == T.of(game).postures["rosk"], (
        "the postures of its first major country"
    )


def test_set_war_state(game: Game) -> None:
    before = str(T.of(game).war_state)
    for state in (before, "limited", "limited"):
        run(game, {"set_war_state": {"state": state}})
    assert T.of(game).war_state == "limited" != before
    applied = [told.event for told in game.told if told.event["event"] == "effect-applied"]
    assert [one["changed"] for one in applied] == [False, True, False]


def test_card_moves_from_wherever_it_is(game: Game) -> None:
    run(game, {"card": {"faction": "axis", "move": "out_of_game", "id": "AX-1"}})
    assert Deck(T.of(game).decks, "axis").where("AX-1") == "out"
    run(game, {"card": {"faction": "axis", "move": "to_hand", "id": "AX-1"}})
    assert Deck(T.of(game).decks, "axis").where("AX-1") == "hand/axis"


def test_conditional_event_is_added_and_removed(game: Game) -> None:
    run(game, {"conditional_event": {"faction": "axis", "add": "CE-A1"}})
    assert T.of(game).boxes["axis"] == ("CE-A1",)
    run(game, {"conditional_event": {"faction": "axis", "remove": "CE-A1"}})
    assert T.of(game).boxes["axis"] == ()


def test_eliminate_steps_takes_units_on_the_map(game: Game) -> None:
    run(game, {"eliminate_steps": {"faction": "axis", "country": "tamar", "n": 5}})
    assert piece(game, "T-IN1").spot == "pool", "fewer steps than n: all of them"


def test_eliminate_steps_asks_who_stands_in(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        StandIn, "default", lambda asked, _: "N-IN5" if asked.hex == "0804" else asked.able[0]
    )
    run(game, {"eliminate_steps": {"faction": "axis", "country": "norland", "n": 3}})
    assert piece(game, "N-AR1").spot == "pool" and piece(game, "N-IN4").spot == "pool"
    assert piece(game, "N-IN5").hex == "0804", "4.25: the owner's choice, after N-AB1 and a step of N-AR1"


def test_roll_table_rolls_again_with_the_same_modifier(game: Game) -> None:
    told = run(game, {"roll_table": {"table": "PE-W"}}, die=2)
    assert "political-rolled" in told and T.of(game).countries["weyland"].alignment == "axis"


def test_end_game_is_decided_by_the_bands(game: Game) -> None:
    run(game, "end_game", {"csv_modifier": {"n": 9}})
    assert T.of(game).result == "draw" and T.of(game).csv_modifier == 0, "nothing happens afterwards"


# predicates


def test_predicates(game: Game) -> None:
    assert holds(game, {"controls": {"faction": "axis", "hex": "0804"}})
    assert not holds(game, {"controls": {"faction": "axis", "hex": "1104"}})
    assert holds(game, {"has_unit": {"faction": "axis", "in": "tamar"}})
    assert holds(game, {"has_unit": {"country": "tamar", "in": "0608"}})
    assert not holds(game, {"has_unit": {"faction": "western", "in": "norland"}})
    assert holds(game, {"country_status": {"country": "weyland", "is": "neutral"}})
    assert holds(game, {"war_state": {"at_least": "limited"}})
    assert holds(game, {"turn": {"at_least": 1, "at_most": 1}}) and not holds(game, {"turn": {"at_least": 2}})
    assert holds(game, {"csv": {"at_most": 0}}) and not holds(game, {"csv": {"at_least": 1}})
    assert not holds(game, {"card_played": {"faction": "axis", "id": "AX-1"}})
    T.of(game).current["axis"] = "AX-1"
    assert holds(game, {"card_played": {"faction": "axis", "id": "AX-1"}})
    both: list[Json] = [{"turn": {"at_least": 1}}, {"not": {"csv": {"at_least": 1}}}]
    assert holds(game, {"all": both}) and holds(game, {"any": [both[1], {"turn": {"at_least": 9}}]})


def test_every_verb_is_tried_here() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [name for name in (*WORDS.effects, *WORDS.predicates) if f'"{name}"' not in text] == []


# what is wrong with a card


CARDS: list[tuple[dict[str, Any], str, tuple[str | int, ...]]] = [
    ({"segment_actions": [{"force_pool_ad": {}}]}, "unknown-verb", ("segment_actions", 0, "force_pool_ad")),
    ({"segment_actions": [{"drm": {"faction": "axis", "which": "delay"}}]}, "missing-key", ()),
    ({"segment_actions": [{"drm": {"faction": "axes", "which": "delay", "n": 1}}]}, "unknown-name", ()),
    (
        {"segment_actions": [{"force_pool_add": {"faction": "axis", "counters": ["N-XX"]}}]},
        "unknown-name",
        (),
    ),
    ({"requires": {"controls": {"faction": "axis", "hex": "9999"}}}, "unknown-name", ()),
    ({"requires": {"any": [{"turns": {}}]}}, "unknown-verb", ("requires", "any", 0, "turns")),
    ({"replacements": [["norland", "infantry"]]}, "bad-replacement", ("replacements", 0)),
    ({"political_events": ["PE-Z"]}, "unknown-event", ("political_events", 0)),
    ({"colour": "green"}, "bad-colour", ("colour",)),
    ({"type": "ofensive"}, "bad-type", ("type",)),
    ({"type": "offensive", "no_repeat_type": "yes"}, "bad-flag", ("no_repeat_type",)),
    ({"once_per_year": 1}, "bad-flag", ("once_per_year",)),
    ({"titel": "x"}, "unknown-key", ("titel",)),
    ({"segment_actions": [{"conditional_event": {"faction": "axis"}}]}, "bad-arguments", ()),
]


@pytest.mark.parametrize(("card", "code", "path"), CARDS)
def test_a_faulty_card_is_refused_with_its_path(
    card: dict[str, Any], code: str, path: tuple[str | int, ...]
) -> None:
    scenario = deepcopy(SYSTEM.scenario("lodestar"))
    scenario["decks"]["axis"]["AX-9"] = card
    with pytest.raises(Refused) as refused:
        build_world(SYSTEM, scenario, {})
    found = {(fault.code, fault.path) for fault in refused.value.diagnostics}
    here = ("decks", "axis", "AX-9")
    assert code in {fault[0] for fault in found}
    assert all(fault[1][:3] == here for fault in found)
    assert not path or (code, (*here, *path)) in found


def test_a_scenario_adds_types_of_cards() -> None:
    scenario = deepcopy(SYSTEM.scenario("lodestar")) | {"card_types": ["naval"]}
    scenario["decks"]["axis"]["AX-9"] = {"type": "naval", "no_repeat_type": True}
    card = build_world(SYSTEM, scenario, {}).cards["AX-9"]
    assert (card.type, card.no_repeat_type, card.once_per_year) == ("naval", True, False)


def test_a_card_once_a_year_is_barred_by_any_play_of_it_in_that_year(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    t, world = T.of(game), world_of(game)
    card = replace(world.cards["AX-1"], once_per_year=True)
    monkeypatch.setattr(world, "cards", {**world.cards, "AX-1": card})
    t.played = {"axis": (Played("AX-2", 1), Played("AX-1", 1), Played("AX-3", 1))}
    assert card_faults(game, "axis", "AX-1") == ["AX-1 was already played this year"]
    t.played = {"axis": (Played("AX-2", 1),)}
    assert card_faults(game, "axis", "AX-1") == []


def test_a_year_may_begin_with_the_second_turn() -> None:
    scenario = deepcopy(SYSTEM.scenario("lodestar"))
    scenario["turns"] = scenario["turns"][1:]
    world = build_world(SYSTEM, scenario, {})
    assert [world.year(turn) for turn in (1, 2, 3)] == [0, 1, 1], "January, March, April"


def test_a_political_event_names_every_face() -> None:
    scenario = deepcopy(SYSTEM.scenario("lodestar"))
    scenario["political_events"]["PE-W"]["results"] = {"1-2": [], "7": []}
    with pytest.raises(Refused) as refused:
        build_world(SYSTEM, scenario, {})
    assert {fault.code for fault in refused.value.diagnostics} == {"bad-faces", "missing-faces"}


def test_the_last_face_is_one_of_them() -> None:
    scenario = deepcopy(SYSTEM.scenario("lodestar"))
    scenario["political_events"]["PE-W"]["results"] = {"1-5": []}
    with pytest.raises(Refused) as refused:
        build_world(SYSTEM, scenario, {})
    assert [(fault.code, fault.path[-1]) for fault in refused.value.diagnostics] == [
        ("missing-faces", "results")
    ]


def test_turns_count_from_one() -> None:
    scenario = deepcopy(SYSTEM.scenario("lodestar"))
    scenario["decks"]["axis"]["AX-9"] = {"requires": {"turn": {"at_least": 1}}}
    assert "AX-9" in build_world(SYSTEM, scenario, {}).cards
    scenario["decks"]["axis"]["AX-9"] = {"requires": {"turn": {"at_least": 0}}}
    with pytest.raises(Refused):
        build_world(SYSTEM, scenario, {})
