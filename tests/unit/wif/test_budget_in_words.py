"""E.3.2 What a turn letter says of production before it is sent: points, gearing, force pool, refusals."""

from __future__ import annotations

from typing import Any

from pbem.engine.adjudicate import game_of, start
from pbem.engine.decisions import Explained
from pbem.rules import Game, from_json
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.decisions.turn_letter import TurnLetters
from pbem.systems.wif.rules.entries import TurnLetter
from pbem.systems.wif.rules.pieces import T


def board() -> Game:
    state = start(SYSTEM, "narrow_sea_1943", {})
    game = game_of(SYSTEM, state, state.position)
    T.of(game).turn = 1
    return game


def told(point: str = "turn", game: Game | None = None, **letter: Any) -> Explained:
    asked = TurnLetters("axis", point, 1)
    return asked.explained(game or board(), from_json(TurnLetter, letter))


def test_an_order_says_what_there_is_and_what_is_left() -> None:
    """EX-32: 6 factories x 3/2 and 12 off the map and 1 saved are 22."""
    of_it = told(production={"GE": {"build": ["INF 5-3", "INF 5-3", "ARM", "FTR"], "rp": 3}})
    assert of_it.doubts == ()
    assert list(of_it.words) == [
        "GE: 22 build points, with 6 factories and 8 resources",
        "  GE buys INF 5-3, INF 5-3, ARM 8-5, FTR 6/1/0/0 r4 c2 for 14",
        "  GE buys 3 reorganization points",
        "  GE saves 5; rate 20 next turn",
        "  gearing: INF 2 of 2, ARM 1 of 2, CAV 0 of 1, ART 0 of 1, AIR 1 of 3, SHIP 0 of 1, SUB 0 of 2, "
        "SUP 0 of 1, RP 3 of 3",
        "  force pool: INF 5-3 (3, INF), MECH 6-4 (5, ARM), FTR 6/1/0/0 r4 c2 (2, AIR), "
        "SUPPLY cost 3 (3, SUP)",
    ]


def test_purchases_that_will_be_refused_are_doubts_with_their_places() -> None:
    listed = ["INF 5-3", "INF 5-3", "INF 5-3", "ARM", "MECH", "FTR"]
    of_it = told(production={"GE": {"build": listed, "rp": 9}})
    assert [(doubt.code, doubt.path, doubt.severity) for doubt in of_it.doubts] == [
        ("E-GEAR", ("production", "GE", "build", 2), "warning"),
        ("E-GEAR", ("production", "GE", "rp"), "warning"),
    ]
    dear = told(
        production={"GE": {"buy": [{"unit": "ARM"}], "build": ["MECH", "INF", "INF", "FTR", "SUPPLY", "FTR"]}}
    )
    assert [(doubt.code, doubt.path) for doubt in dear.doubts] == [("E-BP", ("production", "GE", "build", 5))]
    assert dear.faults == ()


def test_who_buys_nothing_is_told_that_his_rate_is_0() -> None:
    """6 Default: save everything. The rate of the next turn is what was spent."""
    for letter in ({}, {"production": {"GE": {"rp": 0}}}, {"order": "first"}):
        (doubt,) = told(**letter).doubts
        assert doubt.severity == "warning"
        assert doubt.message == "GE buys nothing: 22 build points are saved, its rate next turn is 0"
    assert list(told().words) == [
        "nothing; GE buys nothing: 22 build points are saved, its rate next turn is 0"
    ]


def test_a_letter_that_is_asked_for_after_production_says_nothing_of_it() -> None:
    assert told("A.3").doubts == () == told("opening").doubts


def test_what_an_earlier_letter_buys_is_not_missed() -> None:
    game = board()
    T.of(game).turn_letters = {"axis": {"production": {"GE": {"rp": 3}}}}
    assert told("E.3.2", game).doubts == ()
    assert [doubt.code for doubt in told("turn", game).doubts] == ["nothing-bought"]


def test_loans_count() -> None:
    game = board()
    T.of(game).lent = {"CW": {"USA": 30}}
    asked = TurnLetters("allied", "turn", 1)
    letter = from_json(TurnLetter, {"production": {"CW": {"rp": 1}, "USA": {"rp": 1}}})
    words = "\n".join(asked.explained(game, letter).words)
    assert "CW: 0 build points, with 4 factories and 5 resources\n  CW borrows 0 and lends 20" in words
    assert "USA: 37 build points, with 6 factories and 9 resources\n  USA borrows 20 and lends 0" in words


def test_units_that_cannot_be_paid_are_not_offered() -> None:
    game = board()
    T.of(game).saved["GE"] = -19
    offered = [option.text for option in TurnLetters("axis", "turn", 1).options(game)]
    assert "GE buys FTR 6/1/0/0 r4 c2 for 2 of 2" in offered
    assert not any("INF" in text for text in offered)
    assert "GE spends 2 on points" in offered
