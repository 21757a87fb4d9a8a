"""What a forecast takes for granted, and whom it expects in a battle (4.5, 4.6, R-20)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.model.forecasts import Forecast
from pbem.systems.victory import SYSTEM
from pbem.systems.victory.rules.world import world_of
from tests.unit.victory_battle.helpers import block, came, position

SEA, LAND = "0703", "0606"
TANKS = block("red", "AR", 3, **came(LAND, "0507"))


def forecast(place: str, *attackers: str, hostile: bool = False, **blocks: object) -> Forecast:
    game = position({id.replace("_", "-"): fields for id, fields in blocks.items()}, only=[])
    world = world_of(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world, "alliances", () if hostile else world.alliances)
        (found,) = SYSTEM.forecasts(game, place, attackers)
    return found


def responders(found: Forecast) -> Iterator[str]:
    return (str(other_case.case) for other_case in found.others if "in response" in str(other_case.case))


def test_a_forecast_says_that_nobody_retreats_early() -> None:
    """4.6.12: what a doctrine makes blocks do in a round, only its owner knows."""
    found = forecast(LAND, "R-AR9", R_AR9=TANKS, G_IN9=block("green", "IN", 3, hex=LAND))
    assert "(if nobody retreats early)" in str(found.sentence())


def test_an_ally_of_the_defender_may_respond() -> None:
    fields = {"R_AR9": TANKS, "G_IN9": block("green", "IN", 3, hex=LAND)}
    found = forecast(LAND, "R-AR9", **fields, B_F9=block("blue", "F", 2, hex="0707"))
    assert list(responders(found)) == ["if fighter (CV 2) of blue comes in response"]


def test_nobody_responds_for_a_stranger() -> None:
    """4.5.1, R-21: one joins for oneself or for an ally, not against a common enemy."""
    fields = {
        "R_AR9": block("red", "AR", 3, **came("0904", "0903")),
        "G_IN9": block("green", "IN", 3, hex="0904"),
        "B_F9": block("blue", "F", 2, hex="0804"),
    }
    assert list(responders(forecast("0904", "R-AR9", **fields)))
    assert not list(responders(forecast("0904", "R-AR9", hostile=True, **fields)))


def test_nobody_responds_where_two_aircraft_defend_or_from_another_battle() -> None:
    """4.5.3: two aircraft a side and hex. 4.5.2: not from a battle hex."""
    fields = {"R_AR9": TANKS, "G_IN9": block("green", "IN", 3, hex=LAND)}
    wing = block("green", "F", 2, hex="0707")
    assert list(responders(forecast(LAND, "R-AR9", **fields, G_F9=wing)))
    two = {f"G_DB{n}": block("green", "DB", 2, hex=LAND) for n in (7, 8)}
    assert not list(responders(forecast(LAND, "R-AR9", **fields, **two, G_F9=wing)))


def test_an_aircraft_that_was_not_activated_does_not_fire() -> None:
    """R-20: a carrier took it along; before the turn nobody knows, and it is expected to fire."""
    fields = {
        "B_AC9": block("blue", "AC", 3, **came(SEA, "0702", "sail")),
        "B_DB9": block("blue", "DB", 4, hex=SEA, aboard="B-AC9"),
        "R_SS9": block("red", "SS", 1, hex=SEA),
    }
    idle = forecast(SEA, "B-AC9", **fields)
    fields["B_DB9"] = {**fields["B_DB9"], "activated": True}
    assert idle.chance("taken") < forecast(SEA, "B-AC9", **fields).chance("taken")
