"""4.13: What the forecast of an attack takes for granted and names beside it, and how a fight is told."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import play
from pbem.model.forecasts import Forecast, Fought
from pbem.systems.totaler_krieg import SYSTEM
from pbem.testing.runner import prepare

CLEAR = {"turn": 3, "weather": {"north": "clear", "desert": "clear"}}


def board(**given: Any) -> Game:
    return prepare(SYSTEM, {"tracks": CLEAR, **given})


def regular(game: Game, hex: str, *units: str) -> Forecast:
    """The last forecast is that of a regular attack."""
    return list(SYSTEM.forecasts(game, hex, units))[-1]


def test_the_defenders_hq_is_named_with_what_comes_without_it() -> None:
    """4.13.2: R-HQ1 in 1004 may support 0905; by default it does."""
    found = regular(board(counters={"R-IN2": {"hex": "1104"}}), "0905", "N-AR1", "N-IN1")
    assert found.case == "if R-HQ1 supports the defence"
    assert "if no HQ supports the defence" in [other_case.case for other_case in found.others]
    without = regular(board(counters={"R-IN2": {"hex": "1104"}}, remove=["R-HQ1"]), "0905", "N-AR1", "N-IN1")
    assert not without.case and without.chance("taken") == 1


def test_a_defender_who_cannot_retreat_loses_the_steps_instead() -> None:
    """4.24: what is not retreated becomes step losses: R-IN1 has Axis units on every way back."""
    given = {"counters": {"R-IN2": {"hex": "1104"}}, "remove": ["R-HQ1"]}
    free = regular(board(**given), "0905", "N-AR1", "N-IN1")
    given["counters"] |= {
        id: {"hex": hex, "spot": "map"}
        for id, hex in (("N-IN3", "1005"), ("N-IN2", "0906"), ("N-PZA", "1004"), ("N-SS1", "1006"))
    }
    shut = regular(board(**given), "0905", "N-AR1", "N-IN1")
    assert free.chance("taken") == shut.chance("taken") == 1
    assert free.losses[1] is not None and shut.losses[1] is not None and free.losses[1] < shut.losses[1]


@pytest.mark.parametrize(
    ("units", "reason"),
    [(("N-AR2",), "N-AR2 in 0803 is not adjacent to 0905"), (("N-FO1",), "N-FO1")],
)
def test_where_nobody_may_attack_the_forecast_says_why(units: tuple[str, ...], reason: str) -> None:
    found = regular(board(), "0905", *units)
    assert not found.ends and found.sentence() == found.case and reason in found.case


def test_an_attack_is_forecast_for_the_next_turn_of_its_faction() -> None:
    """2.3: what a unit did in this turn counts no more when its faction's next turn begins."""
    given: dict[str, Any] = {"counters": {"N-AR1": {"attacked_regular": True}, "R-IN2": {"hex": "1104"}}}
    now = board(**given)
    now.tracks["begun"] = "3/axis"
    assert "attacked" in regular(now, "0905", "N-AR1").case
    now.tracks["begun"] = "3/soviet"
    assert regular(now, "0905", "N-AR1", "N-IN1").ends


@pytest.mark.parametrize(
    ("die", "sentence", "cost"),
    [
        (1, "axis took 0905", "axis lost nothing, soviet lost 1 step"),
        (6, "axis took 0905", "axis lost 1 step, soviet lost 1 step"),
    ],
)
def test_an_attack_is_told_by_who_holds_the_hex_and_what_it_cost(die: int, sentence: str, cost: str) -> None:
    game = board(counters={"R-IN2": {"hex": "1104"}}, remove=["R-HQ1"])
    told = attacked(game, "0905", die, "N-AR1", "N-IN1")
    assert (told.sentence(), told.cost()) == (sentence, cost)


def attacked(game: Game, hex: str, die: int, *units: str) -> Fought:
    """How an attack that throws this ends, with the default answers."""
    orders = {"axis": {"combat": {"regular": [{"id": "G1", "target": hex, "units": list(units)}]}}}
    played = play(game, "4.2", ScriptedSource(orders, [[die]], forfeits=["soviet", "axis"]), "axis")
    told = SYSTEM.fought(game, [event_told.event for event_told in played.told])
    assert told is not None and told.faults() == []
    return told


def test_who_loses_more_than_he_wins_has_not_won() -> None:
    told = attacked(board(), "0904", 6, "N-AR1")
    assert (told.sentence(), told.end) == ("soviet held 0904", "repelled")
    assert told.why == "the attackers had to retreat"


def test_excess_steps_of_an_eliminated_unit_are_lost_and_counted() -> None:
    """4.25: N-AR1 with two steps has no face for one, and nothing in the Force Pool stands in."""
    pool = ["N-IN2", "N-IN3", "N-IN4", "N-IN5"]
    game = board(
        counters={"N-AR1": {"steps": 2}}, remove=[one for one in pool if one in board().position.counters]
    )
    expected = regular(game, "0904", "N-AR1")
    told = attacked(game, "0904", 6, "N-AR1")
    assert (told.end, told.cost()) == ("eliminated", "axis lost 2 steps, soviet lost nothing")
    assert expected.chance("eliminated") and expected.losses[0] == 2 * expected.chance("eliminated")
