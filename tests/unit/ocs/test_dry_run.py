"""`orders check` of a segment is a dry run: ways, fuel, supply, odds, what is left without trace."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.model.codec import from_json
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.actions import Batch
from pbem.systems.ocs.rules.decisions.loop import Actions
from pbem.text.messages import Message, in_language
from pbem.text.translating import translated


def board(phase: str = "C", side: str = "aster", **hexes: str) -> Game:
    game = game_of(SYSTEM, start(SYSTEM, "crossing_the_tol", {}))
    game.tracks.update({"phase": phase, "acting": side, "turn": 1})
    for id, hex in hexes.items():
        game.position.move(id.replace("_", "-"), hex)
    return game


def batch(*actions: Any) -> Batch:
    return from_json(Batch, {"actions": list(actions)})


def words(game: Game, segment: str, *actions: Any) -> list[str]:
    return Actions("aster", segment, 1).words(game, batch(*actions))


def test_a_way_tells_its_cost_and_its_fuel() -> None:
    said = words(board(), "movement", {"move": {"units": ["A5-R"], "fuel": "single", "path": ["07.05"]}})
    assert said[0] == "fuel (single) for A5-R: 1 T from 05.05; A5-R from 06.04 by 07.05, 1 of 8 MP"


def test_a_stop_is_foreseen() -> None:
    move = {"units": ["A-22"], "path": ["08.04", "08.03"], "if_blocked": "stop"}
    assert "stops: 08.03 holds enemy combat units" in words(board(), "movement", {"move": move})[0]


def test_where_the_dice_come_in_is_said() -> None:
    move = {"units": ["A-22"], "steps": [{"overrun": {"hex": "08.03"}}]}
    game = board()
    game.position.set("B-103", facing="move")
    assert words(game, "movement", {"move": move})[0].endswith("then the dice")


def test_an_attack_tells_odds_and_supply() -> None:
    attack = {"attack": {"hex": "08.06", "units": ["A-21", "A5-M"]}}
    said = words(board("F", A5_M="07.07"), "combat", attack)
    assert said[0] == (
        "A-21, A5-M attack 08.06: 12 against 10, column 1:1, 5 T; take 08.06: 74% · attack fails: 26% · "
        "expected losses 1.6 against 0.1 steps (if the defender pays combat supply) · if the defender pays "
        "no supply: 82% · if the defender holds and loses steps: 4% · after a barrage that disorganizes "
        "them: 93%; then the dice"
    )


@pytest.mark.parametrize(("phase", "segment"), [("E", "reaction"), ("G", "exploitation")])
def test_an_overrun_tells_its_forecast_in_reaction_and_exploitation(phase: str, segment: str) -> None:
    game = board(phase)
    game.position.move("A5-R", str(game.position.counters["A-22"]["hex"]))
    game.position.set("A5-R", released=True)
    game.position.set("B-103", facing="move")
    move = {"units": ["A5-R"], "fuel": "single", "steps": [{"overrun": {"hex": "08.03"}}]}
    (said, *_) = words(game, segment, {"move": move})
    assert "overrun of 08.03; take 08.03: " in said and "(in an overrun" in said


def test_a_condition_that_does_not_hold_yet_is_no_fault() -> None:
    action = {"if": {"hex_mine": "08.06"}, "move": {"units": ["A-22"], "path": ["08.04"]}}
    asked = Actions("aster", "movement", 1)
    assert not asked.check(board(), batch(action))
    assert "its condition does not hold now" in asked.words(board(), batch(action))[0]


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("without-trace", [{"move": {"units": ["A-24"], "path": ["14.10"]}}]),
        ("too-much-in-a-hex", [{"stand": {"units": ["A-24"], "facing": "move"}}]),
    ],
)
def test_what_an_order_would_leave_behind_is_a_warning(code: str, actions: Any) -> None:
    game = board()
    if code == "too-much-in-a-hex":
        for id in ("A-21", "A-22", "A-24", "A-25", "A5-M", "A5-I"):
            game.position.move(id, "07.06")
    else:
        game.position.move("A-24", "14.11")
    found = Actions("aster", "movement", 1).warnings(game, batch(*actions))
    assert code in {one.code for one in found} and all(one.severity == "warning" for one in found)


def test_without_anything_to_doubt_there_is_no_warning() -> None:
    assert not Actions("aster", "movement", 1).warnings(board(), batch())


def german(text: str) -> str:
    values = SYSTEM.wording_in("de")["values"]
    if isinstance(text, Message):
        return in_language(text, "de", lambda part: translated(part, values))
    return translated(text, values)


def test_a_dry_run_is_told_in_german() -> None:
    move = {"move": {"units": ["A5-R"], "fuel": "single", "path": ["07.05"]}}
    assert german(words(board(), "movement", move)[0]) == (
        "Treibstoff (einzeln) für A5-R: 1 T aus 05.05; A5-R von 06.04 über 07.05, 1 von 8 BP"
    )
    attack = {"attack": {"hex": "08.06", "units": ["A-21", "A5-M"]}}
    assert german(words(board("F", A5_M="07.07"), "combat", attack)[0]) == (
        "A-21, A5-M greifen 08.06 an: 12 gegen 10, Spalte 1:1, 5 T; 08.06 nehmen: 74% · Angriff scheitert: "
        "26% · erwartete Verluste 1,6 gegen 0,1 Stufen (wenn der Verteidiger Kampfversorgung zahlt) · wenn "
        "der Verteidiger keinen Nachschub zahlt: 82% · wenn der Verteidiger hält und Stufen verliert: 4% · "
        "nach einem Beschuss, der sie desorganisiert: 93%; dann die Würfel"
    )


def test_every_action_that_is_offered_has_german_words() -> None:
    """What the draft offers, and the same as a dry run, on the boards of the scenarios."""
    english = re.compile(r"\\b(the|of|from|by|to|at|and|with|for|on|then|is|stands|flies|fires|loads)\\b")
    seen = 0
    for segment, phase in (("movement", "C"), ("air_naval", "C"), ("artillery", "F"), ("combat", "F")):
        game = board(phase, A5_M="07.07")
        told: dict[str, str] = {}
        for one in Actions("aster", segment, 1).draft(game.copy()).next():
            told.setdefault(one.element.value.kinds[0], one.text)
        for text in told.values():
            assert not english.search(german(text)), (text, german(text))
            seen += 1
    assert seen > 8
