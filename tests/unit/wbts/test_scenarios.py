"""Scenarios of `wbts`: faults are found all at once, charts may be the game's owner's own."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.systems.wbts.rules.set_up import set_up
from pbem.systems.wbts.rules.world import build_world
from pbem.text.diagnostics import Refused
from tests.unit.wbts.boards import WBTS


def data() -> dict[str, Any]:
    return copy.deepcopy(WBTS.scenario("marl_crossings"))


def faults(scenario: dict[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
    world = build_world(WBTS, scenario, {})
    with pytest.raises(Refused) as caught:
        set_up(WBTS, world, scenario, {})
    return [(fault.code, fault.path) for fault in caught.value.diagnostics]


def test_all_faults_of_a_scenario_are_told_at_once() -> None:
    scenario = data()
    scenario["units"]["U-1D"]["sp"] = 11
    scenario["units"]["U-2D"]["type"] = "infanty"
    scenario["units"]["U-C1"]["hex"] = "1001"
    scenario["units"]["C-1D"]["hq"] = "C-XX"
    scenario["units"]["U-NF1"]["hex"] = "0303"
    scenario["leaders"]["U-CRANE"]["stars"] = 5
    scenario["leaders"]["C-BECK"]["hq"] = "C-AHQ"
    scenario["rail_owner"]["north"].append("0303")
    scenario["victory"]["points"]["north"]["holds"]["0101"] = 2
    assert {code for code, _ in faults(scenario)} == {
        "bad-strength", "unknown-type", "wrong-place", "unknown-hq", "out-of-range", "two-commanders",
        "no-rail",
    }  # fmt: skip
    assert ("bad-strength", ("units", "U-1D")) in faults(scenario)


@pytest.mark.parametrize(("sp", "wrong"), [(0, True), (1, False), (10, False), (11, True)])
def test_a_division_has_at_least_one_point_and_at_most_those_printed(sp: int, wrong: bool) -> None:
    scenario = data()
    scenario["units"]["U-1D"]["sp"] = sp
    scenario["units"]["U-2D"]["type"] = "infanty"  # a fault of another unit, so that there is always one
    assert (("bad-strength", ("units", "U-1D")) in faults(scenario)) == wrong


def test_a_commander_has_an_hq_of_his_own_side() -> None:
    scenario = data()
    north = next(id for id, one in scenario["units"].items() if (one["type"], one["side"]) == ("hq", "north"))
    rival = next(id for id, one in scenario["leaders"].items() if one.get("hq") == north)
    del scenario["leaders"][rival]["hq"]
    scenario["leaders"]["C-BECK"]["hq"] = north
    assert ("unknown-hq", ("leaders", "C-BECK")) in faults(scenario)


@pytest.mark.parametrize(
    ("name", "least", "most"), [("stars", 1, 4), ("initiative", 0, 5), ("combat", 0, 4), ("span", 0, 5)]
)
def test_values_of_a_leader_lie_within_their_bounds(name: str, least: int, most: int) -> None:
    for value in (least - 1, least, most, most + 1):
        scenario = data()
        scenario["leaders"]["C-BECK"][name] = value
        if least <= value <= most:
            set_up(WBTS, build_world(WBTS, scenario, {}), scenario, {})
        else:
            assert [code for code, _ in faults(scenario)] == ["out-of-range"], value


def test_a_roster_over_its_capacity_is_refused() -> None:
    scenario = data()
    for n in range(3):
        scenario["units"][f"U-X{n}"] = {
            "side": "north", "type": "infantry", "sp": 1, "hex": "0504", "hq": "U-I",
        }  # fmt: skip
    assert [code for code, _ in faults(scenario)] == ["bad-roster"]


def test_an_entrenchment_has_infantry_or_militia_of_its_side_and_lies_in_no_fort() -> None:
    scenario = data()
    (first, *_) = scenario["entrenchments"]
    scenario["entrenchments"] = [first, {**first, "hex": "0102"}, {**first, "hex": "0905", "side": "south"}]
    infantry = {"side": "south", "type": "infantry", "sp": 1, "hex": "0905"}
    scenario["units"]["C-X"] = infantry
    assert faults(scenario) == [("wrong-place", ("entrenchments", n)) for n in (1, 2)]


def test_a_calendar_counts_its_weeks_from_one() -> None:
    scenario = data()
    scenario["calendar"][1]["gt"] = 7
    assert ("bad-calendar", ("calendar",)) in faults(scenario)


def test_a_garrison_is_named_after_its_hex() -> None:
    scenario = data()
    scenario["units"]["G-1"] = {"side": "north", "type": "garrison", "sp": 2, "hex": "0301"}
    assert faults(scenario) == [("bad-id", ("units", "G-1"))]


def test_winter_goes_by_the_scenario() -> None:
    scenario = data() | {"winter_months": [5]}
    world = build_world(WBTS, scenario, {})
    assert [world.winter(gt) for gt in (1, 2, 3, 4)] == [False, False, True, True]


def test_an_owner_of_the_charts_puts_his_own_movement_into_a_scenario() -> None:
    own = copy.deepcopy(WBTS.data("tables/movement.yaml"))
    own["terrain"]["forest"] = 3
    world = build_world(WBTS, data() | {"tables": {"movement": own}}, {})
    assert world.tables.terrain_cost["forest"] == 3
    assert build_world(WBTS, data(), {}).tables.terrain_cost["forest"] == 2


@pytest.mark.parametrize(("last", "legal"), [(0, False), (1, True), (4, True), (5, False)])
def test_a_game_ends_in_a_week_of_its_calendar(last: int, legal: bool) -> None:
    scenario = data()
    scenario["victory"]["last_gt"] = last
    if legal:
        set_up(WBTS, build_world(WBTS, scenario, {}), scenario, {})
    else:
        assert faults(scenario) == [("no-ending", ("victory", "last_gt"))]


@pytest.mark.parametrize(("points", "legal"), [(0, False), (1, True)])
def test_losses_count_by_one_point_or_more(points: int, legal: bool) -> None:
    scenario = data()
    scenario["victory"]["points"]["south"]["per_losses"] = points
    if legal:
        set_up(WBTS, build_world(WBTS, scenario, {}), scenario, {})
    else:
        assert faults(scenario) == [("out-of-range", ("victory", "points", "south"))]


def test_winter_is_from_december_to_april() -> None:
    """2.5: the first and the last month, and those beside them."""
    found = []
    for month in range(1, 13):
        scenario = data()
        scenario["calendar"][0]["month"] = month
        found.append(build_world(WBTS, scenario, {}).winter(1))
    assert found == [True] * 4 + [False] * 7 + [True]
