"""Forecasts and accounts of fights: what a card says when the end is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from pbem.model.forecasts import Forecast, Fought, average
from pbem.text.messages import Message

HALF = Fraction(1, 2)
FIGHT = Forecast(
    "0606",
    (("red", "5"), ("blue", "3")),
    "if every retreat is open",
    ends=(("taken", HALF), ("repelled", HALF)),
    losses=(Fraction(1), Fraction(2)),
)


def test_nobody_advanced_into_what_was_cleared() -> None:
    """The same results bring it, and an attacker who stays out does not take the hex."""
    told = FIGHT.in_hindsight("cleared").sentence()
    assert told.startswith("clear 0606: 50% · retreat: 50% · expected losses 1.0 against 2.0 steps")


def test_attackers_who_lost_a_step_instead_of_their_retreat_held_on() -> None:
    assert FIGHT.in_hindsight("held").ends == (("taken", HALF), ("held", HALF))


def test_an_end_that_was_forecast_keeps_the_forecast() -> None:
    assert FIGHT.in_hindsight("taken") is FIGHT


def test_an_end_outside_the_condition_leaves_no_ends() -> None:
    """What was forecast as impossible never happens: the condition did not hold."""
    assert FIGHT.in_hindsight("eliminated").sentence() == ""


def test_several_winners_are_joined_by_and() -> None:
    told = Fought("0606", ("red",), ("blue", "green", "grey"), "held", (1, 0), why="they stayed")
    assert told.sentence() == "blue, green and grey held 0606"
    assert told.cost() == "red lost 1 step, blue, green and grey lost nothing"


def test_an_end_in_the_words_of_a_system_has_the_place_as_the_reader_knows_it() -> None:
    said = Message("model.forecasts.goes-on", place="0606")
    told = Fought("0606 Haska", ("red",), ("blue",), "undecided", (0, 0), why="x", said=said)
    assert told.sentence() == "the battle at 0606 Haska continues"


def test_a_case_is_named_only_if_it_changes_who_gets_the_place() -> None:
    """ "If they make table 1: 0%" after "take 0606: 0%" says nothing; the table has its losses."""
    same = replace(FIGHT, case="if no leader comes", losses=(Fraction(3), Fraction(3)))
    other = replace(FIGHT, case="if a fighter comes", ends=(("taken", Fraction(1)),))
    told = replace(FIGHT, others=(same, other)).sentence()
    assert "fighter comes: 100%" in told and "leader" not in told


def test_a_case_of_an_attack_that_only_clears_is_told_by_its_chance_to_clear() -> None:
    cleared = replace(FIGHT, ends=(("cleared", HALF), ("held", HALF)))
    other = replace(cleared, case="if a fighter comes", ends=(("cleared", Fraction(1)),))
    assert "fighter comes: 100%" in replace(cleared, others=(other,)).sentence()


def test_what_may_be_lost_is_never_told_as_nothing() -> None:
    """ "4% to cost steps, 0.0 steps expected" contradicts itself."""
    told = [str(average(Fraction(n, 100))) for n in (0, 1, 4, 5, 96)]
    assert told == ["0.0", "<0.1", "<0.1", "0.1", "1.0"]
