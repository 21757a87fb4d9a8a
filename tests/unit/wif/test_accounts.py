"""What is said of fights in the air and at sea after them: what they brought, what they cost, and why."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.report.text import fight_words
from pbem.systems.wif import SYSTEM
from pbem.testing.examples import examples
from pbem.testing.runner import played_of
from pbem.testing.said import report_of


def cards(example: dict[str, Any] | str) -> list[list[str]]:
    """Return the cards of an example, by its name or whole."""
    if isinstance(example, str):
        example = next(data for name, data in examples(SYSTEM) if example in name)
    played = played_of(SYSTEM, example)
    assert played is not None
    made = report_of(*played, None)
    return [fight_words(one, made) for one in made.fights]


def struck(dice: list[list[int]]) -> dict[str, Any]:
    return {
        "given": {
            "scenario": "narrow_sea_1943",
            "tracks": {"turn": 1, "impulse": 1, "phasing": "axis", "action": {"GE": "land"}},
        },
        "play": "D.2.I.3g",
        "orders": {"axis": {"impulse-letter": {"g": [{"aircraft": ["GE-L1"], "hex": "0705"}]}}},
        "dice": dice,
    }


def test_a_strike_says_what_it_turned_and_what_it_cost() -> None:
    (card,) = cards(struck([[9], [2]]))
    assert card[0] == "0705 Ruvray: Germany against Commonwealth and USA"
    assert card[1].startswith(
        "The strike on 0705 Ruvray turned 1 unit face-down. Neither side lost anything."
    )
    assert "reason: 5 factors hit 1 of 2 targets" in card
    assert any(
        line.startswith("forecast: ground strike with 5 factors: 50% for each unit (2)") for line in card
    )


def test_a_strike_that_hits_nothing_says_so() -> None:
    (card,) = cards(struck([[9], [8]]))
    assert card[1].startswith("The strike on 0705 Ruvray hit nothing.")
    assert "reason: 5 factors hit 0 of 2 targets" in card


def test_transports_that_are_shot_down_were_turned_back() -> None:
    (card,) = cards("Q1-13")
    assert (
        card[1]
        == "The mission to 0705 Ruvray was turned back. The Commonwealth lost 1 unit, Germany lost nothing."
    )
    assert "reason: in the air 0 aircraft were aborted and 1 destroyed" in card


@pytest.mark.parametrize(
    ("example", "said", "reason"),
    [
        (
            "I4-9 ",
            "The Commonwealth won Narrow Sea: no unit of Germany is left. "
            "The Commonwealth lost nothing, Germany lost 1 unit.",
            "Alliance found the enemy: 1 unit sunk or shot down, 0 aborted",
        ),
        (
            "BD-8",
            "The Commonwealth won Narrow Sea: no unit of Germany is left. Neither side lost anything.",
            "Alliance found the enemy: 0 units sunk or shot down, 1 aborted",
        ),
        (
            "I4-11",
            "Nobody won Narrow Sea: both sides stayed. Neither side lost anything.",
            "no side found the enemy",
        ),
    ],
)
def test_a_fight_at_sea_says_who_won_it(example: str, said: str, reason: str) -> None:
    (card,) = cards(example)
    assert card[1] == said
    assert f"reason: {reason}" in card
    assert any("CW-CA1" in line for line in card) and any("GE-SB1" in line for line in card), "who was there"


@pytest.mark.parametrize(
    ("example", "line"),
    [
        ("BR-4b", "Germany held 0904. The Commonwealth lost 1 unit, Germany lost nothing"),
        (
            "I7-5",
            "Germany cleared 0804 and did not stay. Neither side lost anything",
        ),
    ],
)
def test_in_short_says_who_held_and_what_it_cost(example: str, line: str) -> None:
    """4.7.7: not the result of the table, by which nobody knows who won."""
    played = played_of(SYSTEM, next(data for name, data in examples(SYSTEM) if example in name))
    assert played is not None
    assert line in report_of(*played, None).headlines
