"""4.11: Forecasts of air missions beside the real procedure, from air combat to the bombs."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.kit.courses import by_default, courses, driven
from pbem.model.events import results_of
from pbem.model.forecasts import Forecast, average, share
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.look.barrages import Aim, Effect
from pbem.systems.ocs.look.missions import arrived
from pbem.systems.ocs.rules.actions import Mission
from pbem.systems.ocs.rules.decisions.flying import NOBODY, Intercept
from pbem.systems.ocs.rules.fighting.air import fly
from pbem.testing.runner import prepare

LATER = (pytest.mark.long, pytest.mark.dozens)
PHASE = {"phase": "G", "acting": "aster", "flight": "normal"}
SHOTS = ("barraged", "facility-barraged", "ship-fired-at")
Brought = tuple[Fraction, bool, int]
"""The chance of a course, if the target was hit, and the steps of aircraft lost by it."""


def missions(game: Game, mission: Mission, fighter: str) -> Any:
    """The mission as a procedure, and answers: this fighter intercepts, or nobody."""

    def begin(copy: Game) -> Coroutine[Any, Any, Any]:
        return fly(copy, "aster", "all_barrage", mission)

    def answer(copy: Game, decision: Decision[Any]) -> Any:
        return (fighter or NOBODY) if isinstance(decision, Intercept) else by_default(copy, decision)

    return begin, answer


def brought(chance: Fraction, after: Game, side: str = "aster") -> Brought:
    told = [one.event for one in after.told]
    hits = [one for one in told if one["event"] in SHOTS and not _harmless(one)]
    lost = sum(int(one["lost"]) for one in told if one["event"] == "plane-hit" and one["player"] == side)
    return chance, bool(hits), lost


def _harmless(shot: Any) -> bool:
    """An air base of level 2 that still has it, a railroad that is whole, or troops without any effect."""
    return str(shot.get("effect", shot["result"])) in ("nothing", "no effect", "level 2")


def sampled(game: Game, mission: Mission, fighter: str, count: int) -> Iterator[Brought]:
    """So many courses, with dice that a seed gives."""
    begin, answer = missions(game, mission, fighter)
    rng = Random(f"{mission.hex}/{fighter}")
    for _ in range(count):
        copy = game.copy()
        driven(copy, begin(copy), lambda dice: rng.choice(list(results_of(dice))), answer)
        yield brought(Fraction(1, count), copy)


def of(found: list[Brought]) -> tuple[Fraction, Fraction]:
    """How often the target was hit, and the steps of aircraft lost on average."""
    zero = Fraction(0)
    hit = sum((chance for chance, some, _ in found if some), zero)
    return hit, sum((chance * lost for chance, _, lost in found), zero)


@pytest.fixture
def game() -> Game:
    return prepare(SYSTEM, {"tracks": PHASE})


@pytest.mark.parametrize("team", [("A-T1",), pytest.param(("A-T1", "A-F2"), marks=LATER)])
def test_bombs_behind_the_flak_bring_what_is_forecast(game: Game, team: tuple[str, ...]) -> None:
    """4.11.4, 4.11.6: every throw of the flak, of who is hit, and of the bombs on a railroad."""
    mission = Mission("trainbusting", team, "12.06")
    begin, answer = missions(game, mission, "")
    found = [brought(chance, after) for chance, after in courses(game, begin, answer)]
    hit, lost = of(found)
    assert sum(chance for chance, _, _ in found) == 1 and 0 < lost
    assert arrived(game, mission, Aim("12.06", "trainbusting")) == (Effect(hit, hit, hit), lost)


@pytest.mark.parametrize(
    ("mission", "fighter"),
    [
        (Mission("barrage", ("A-T1", "A-F2"), "08.06"), ""),
        (Mission("barrage", ("A-T1", "A-F2"), "08.06"), "B-F1"),
        (Mission("barrage", ("A-T1",), "08.06"), "B-F1"),
        (Mission("barrage", ("A-T1", "A-F1", "A-F2"), "13.07", "air_base"), ""),
    ],
    ids=["free", "intercepted", "alone", "met there"],
)
@pytest.mark.parametrize(
    "count", [20, pytest.param(1000, marks=LATER), pytest.param(3000, marks=pytest.mark.long)]
)
def test_a_mission_brings_what_is_forecast(game: Game, mission: Mission, fighter: str, count: int) -> None:
    """4.11.2 to 4.11.6: from air combat and interception to the bombs, by a sample of all throws."""
    expected, lost = arrived(game, mission, Aim(mission.hex, mission.target), fighter)
    courses = list(sampled(game, mission, fighter, count))
    hit, steps = of(courses)
    assert abs(hit - expected.some) ** 2 <= 16 * expected.some * (1 - expected.some) / count
    spread = sum((chance * (each - steps) ** 2 for chance, _, each in courses), Fraction(0))
    assert abs(steps - lost) ** 2 <= 16 * spread / count


def told(game: Game, *ids: str, hex: str = "08.06") -> Forecast:
    found = next(iter(SYSTEM.forecasts(game, hex, ids)))
    assert found.faults() == []
    return found


def test_the_sentence_has_the_whole_mission_and_what_a_fighter_changes(game: Game) -> None:
    """Contract: it gives the whole fight, and names what it does not know."""
    mission = Mission("barrage", ("A-T1",), "08.06")
    free, lost = arrived(game, mission, Aim("08.06", "units"))
    less, _ = arrived(game, mission, Aim("08.06", "units"), "B-F1")
    one = told(game, "A-T1")
    said = one.case
    assert sum(chance for _, chance in one.chances) == 1
    assert f": {share(free.some)} to disorganize the target" in said
    assert said.endswith(
        f", {average(lost)} steps of aircraft lost to flak · if B-F1 intercepts: {share(less.some)}"
    )
    assert less.some < free.some


def test_escorts_fly_with_the_bombers_in_a_forecast(game: Game) -> None:
    assert told(game, "A-T1", "A-F1").case.startswith("barrage with 20 points")
    assert "lost to B-F1 and flak" in told(game, "A-T1", "A-F1", hex="13.07").case
