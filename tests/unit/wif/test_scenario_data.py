"""Scenarios of `wif`: the position before turn 1, and what is wrong with a scenario, each with its place."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from pbem.rules import Refused
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.set_up import set_up
from pbem.systems.wif.rules.world import Industry, build_world

Data = dict[str, Any]


def data() -> Data:
    return deepcopy(SYSTEM.scenario("narrow_sea_1943"))


def begun(scenario: Data, **options: Any) -> Any:
    return set_up(SYSTEM, build_world(SYSTEM, scenario, options), scenario, options)


WRONG: list[tuple[Callable[[Data], Any], str, tuple[Any, ...]]] = [
    (lambda d: d["units"]["CW"].update({"1301": []}), "unknown-hex", ("units", "CW", "1301")),
    (
        lambda d: d["units"]["CW"]["0705"].append("CW-I1 INF corps 5-3 cost 3"),
        "listed-twice",
        ("units", "CW", "0705", 1),
    ),
    (
        lambda d: d["units"]["CW"]["0705"].append("CW-X1 INFX corps 5-3 cost 3"),
        "unknown-type",
        ("units", "CW", "0705", 1),
    ),
    (
        lambda d: d["units"]["CW"]["0705"].append("CW-X1 INF corps 5-3 cost 3 (Nordlund)"),
        "unknown-country",
        ("units", "CW", "0705", 1),
    ),
    (lambda d: d["force_pools"]["CW"].append("x INF 5-3"), "bad-print", ("force_pools", "CW", 6)),
    (lambda d: d["force_pools"]["CW"].append("3 INFX 5-3"), "bad-print", ("force_pools", "CW", 6)),
    (
        lambda d: d["reinforcements"].update({4: {"GE": ["GE-X1 INFX corps 5-3"]}}),
        "unknown-type",
        ("reinforcements", "4", "GE", 0),
    ),
    (
        lambda d: d.update(attackable={"Gallia": {"units": {"1301": []}}}),
        "unknown-hex",
        ("attackable", "Gallia", "units", "1301"),
    ),
    (
        lambda d: d.update(attackable={"Gallja": {}}),
        "unknown-country",
        ("attackable", "Gallja"),
    ),
    (
        lambda d: d.update(attackable={"Gallia": {"joins": "XX"}}),
        "bad-power",
        ("attackable", "Gallia", "joins"),
    ),
    (
        lambda d: d["countries"]["Nordland"].update(power="XX"),
        "bad-power",
        ("countries", "Nordland", "power"),
    ),
    (
        lambda d: d["countries"]["Nordland"].update(capital="1301"),
        "unknown-hex",
        ("countries", "Nordland", "capital"),
    ),
]


@pytest.mark.parametrize(("change", "code", "path"), WRONG)
def test_what_is_wrong_is_named_with_its_place(
    change: Callable[[Data], Any], code: str, path: tuple[Any, ...]
) -> None:
    scenario = data()
    change(scenario)
    with pytest.raises(Refused) as refused:
        begun(scenario)
    assert [(fault.code, fault.path) for fault in refused.value.diagnostics] == [(code, path)]


def test_the_position_before_the_first_turn() -> None:
    tracks = begun(data()).tracks
    assert (tracks["turn"], tracks["impulse"], tracks["number"]) == (0, 0, 0)
    assert (tracks["initiative"], tracks["initiative_last"]) == (1, "allied")
    assert (tracks["other_last"]["GE"], tracks["rp_last"]["GE"]) == (22, 2)
    assert tracks["force_pool"]["CW"][0] == {"unit": "INF 5-3", "count": 3}
    assert [due["id"] for due in tracks["spiral"]["2"]] == ["CW-P2", "US-I2", "GE-I4"]
    assert set(tracks["weather"].values()) == {"fine"}


def test_a_scenario_that_names_no_initiative_begins_with_none_for_its_first_side() -> None:
    scenario = data()
    del scenario["initial"]["initiative"], scenario["initial"]["initiative_last"]
    tracks = begun(scenario).tracks
    assert (tracks["initiative"], tracks["initiative_last"]) == (0, next(iter(scenario["sides"])))


def test_industry_that_a_scenario_does_not_name_multiplies_by_1_and_is_nothing_else() -> None:
    scenario = data()
    scenario["production"]["GE"] = {"resources": 3}
    made = build_world(SYSTEM, scenario, {}).industry["GE"]
    assert (made.multiple, made.resources, made.offmap_bp, made.oil) == (1, 3, 0, 0)
    assert Industry() == Industry(made.multiple)


def test_fuel_is_counted_where_the_option_is_chosen() -> None:
    assert "fuel" not in begun(data()).tracks
    assert begun(data(), fuel=True).tracks["fuel"] == {"CW": 8, "USA": 20, "GE": 12}
