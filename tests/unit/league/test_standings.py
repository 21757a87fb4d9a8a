"""Points, ratings and meetings of a league."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from pbem.cli.league.results import Result
from pbem.cli.league.standings import Standing, Table, players_of, table
from tests.unit.league.games import game, key


def league(*results: Result) -> Table:
    return table(results, players_of(results, {}))


def row(found: Table, name: str) -> Standing:
    return next(one for one in found.standings if one.name == name)


def test_a_win_is_a_point_and_a_draw_half_of_one() -> None:
    found = league(game(1, "Ann", red="Ann", blue="Bob"), game(2, "Ann", "Bob", red="Bob", blue="Ann"))
    ann, bob = row(found, "Ann"), row(found, "Bob")
    assert (ann.won, ann.drawn, ann.lost, ann.points) == (1, 1, 0, Fraction(3, 2))
    assert (bob.won, bob.drawn, bob.lost, bob.points) == (0, 1, 1, Fraction(1, 2))
    assert [one.name for one in found.standings] == ["Ann", "Bob"]
    assert ann.seats == {"red": 1, "blue": 1}


def test_winners_together_share_the_point() -> None:
    found = league(game(1, "Ann", "Bob", red="Ann", blue="Bob", green="Cem"))
    assert [row(found, name).points for name in ("Ann", "Bob", "Cem")] == [Fraction(1, 2), Fraction(1, 2), 0]
    assert (row(found, "Ann").won, row(found, "Ann").drawn) == (1, 0), "not all are in first place"


def test_a_draw_of_two_equals_leaves_their_ratings_equal_and_surer() -> None:
    found = league(game(1, "Ann", "Bob", red="Ann", blue="Bob"))
    ann, bob = row(found, "Ann"), row(found, "Bob")
    assert abs(ann.rating - bob.rating) < 1e-9 and abs(ann.rating - 25) < 1e-9
    assert ann.spread < 25 / 3 and abs(ann.spread - bob.spread) < 1e-9


def test_players_level_in_first_place_gain_alike_from_the_last() -> None:
    found = league(game(1, "Ann", "Bob", red="Ann", blue="Bob", green="Cem"))
    assert abs(row(found, "Ann").rating - row(found, "Bob").rating) < 1e-9
    assert row(found, "Ann").rating > 25 > row(found, "Cem").rating


def test_seats_of_one_side_are_rated_as_a_team() -> None:
    sides = {"west": "allied", "east": "allied", "axis": "axis"}
    found = league(game(1, "Ann", "Bob", west="Ann", east="Bob", axis="Cem", sides=sides))
    alone = league(game(1, "Ann", west="Ann", axis="Cem"))
    assert row(found, "Ann").rating == row(found, "Bob").rating
    assert row(found, "Ann").rating != row(alone, "Ann").rating


def test_a_game_with_oneself_counts_no_rating() -> None:
    found = league(game(1, "Ann", red="Ann", blue="Ann"))
    assert row(found, "Ann").rating == 25 and not found.meetings


def test_a_better_opponent_is_worth_more() -> None:
    strong = [game(n, "Ann", red="Ann", blue="Dov") for n in range(1, 6)]
    over_ann = league(*strong, game(9, "Bob", red="Bob", blue="Ann"))
    over_dov = league(*strong, game(9, "Bob", red="Bob", blue="Dov"))
    assert row(over_ann, "Bob").rating > row(over_dov, "Bob").rating


def test_meetings_are_counted_from_both_sides() -> None:
    found = league(
        game(1, "Ann", red="Ann", blue="Bob", green="Cem"),
        game(2, "Cem", red="Ann", blue="Bob", green="Cem"),
    )
    met = found.meetings["Ann", "Bob"]
    assert (met.ahead, met.level, met.behind) == (1, 1, 0)
    met = found.meetings["Bob", "Ann"]
    assert (met.ahead, met.level, met.behind) == (0, 1, 1)


def test_one_key_is_one_player_whatever_the_name() -> None:
    first, second = game(1, "Ann", red="Ann", blue="Bob"), game(2, "Ann", red="Ann", blue="Bob")
    renamed = replace(second, seats=(replace(second.seats[0], name="Anna"), second.seats[1]))
    found = league(first, renamed)
    assert row(found, "Anna").played == 2


def test_two_keys_of_one_name_are_two_players_unless_the_list_joins_them() -> None:
    one, other = game(1, "Ann", red="Ann", blue="Bob"), game(2, "Ann", red="Ann", blue="Bob")
    new = replace(other, seats=(replace(other.seats[0], key=key("another")), other.seats[1]))
    assert len(league(one, new).standings) == 3
    names = players_of([one, new], {key("Ann"): "Ann", key("another"): "Ann"})
    assert row(table([one, new], names), "Ann").played == 2
