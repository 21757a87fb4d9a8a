"""Cards of ocs: what a barrage or a mission brought and cost, and a forecast with ends."""

from __future__ import annotations

import pytest

from pbem.report.text import fight_words
from pbem.systems.ocs import SYSTEM
from pbem.testing.examples import examples
from pbem.testing.runner import played_of
from pbem.testing.said import report_of


def card(example: str) -> list[str]:
    """Return the card of the only fight of an example of the package."""
    played = played_of(SYSTEM, next(data for name, data in examples(SYSTEM) if example in name))
    assert played is not None
    made = report_of(*played, None)
    (one,) = made.fights
    return fight_words(one, made)


@pytest.mark.parametrize(
    ("example", "said", "reason"),
    [
        (
            "R-303 ",
            "The barrage of 08.03 disorganized the target. Aster lost 1 step, Bren lost nothing.",
            "32 points on column 69-116",
        ),
        (
            "BM-8 ",
            "The barrage of 13.09 had no effect. Neither side lost anything.",
            "20 points on column 25-40",
        ),
        ("BM-10 ", "The mission to 13.07 was broken off. Neither side lost anything.", "A-F1"),
        ("BM-11 ", "The barrage of the air base in 13.07 hit. Aster lost nothing, Bren lost 1 step.", "17"),
        ("EX-23 ", "The barrage of the railroad in 14.05 hit. Neither side lost anything.", "17"),
        (
            "2B-8 ",
            "The barrage of the port in 05.02 Port Maren hit. Neither side lost anything.",
            "16 points",
        ),
    ],
)
def test_what_comes_from_afar_says_what_it_brought_and_cost(example: str, said: str, reason: str) -> None:
    told = card(example)
    assert told[1] == said
    assert any(line.startswith(f"reason: {reason}") for line in told)


def test_a_card_has_the_forecast_with_its_ends() -> None:
    """From surprise on. By hand: only 2 and 3 of 36 on the worst columns bring the defence nothing."""
    told = card("WAY-6 ")
    assert told[1].startswith("Aster cleared 08.03 and did not stay.")
    assert any(
        line.startswith("forecast: clear 08.03: >99% · attack fails: <1% · expected losses 0.3 against 1.4")
        for line in told
    )


def test_a_card_of_an_end_that_was_not_likely_has_the_forecast_nevertheless() -> None:
    assert any(line.startswith("forecast: take 13.03: 99% · retreat: 1%") for line in card("2M-17c "))


def test_a_card_in_text_has_the_likeliest_result_in_words_and_no_list_of_codes() -> None:
    """Nine codes are no answer; the page has them in the table below the card."""
    told = card("WAY-6 ")
    assert not any(line.startswith("chances: ") or "DL1o1" in line for line in told)
    assert any(line.startswith("most likely (26%): the attack may exploit") for line in told)
