"""What some games of a scenario say of it."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.workshop.trying import Tried, lines_of


@pytest.mark.parametrize(
    ("games", "won", "lopsided"),
    [(5, 4, "Red"), (5, 3, ""), (4, 4, ""), (10, 8, "Red"), (20, 15, ""), (40, 32, "Red"), (40, 31, "")],
)
def test_a_scenario_is_lopsided_where_four_of_five_games_end_alike(
    games: int, won: int, lopsided: str
) -> None:
    tried = Tried(games=games, results=Counter(Red=won, Blue=games - won))
    assert tried.lopsided == lopsided
    assert tried.data()["lopsided"] == (lopsided or None)


def test_draws_are_told_as_draws_and_favour_nobody() -> None:
    tried = Tried(games=9, results=Counter(draw=9))
    assert tried.lopsided == "" and any(str(line) == "Result draw: 9 games." for line in lines_of(tried))


def test_games_without_a_result_say_nothing() -> None:
    assert Tried(games=9).lopsided == ""
