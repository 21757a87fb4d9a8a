"""What a player reads before ordering: cards, events, victory conditions, odds, warnings (4.13, 4.28, 7)."""

from __future__ import annotations

from typing import Any

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.model.codec import from_json
from pbem.systems.totaler_krieg import SYSTEM
from pbem.systems.totaler_krieg.rules.background import background
from pbem.testing.runner import prepare


def begun(scenario: str = "lodestar") -> Game:
    return game_of(SYSTEM, start(SYSTEM, scenario, {}))


def lines(game: Game) -> dict[str, tuple[str, ...]]:
    return {one.title: one.parts for one in background(game)}


def test_all_that_cards_ask_and_do_is_told() -> None:
    told = lines(begun())
    assert told["Card AX-2 Armoured Reserve (Axis)"] == (
        "requires: Axis controls 0603 Norburg",
        "N-PZC into the Force Pool of Axis",
        "replacements: 1 Norland armor, 1 Norland infantry",
    )
    assert told["Card SO-1 Winter Offensive (Soviet)"][0] == "type offensive (not twice in a row)"
    assert "political event PE-W each turn" in told["Card AX-3 Court Weyland (Axis)"]
    assert told["Political event PE-W (d6)"] == ("1: Weyland joins Axis", "2-6: nothing")
    assert told["Conditional event CE-W1 (Western)"] == (
        "in the box",
        "if Western controls 0608 Tamarine",
        "Tamar is conquered by Western",
        "once",
    )


def test_victory_modifiers_and_turns_to_come_are_told() -> None:
    told = lines(begun("lodestar_beyond"))
    assert told["Turns to come"][0] == "2 Jan-Feb (desert clear; north snow)"
    assert told["Turns to come"][-1] == "5 May-Jun (seasonal; the game ends)"
    assert told["Victory at once"][0] == "Axis, if the victory value is 4 or more"
    assert told["Delay modifiers"] == ("Axis -2", "Western -3", "Soviet -2")
    assert told["Added to the value"][0].startswith("+1 for each of A-COLL")
    assert told["War may be declared"] == ("Axis on Weyland, if it is turn 2 or later",)


def test_a_card_says_where_it_is_and_the_turns_that_are_over_are_left_out() -> None:
    game = begun()
    game.tracks["turn"] = 3
    game.tracks["current"] = {"axis": "AX-2"}
    game.tracks["played"] = {"axis": [{"card": "AX-1", "turn": 1}, {"card": "AX-2", "turn": 3}]}
    told = lines(game)
    assert told["Card AX-1 Winter Levy (Axis)"][0] == "played in turn 1"
    assert told["Card AX-2 Armoured Reserve (Axis)"][0] == "in play"
    assert told["Turns to come"] == ("4 Apr-May (desert storms; north mud)",)


def test_the_question_for_cards_has_it_all() -> None:
    game = begun()
    asked = SYSTEM.decision("next-card", "axis", {"power": "axis"})
    options = {tuple(option.answer): option.text for option in asked.options(game)}
    assert options["AX-2",].startswith("AX-2 Armoured Reserve: requires: Axis controls 0603 Norburg; ")
    assert options["AX-2", "AX-1"] == "AX-2 Armoured Reserve, then AX-1 Winter Levy"
    titles = [one.title for one in asked.beside(game)]
    assert "Victory at once" in titles and "Card WE-2 Second Front (Western)" in titles
    assert not any("(Axis)" in title and title.startswith("Card") for title in titles), "options have those"


def explained(game: Game, answer: dict[str, Any], power: str = "axis") -> tuple[list[str], list[str]]:
    """The warnings of an order of combat, and what was understood."""
    asked = SYSTEM.decision("combat", power, {"power": power})
    assert isinstance(asked, Growing)
    found = asked.explained(game, from_json(asked.answer, answer))
    assert not found.faults
    return [doubt.message for doubt in found.doubts], list(found.words)


def test_odds_tell_the_column_with_the_defenders_hq() -> None:
    """4.20, 4.13.2: R-HQ1 in 1004 may help the defence of 0905."""
    clear = {"turn": 3, "weather": {"north": "clear", "desert": "clear"}}
    given = {"tracks": clear, "counters": {"R-IN2": {"hex": "1104"}}}
    game = prepare(SYSTEM, given)
    order = {"regular": [{"id": "G1", "target": "0905", "units": ["N-AR1", "N-IN1"]}]}
    assert explained(game, order)[1] == [
        "regular G1 on 0905: N-AR1, N-IN1; odds 5-1, with R-HQ1 1-2; take 0905: 0% · retreat: 100% · "
        "expected losses 0.5 against 0.0 steps (if R-HQ1 supports the defence) · if the attackers lose a "
        "step rather than retreat: 33% · if no HQ supports the defence: 100%"
    ]
    without = prepare(SYSTEM, {**given, "remove": ["R-HQ1"]})
    assert explained(without, order)[1] == [
        "regular G1 on 0905: N-AR1, N-IN1; odds 5-1; take 0905: 100% · expected losses 0.3 against 1.0 steps"
    ]


def test_odds_of_a_blitz_have_its_modifiers() -> None:
    """4.18: supplied armour gives a column in the Blitz segment alone."""
    given = {
        "tracks": {"turn": 3, "weather": {"north": "clear", "desert": "clear"}},
        "counters": {"N-BLITZ": {"hex": "0804", "spot": "map", "seen": True}},
        "remove": ["R-HQ1"],
    }
    game = prepare(SYSTEM, given)
    attack = {"id": "B1", "target": "0904", "units": ["N-AR1", "N-SS1"]}
    (blitz,), (regular,) = (explained(game, {segment: [attack]})[1] for segment in ("blitz", "regular"))
    assert "odds 3-2; take 0904:" in blitz and "odds 1-1; take 0904:" in regular
    cases = {forecast.case: forecast.odds for forecast in SYSTEM.forecasts(game, "0904", ["N-AR1", "N-SS1"])}
    assert cases == {"in a Blitz": "3-2", "": "1-1"}


def test_a_unit_named_twice_is_warned_of() -> None:
    """R-301: G1 has no guard, so that N-AR1 will be taken out of G2."""
    game = prepare(SYSTEM, {"tracks": {"turn": 3, "weather": {"north": "clear", "desert": "clear"}}})
    twice = [
        {"id": "G1", "target": "0904", "units": ["N-AR1"]},
        {"id": "G2", "target": "0905", "units": ["N-AR1", "N-IN1"], "guard": {"if_lost_le": 0}},
    ]
    assert explained(game, {"regular": twice})[0] == ["if N-AR1 attacks in G1, it is taken out of G2"]
    assert explained(game, {"regular": twice[:1]})[0] == []


def test_a_unit_that_may_attack_or_land_is_warned_of() -> None:
    """4.19: whether A-MA1 lands depends on the guard of its attack."""
    counters = {
        "A-SF1": {"hex": "0507", "spot": "map", "back": "beachhead", "facing": 3, "seen": True},
        "A-MA1": {"hex": "0507"},
        "A-IN1": {"hex": "0507"},
        "T-IN1": {"hex": "0606"},
    }
    game = prepare(SYSTEM, {"tracks": {"turn": 1, "weather": {"north": "clear"}}, "counters": counters})
    attack = {"id": "B1", "target": "0606", "units": ["A-MA1"], "guard": {"if_lost_le": 0}}
    order = {"blitz": [attack], "landings": ["A-MA1", "A-IN1"]}
    assert explained(game, order, "western")[0] == ["if A-MA1 attacks in B1, it does not land"]
