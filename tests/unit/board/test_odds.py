"""Odds are exact ratios, rounded only when somebody asks."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.odds import Odds

strengths = st.fractions(min_value=0, max_value=50, max_denominator=4)


@pytest.mark.parametrize(
    ("attack", "defence", "rounding", "whole"),
    [
        (7, 2, "down", "3:1"),
        (7, 2, "nearest", "4:1"),
        (2, 7, "down", "1:4"),
        (2, 7, "nearest", "1:4"),
        (3, 10, "nearest", "1:3"),
        (3, 10, "down", "1:4"),
        (10, 10, "down", "1:1"),
        (35, 6, "down", "5:1"),
        (Fraction(3, 2), 1, "down", "1:1"),
        (2, 3, "down", "1:2"),
    ],
)
def test_odds_round_in_favour_of_the_defence_or_to_the_nearest(
    attack: int | Fraction, defence: int, rounding: Literal["down", "nearest"], whole: str
) -> None:
    assert str(Odds.of(attack, defence).whole(rounding)) == whole


def test_odds_are_told_as_they_were_counted() -> None:
    assert str(Odds.of(35, 6)) == "35:6"
    assert str(Odds.of(Fraction(5, 2), Fraction(1, 3))) == "15:2"
    assert Odds.of(35, 6) == Odds.of(70, 12)
    assert Odds.of(3, 1) != "3:1"


def test_a_defence_of_nothing_is_beyond_all_odds() -> None:
    assert Odds.of(1, 0) > Odds.of(1000, 1)
    assert Odds.of(0, 3) < Odds.of(1, 1000)
    assert str(Odds.of(4, 0).whole()) == "4:0"


@pytest.mark.parametrize(("attack", "defence"), [(0, 0), (-1, 2), (1, -2)])
def test_strengths_that_make_no_odds_are_our_own_mistake(attack: int, defence: int) -> None:
    with pytest.raises(ValueError, match="no odds"):
        Odds.of(attack, defence)


@pytest.mark.parametrize("text", ["3:1", "3-1"])
def test_odds_are_read_as_printed(text: str) -> None:
    assert Odds.parse(text) == Odds.of(3, 1)


@pytest.mark.parametrize("text", ["3", "3:", ":1", "a:1", "3:1:2", "0:0", "-3:1", "3.5:1", ""])
def test_what_is_no_odds_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="odds"):
        Odds.parse(text)


@given(strengths, strengths.filter(bool), strengths, strengths.filter(bool))
def test_odds_compare_as_ratios(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> None:
    one, other = Odds.of(a, b), Odds.of(c, d)
    assert (one < other) == (a / b < c / d)
    assert (one == other) == (a / b == c / d)
    assert (one >= other) == (a / b >= c / d)


@given(strengths.filter(bool), strengths.filter(bool))
def test_rounding_down_never_helps_the_attack_and_costs_less_than_one_column(
    a: Fraction, b: Fraction
) -> None:
    odds = Odds.of(a, b)
    whole = odds.whole()
    assert whole <= odds
    if odds >= Odds.of(1, 1):
        assert odds < Odds.of(whole.attack + 1, whole.defence)
    else:
        assert whole.defence == 2 or odds < Odds.of(1, whole.defence - 1)
