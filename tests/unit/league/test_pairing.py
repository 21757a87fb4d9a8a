"""Pairings: everybody meets, nobody meets twice too soon, sides are balanced."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.cli.league.pairing import Round, round_robin, swiss
from pbem.cli.league.standings import Table, players_of, table
from tests.unit.league.games import game

SEATS = ("allied", "axis")


@pytest.mark.parametrize("count", [2, 3, 6, 7, 12])
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    names = [f"P{n}" for n in range(count)]
    rounds = round_robin(names, SEATS, {})
    met = Counter(frozenset(game_.seats.values()) for each in rounds for game_ in each.games)
    assert len(met) == count * (count - 1) // 2 and set(met.values()) == {1}
    for each in rounds:
        here = [name for game_ in each.games for name in game_.seats.values()] + list(each.free)
        assert sorted(here) == sorted(names), "each plays once a round, or is free"
    free = Counter(name for each in rounds for name in each.free)
    assert not free if count % 2 == 0 else set(free.values()) == {1}


@pytest.mark.parametrize("count", [6, 7, 12])
def test_in_a_round_robin_nobody_has_one_side_much_more_often(count: int) -> None:
    rounds = round_robin([f"P{n}" for n in range(count)], SEATS, {})
    sides: dict[str, Counter[str]] = {}
    for each in rounds:
        for game_ in each.games:
            for seat, name in game_.seats.items():
                sides.setdefault(name, Counter())[seat] += 1
    assert all(abs(held["allied"] - held["axis"]) <= 2 for held in sides.values())


def test_who_held_a_side_before_gets_the_other() -> None:
    (only,) = round_robin(["Ann", "Bob"], SEATS, {"Ann": {"allied": 3}, "Bob": {"axis": 3}})
    assert only.games[0].seats == {"allied": "Bob", "axis": "Ann"}


def league(*rows: tuple[str, str]) -> Table:
    """Return a table after games of two: winner and loser."""
    results = [game(n, first, allied=first, axis=last) for n, (first, last) in enumerate(rows, 1)]
    return table(results, players_of(results, {}))


def names_in(one: Round) -> set[frozenset[str]]:
    return {frozenset(each.seats.values()) for each in one.games}


def test_swiss_pairs_the_leaders_and_nobody_again() -> None:
    league_data = league(("Ann", "Bob"), ("Cem", "Dov"))
    made = swiss(league_data.standings, league_data.meetings, SEATS)
    assert frozenset(("Ann", "Cem")) in names_in(made) and frozenset(("Bob", "Dov")) in names_in(made)


def test_swiss_avoids_a_second_meeting_even_of_neighbours() -> None:
    league_data = league(("Ann", "Bob"), ("Ann", "Cem"), ("Bob", "Dov"), ("Cem", "Dov"))
    made = swiss(league_data.standings, league_data.meetings, SEATS)
    assert names_in(made) == {frozenset(("Ann", "Dov")), frozenset(("Bob", "Cem"))}


def test_where_all_have_met_somebody_meets_again() -> None:
    league_data = league(("Ann", "Bob"))
    assert names_in(swiss(league_data.standings, league_data.meetings, SEATS)) == {frozenset(("Ann", "Bob"))}


def test_with_an_odd_number_one_is_free_who_has_played_most() -> None:
    league_data = league(("Ann", "Bob"), ("Ann", "Cem"))
    made = swiss(league_data.standings, league_data.meetings, SEATS)
    assert made.free == ("Ann",)


def test_games_of_seven_are_filled_from_the_top() -> None:
    powers = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
    people = [f"P{n:02}" for n in range(16)]
    results = [
        game(n, group[0], **dict(zip(powers, group, strict=True)))
        for n, group in enumerate((people[:7], people[7:14]), 1)
    ]
    found = table(results, players_of(results, {}))
    made = swiss(found.standings, found.meetings, powers)
    assert [len(game_.seats) for game_ in made.games] == [7, 7] and not made.free
    before = {
        name: seat
        for result in results
        for seat, name in zip(powers, result.seats, strict=True)
        for name in [name.name]
    }
    again = [name for game_ in made.games for seat, name in game_.seats.items() if before[name] == seat]
    assert not again, "nobody has the same power again"
