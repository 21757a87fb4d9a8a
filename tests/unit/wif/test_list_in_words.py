"""What a reorganization list says before it is sent: costs, what is left, each method or why it is none."""

from __future__ import annotations

from pbem.engine.adjudicate import game_of, start
from pbem.rules import Game, from_json
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.decisions.impulse_letter import ImpulseLetter
from pbem.systems.wif.rules.entries import Letter
from pbem.systems.wif.rules.pieces import T, Unit

AXIS = ImpulseLetter("axis", "I.1", 2)


def board(*down: str) -> Game:
    state = start(SYSTEM, "narrow_sea_1943", {})
    game = game_of(SYSTEM, state, state.position)
    t = T.of(game)
    t.turn, t.impulse, t.phasing = 1, 2, "axis"
    t.rate["GE"] = 26
    for id in down:
        Unit(game, id).face = "down"
    return game


def told(game: Game, *wishes: dict[str, object]) -> list[str]:
    letter = from_json(Letter, {"action": {"GE": "land"}, "reorganize": {"GE": list(wishes)}})
    assert AXIS.check(game, letter) == []
    return AXIS.words(game, letter)


def test_each_entry_says_what_it_costs_and_what_other_methods_would() -> None:
    lines = told(
        board("GE-I1", "GE-E1"), {"unit": "GE-I1"}, {"unit": "GE-E1", "via": "hq", "source": "GE-HQ1"}
    )
    assert lines[:3] == [
        "GE: land action",
        "GE:",
        "  #1 GE-I1 <- limited 0606, path 0/0: 3 RPs, 23 left",
    ]
    assert lines[3].startswith("     could be: limited 0606, path 0/0: 3; secondary GE-HQ1, path 2/4: 3; ")
    assert "rail 1105, path 0/4: 3" in lines[3] and "hq GE-HQ1, path 2/4: 3" in lines[3]
    assert lines[4].startswith("     not: primary (E-PATH no legal path; shortest is 5, limit 4); ")
    assert "  #2 GE-E1 <- hq GE-HQ1, path 1/4: 5 RPs, 18 left" in lines


def test_a_later_entry_is_told_on_what_the_earlier_ones_leave() -> None:
    """GE-I1 takes the limited source of Bellangue; what stands beside it is told that it is used up."""
    lines = told(board("GE-I1", "GE-GR1"), {"unit": "GE-I1", "via": "limited"}, {"unit": "GE-GR1"})
    second = lines.index("  #2 GE-GR1 <- secondary GE-HQ1, path 2/4: 2 RPs, 21 left")
    assert "limited (E-LIM limited source 0606 has already served its unit)" in lines[second + 2]


def test_what_would_be_skipped_is_a_doubt_and_changes_nothing() -> None:
    game = board("GE-I1")
    letter = from_json(Letter, {"action": {"GE": "land"}, "reorganize": {"GE": [{"unit": "GE-I2"}]}})
    of_it = AXIS.explained(game, letter)
    assert of_it.faults == () and [doubt.code for doubt in of_it.doubts] == ["skipped"]
    assert "E-FACEUP" in of_it.words[-1]
    assert Unit(game, "GE-I1").down and game.tracks["occasion"] is None, "the game is not touched"


def test_a_chit_that_does_not_fit_is_a_doubt_and_the_rest_counts() -> None:
    """R-126 It is not spent."""
    game = board("GE-HQ2")
    letter = from_json(
        Letter, {"action": {"GE": "land"}, "chit": {"GE": {"kind": "land", "hq": "GE-HQ2"}}, "i": []}
    )
    of_it = AXIS.explained(game, letter)
    assert of_it.faults == ()
    (doubt,) = of_it.doubts
    assert (doubt.severity, doubt.code, doubt.path) == ("warning", "E-PROVIDER", ("chit", "GE"))
    assert "GE-HQ2 is not a face-up headquarters of GE: the chit is not spent" in doubt.message


def test_an_attack_says_its_odds_before_anybody_signs() -> None:
    letter = from_json(Letter, {"action": {"GE": "land"}, "n": [{"hex": "1002", "units": ["GE-MT1"]}]})
    said = AXIS.words(board(), letter)
    (attack,) = [line for line in said if "1002" in line]
    assert "; odds 2:1: take 1002: 40% · clear 1002: 20% · eliminated: 40% · " in attack
    assert "expected losses 0.6 against 0.5 units" in attack
