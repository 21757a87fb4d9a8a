"""What some games of a scenario say of it."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.workshop.trying import Tried, all_of, lines_of


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


def test_the_results_of_all_games_are_told_together() -> None:
    known = ("lost", "moved", "won")
    one = Tried(
        games=3,
        stages=[4, 6, 9],
        orders=Counter(Red=7, Blue=2),
        results=Counter(Red=2, draw=1),
        points=[3, -2],
        lost=Counter(Blue=6),
        at_start={"R1": "0101", "B1": None},
        still={"R1", "B1"},
        seen={"moved"},
        known=known,
    )
    other = Tried(
        games=1,
        unfinished=1,
        stages=[20],
        orders=Counter(Blue=2),
        points=[9],
        lost=Counter(Red=1, Blue=2),
        at_start={"R1": "0101"},
        still={"B1", "B2"},
        seen={"won"},
        known=known,
    )
    whole = all_of([one, other])
    assert whole.data() == {
        "games": 4,
        "unfinished": 1,
        "stages": [4, 6, 9, 20],
        "orders": {"Blue": 4, "Red": 7},
        "results": {"Red": 2, "draw": 1},
        "points": [3, -2, 9],
        "lost": {"Blue": 8, "Red": 1},
        "never_moved": ["B1"],
        "never_happened": ["lost"],
        "lopsided": None,
    }
    assert whole.at_start == {"R1": "0101", "B1": None} and one.still == {"R1", "B1"}
    assert [str(line) for line in lines_of(whole)] == [
        "4 games: 9 stages on average, 4 to 20.",
        "Blue sends 1 email with orders in a game.",
        "Red sends 1 email with orders in a game.",
        "Result Red: 2 games.",
        "Result draw: 1 game.",
        "Points at the end: 3 on average, -2 to 9.",
        "Blue loses 2 counters in a game.",
        "Red loses 0 counters in a game.",
        "1 game did not end within 1500 stages.",
        "Counters that never moved: B1.",
        "What never happened: lost.",
        "With 5 games or more, the summary also says whether the scenario is lopsided.",
    ]
