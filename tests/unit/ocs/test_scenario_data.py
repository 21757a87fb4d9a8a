"""Scenarios of `ocs`: the position that they begin with, and what is wrong with them, each with its place."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from pbem.rules import Refused
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.set_up import set_up
from pbem.systems.ocs.rules.world import build_world

Data = dict[str, Any]


def data() -> Data:
    return deepcopy(SYSTEM.scenario("crossing_the_tol"))


def begun(scenario: Data) -> Any:
    return set_up(SYSTEM, build_world(SYSTEM, scenario, {}), scenario, {})


def unit(scenario: Data, id: str, side: str = "aster") -> Data:
    found: Data = next(row for row in scenario["oob"][side]["units"] if row["id"] == id)
    return found


WRONG: list[tuple[Callable[[Data], Any], str, tuple[Any, ...]]] = [
    (lambda d: unit(d, "A5-2T").update(id="A5-1T"), "listed-twice", ("oob", "aster", "units", 1)),
    (
        lambda d: d["oob"]["bren"]["transport"][0].update(id="A-TR1"),
        "listed-twice",
        ("oob", "bren", "transport", 0),
    ),
    (
        lambda d: d["oob"]["aster"]["arrivals"]["3"][1]["aircraft"].update(id="A-23"),
        "listed-twice",
        ("oob", "aster", "arrivals", "3", 1),
    ),
    (lambda d: unit(d, "A5-2T").update(hex="05.12"), "unknown-hex", ("oob", "aster", "units", 1)),
    (
        lambda d: d["oob"]["aster"]["aircraft"][0].update(base="17.05"),
        "unknown-hex",
        ("oob", "aster", "aircraft", 0),
    ),
    (lambda d: unit(d, "A5-2T").update(hex="05.01"), "wrong-place", ("oob", "aster", "units", 1)),
    (
        lambda d: d["oob"]["aster"]["transport"][1].update(hex="05.01"),
        "wrong-place",
        ("oob", "aster", "transport", 1),
    ),
    (
        lambda d: d["oob"]["aster"]["arrivals"]["3"].append({"hex": "01.06"}),
        "bad-arrival",
        ("oob", "aster", "arrivals", "3", 2),
    ),
    (
        lambda d: d["oob"]["aster"]["arrivals"]["3"][0].update(aircraft={"id": "X"}),
        "bad-arrival",
        ("oob", "aster", "arrivals", "3", 0),
    ),
    (lambda d: d["oob"].pop("bren"), "no-counters", ("oob",)),
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


def test_ships_lie_at_sea_and_units_in_boxes_off_the_map() -> None:
    scenario = data()
    unit(scenario, "A-24")["hex"] = "AsterSea"
    counters = begun(scenario).counters
    assert (counters["A-24"]["hex"], counters["A-DD"]["hex"]) == ("AsterSea", "06.01")


def test_columns_are_controlled_from_the_first_to_the_last_and_a_named_hex_by_who_is_named() -> None:
    control = begun(data()).tracks["control"]
    found = [control.get(hex) for hex in ("01.06", "07.06", "08.06", "16.06", "03.10", "03.01")]
    assert found == ["aster", "aster", "bren", "bren", "bren", None]
    scenario = data()
    scenario["control"]["aster"]["columns"] = [2, 3]
    control = begun(scenario).tracks["control"]
    assert [control.get(f"0{n}.05") for n in (1, 2, 3, 4)] == [None, "aster", "aster", None]


def test_the_position_before_the_first_turn() -> None:
    """Turn 0, what lies on the ground, what comes when and where; what is as printed is not kept."""
    position = begun(data())
    counters, tracks = position.counters, position.tracks
    assert (tracks["turn"], tracks["phase"]) == (0, "")
    assert tracks["dumps"]["05.05"] == {"owner": "aster", "t": 12}
    assert tracks["ports"]["AsterSea"] == {"owner": "aster", "printed_t": 8}
    assert tracks["plans"] == {"A-1P": {"hex": "11.07", "turn": 2}}
    assert tracks["coming"]["A-23"] == {
        "turn": 2,
        "hexes": ["01.06"],
        "by_rail": True,
        "counter": {"owner": "aster", "kind": "infantry_type"},
    }
    assert tracks["coming"]["A-PAX-31"]["hexes"] == ["01.06"]
    assert tracks["coming"]["A-F3"]["counter"]["active"] and "by_rail" not in tracks["coming"]["A-F3"]
    assert counters["A-24"] == {"owner": "aster", "kind": "infantry_type", "hex": "04.10"}
    assert counters["B7-1"]["facing"] == "move" and counters["B7-1"]["marker"] == "reserve"
    assert counters["A-F1"]["active"] and "active" not in counters["A-T2"]
    assert counters["A5-OT"]["load"] == 4 and "load" not in counters["A-TR1"]


def test_of_two_replacements_of_a_turn_each_has_its_own_number() -> None:
    scenario = data()
    scenario["oob"]["aster"]["arrivals"]["3"].append({"repl": "pax", "hex": "01.06"})
    assert {"A-PAX-31", "A-PAX-32"} <= begun(scenario).tracks["coming"].keys()
