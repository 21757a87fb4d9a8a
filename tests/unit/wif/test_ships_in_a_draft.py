"""4.5.4 A ship that puts units ashore is face-down when its step is over: in the draft as in play."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.answers import ScriptedSource
from pbem.engine.drafting import Drafting
from pbem.engine.play import play
from pbem.rules import Game, Part, from_json
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.decisions.impulse_letter import ImpulseLetter
from pbem.systems.wif.rules.entries import Carries, Letter
from pbem.systems.wif.rules.pieces import T, Unit

ALLIES = ImpulseLetter("allied", "I.1", 1)
ASHORE = {"ship": "CW-TR1", "unit": "CW-D1", "to": "0705"}
INVADES = {"ship": "CW-TR1", "unit": "CW-S1", "to": "0706"}


def board() -> Game:
    """A transport in the Narrow Sea with two small units aboard; who is to be served lies face-down."""
    state = start(SYSTEM, "narrow_sea_1943", {})
    game = game_of(SYSTEM, state, state.position)
    t = T.of(game)
    t.turn, t.impulse, t.phasing = 1, 0, None
    t.weather = {"north_temperate": "fine", "mediterranean": "fine"}
    t.first, t.rate["CW"], t.rate["USA"] = "allied", 24, 16
    for id in ("CW-D1", "CW-S1"):
        Unit(game, id).hex, Unit(game, id).aboard = "NS.0", "CW-TR1"
    Unit(game, "CW-I1").face = "down"
    Unit(game, "US-A1").hex = "0404"
    return game


def drafted(letter: dict[str, Any]) -> list[str]:
    """What the draft says of the letter: what is illegal, and what play would skip."""
    game = board()
    T.of(game).phasing, T.of(game).impulse = "allied", 1
    of_it = ALLIES.explained(game, from_json(Letter, letter))
    return [one.message for one in (*of_it.faults, *of_it.doubts)]


def played(letter: dict[str, Any]) -> list[str]:
    """What play refuses of the same letter."""
    source = ScriptedSource({"allied": {"impulse-letter": letter}}, [[1]], {}, [])
    told = play(board(), "D.2", source).told
    return [str(one.event["code"]) for one in told if one.event["event"] == "order-refused"]


def letter(**more: Any) -> dict[str, Any]:
    return {"action": {"CW": "land"}, **more}


@pytest.mark.parametrize(("step", "landing"), [("k", ASHORE), ("l", INVADES)])
def test_a_ship_that_put_units_ashore_serves_nobody(step: str, landing: dict[str, str]) -> None:
    wish = {"unit": "CW-I1", "via": "trs", "source": "CW-TR1"}
    orders = letter(**{step: [landing]}, reorganize={"CW": [wish]})
    assert any("E-TRS" in one for one in drafted(orders))
    assert "E-TRS" in played(orders)


def test_a_ship_that_put_units_ashore_may_be_served_itself() -> None:
    orders = letter(k=[ASHORE], reorganize={"CW": [{"unit": "CW-TR1", "via": "at_sea"}]})
    assert drafted(orders) == [] == played(orders)


def test_a_ship_that_was_served_serves_others() -> None:
    first, then = {"unit": "CW-TR1", "via": "at_sea"}, {"unit": "CW-I1", "via": "trs", "source": "CW-TR1"}
    orders = letter(k=[ASHORE], reorganize={"CW": [first, then]})
    assert drafted(orders) == [] == played(orders)


def test_two_units_leave_a_ship_in_one_step_and_none_in_the_next() -> None:
    both = letter(k=[ASHORE, {**ASHORE, "unit": "CW-S1"}])
    assert drafted(both) == [] == played(both)
    then = letter(k=[ASHORE], l=[INVADES])
    assert any("CW-TR1 is face-down" in one for one in drafted(then))
    between = letter(k=[ASHORE, {**ASHORE, "ship": "CW-TR2"}], l=[INVADES])
    assert any("CW-TR1 is face-down" in one for one in drafted(between))
    hoped = letter(k=[ASHORE], l=[{**INVADES, "if": "alive(CW-S1)"}])
    assert played(hoped) == ["E-MOVE"]


def test_what_is_listed_between_two_entries_changes_neither() -> None:
    """Proposals for the list are worked out with the ship face-down; it still unloads in its own step."""
    game = board()
    T.of(game).phasing, T.of(game).impulse = "allied", 1
    drafting = Drafting(ALLIES, game, from_json(Letter, letter(k=[ASHORE])))
    listed = [one.text for one in drafting.next()]
    assert any(text.startswith("CW: CW-TR1 <- at_sea") for text in listed)
    assert "CW-S1 ashore in 0705 Ruvray" in listed
    assert not any("trs CW-TR1" in text for text in listed)
    second = Part("k", from_json(Carries, {**ASHORE, "unit": "CW-S1"}))
    assert drafting.offer(second) == []
