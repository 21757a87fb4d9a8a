"""4.11.2, 4.11.3: Forecasts of air combat beside the real procedure, by every throw."""

from __future__ import annotations

from collections.abc import Coroutine
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.kit.courses import courses
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.look import dogfights
from pbem.systems.ocs.look.dogfights import Flier, brought, fought_in_the_air
from pbem.systems.ocs.rules.fighting.air import dogfight
from pbem.systems.ocs.rules.pieces import Plane, maybe_plane
from pbem.testing.runner import prepare
from tests.properties.test_forecasts_of_boards import seen_by

HEX = "08.06"


@pytest.fixture(scope="module")
def game() -> Game:
    return prepare(SYSTEM, {})


@pytest.mark.parametrize(("ours", "theirs"), [("A-F1", "B-F1"), ("A-T1", "B-F1"), ("B-F1", "A-T1")])
def test_air_combat_brings_what_is_forecast(game: Game, ours: str, theirs: str) -> None:
    """Those who fly on, and the steps of both; the card of the round says the same, whatever fell."""
    one, other = Plane(game, ours), Plane(game, theirs)
    wanted = brought(game, (Flier.of(one),), (Flier.of(other),))
    found = [Fraction(0)] * 4
    cards = set()

    def fight(copy: Game) -> Coroutine[Any, Any, Any]:
        return dogfight(copy, one.owner, other.owner, HEX, [Plane(copy, ours)], [Plane(copy, theirs)])

    for chance, after in courses(game, fight):
        told = [each.event for each in after.told]
        gone = {id for event in told if event["event"] == "air-round" for id in event["aborts"]}
        lost = [event for event in told if event["event"] == "plane-hit"]
        now = (
            ours not in gone,
            theirs not in gone,
            *(sum(int(event["lost"]) for event in lost if event["plane"] == id) for id in (ours, theirs)),
        )
        found = [old + chance * new for old, new in zip(found, now, strict=True)]
        cards |= {fought_in_the_air(after, event).case for event in told if event["event"] == "air-round"}
        assert all(maybe_plane(after, id) is not None or lost for id in (ours, theirs))
    assert tuple(found) == wanted
    assert len(cards) == 1


def test_the_odds_of_aircraft_name_who_may_intercept(game: Game) -> None:
    found = list(SYSTEM.forecasts(game, HEX, ["A-T1"]))
    assert all(one.faults() == [] for one in found)
    assert any(one.case.startswith("if B-F1 intercepts: ") for one in found), [one.case for one in found]


def test_with_fog_only_aircraft_that_the_reader_sees_may_intercept() -> None:
    """The forecast is made from a player's own view: B-F1 is named in it, or it is not on it."""
    state = start(SYSTEM, "crossing_the_tol", {"fow": "gm"})
    view = seen_by(state, game_of(SYSTEM, state, state.position), "aster")
    named = "".join(one.case for one in SYSTEM.forecasts(view, HEX, ["A-T1"]))
    assert named and ("B-F1" in named) == ("B-F1" in view.position.counters)


@pytest.mark.parametrize(("count", "alone"), [(1, "1 in 2"), (2, "")])
def test_the_chance_to_stay_is_said_of_one_aircraft_alone(count: int, alone: str) -> None:
    ours = tuple(dogfights.Flier(f"a{n}", 3) for n in range(count))
    brings = Fraction(1, 2), Fraction(1, 3), Fraction(2, 3)
    made = dogfights._forecast("0101", ("axis", "allied"), (ours, "b1"), brings, met=True)
    said = made.case.fields  # type: ignore[attr-defined]
    assert said["alone"] == (dogfights.share(brings[0]) if alone else "")
    assert (said["count"], said["against"], made.sides) == (
        count,
        "b1",
        (("axis", str(count)), ("allied", "")),
    )
    shown = [dogfights.average(part) for part in brings]
    assert [said["left"], said["a"], said["d"]] == shown
