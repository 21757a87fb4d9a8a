"""Who is in first place when a game ends: each rules system says so for every kind of result."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find
from pbem.report.whole.ending import first_place
from tests.unit.report.test_how_it_ended import ended

RED, BLUE, GREEN = "red", "blue", "green"


def best(system: str, scenario: str, **tracks: Any) -> tuple[str, ...] | None:
    """Return the first place of a game whose tracks are set like this."""
    rules = find(system)
    game = game_of(rules, start(rules, scenario))
    game.tracks.update(tracks)
    ending = rules.ending(game)
    assert ending is not None
    return ending.best


@pytest.mark.parametrize(
    ("result", "first"),
    [
        ("Red decisive victory", {RED}),
        ("Red victory", {RED}),
        ("Draw", {RED, BLUE, GREEN}),
        ("Coalition victory", {BLUE, GREEN}),
        ("Coalition decisive victory", {BLUE, GREEN}),
    ],
)
def test_victory_by_conditions_and_bands(result: str, first: set[str]) -> None:
    assert (
        set(best("victory", "sarn_strait", result={"text": result, "rule": "4.9.2", "turn": 4}) or ())
        == first
    )


@pytest.mark.parametrize(("winner", "first"), [("north", ("north",)), (None, ("north", "south"))])
def test_wbts(winner: str | None, first: tuple[str, ...]) -> None:
    assert best("wbts", "marl_crossings", result={"winner": winner, "why": "points"}) == first


@pytest.mark.parametrize(("result", "first"), [("bren", ("bren",)), ("draw", ("aster", "bren"))])
def test_ocs(result: str, first: tuple[str, ...]) -> None:
    assert best("ocs", "crossing_the_tol", result=result) == first


@pytest.mark.parametrize(
    ("scenario", "result", "first"),
    [
        ("lodestar", "axis", ("axis",)),
        ("lodestar", "soviet", ("soviet",)),
        ("lodestar", "allied", ("western", "soviet")),
        ("lodestar", "draw", ("axis", "western", "soviet")),
        ("lodestar_two", "allied", ("allies",)),
    ],
)
def test_totaler_krieg(scenario: str, result: str, first: tuple[str, ...]) -> None:
    assert best("totaler-krieg", scenario, result=result) == first


@pytest.mark.parametrize(
    ("scenario", "result", "first"),
    [
        ("narrow_sea_1943", "axis", ("axis",)),
        ("narrow_sea_1943", "draw", ("allied", "axis")),
        ("two_fronts_1943", "allied", ("west", "east")),
    ],
)
def test_wif_by_sides(scenario: str, result: str, first: tuple[str, ...]) -> None:
    assert best("wif", scenario, result=result) == first


def test_diplomacy_alone_and_by_all_survivors() -> None:
    game = find("diplomacy").scenario("three_shores")
    first, *_ = find("diplomacy").players(game)
    assert best("diplomacy", "three_shores", over=True, winner=first) == (first,)
    assert best("diplomacy", "three_shores", over=True) == tuple(find("diplomacy").players(game))


@pytest.mark.parametrize(
    ("system", "scenario"),
    [
        ("victory", "sarn_strait"),
        ("wbts", "marl_crossings"),
        ("ocs", "crossing_the_tol"),
        ("totaler-krieg", "lodestar"),
        ("wif", "narrow_sea_1943"),
        ("diplomacy", "standard"),
    ],
)
def test_while_the_game_goes_on_there_is_no_first_place(system: str, scenario: str) -> None:
    assert best(system, scenario) is None


def test_a_draw_by_a_list_is_shared_by_those_on_it_alone() -> None:
    two = find("diplomacy").players(find("diplomacy").scenario("three_shores"))[:2]
    drawn = {"event": "drawn", "rule": "6.3", "players": list(two), "voted": True}
    report = ended("diplomacy", "three_shores", "", event=drawn, over=True)
    assert first_place(report) == two
