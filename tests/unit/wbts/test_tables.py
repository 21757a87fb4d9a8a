"""Charts are data: the owner of the published game plays with his own."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.engine.system import find
from pbem.kit.losses import between
from pbem.kit.odds import total
from pbem.rules import Refused
from pbem.systems.wbts.rules.battle.losses import loss
from pbem.systems.wbts.rules.battle.strength import defence_lines
from pbem.systems.wbts.rules.pieces import units
from pbem.systems.wbts.rules.set_up import Setting
from pbem.systems.wbts.rules.tabled import load
from pbem.systems.wbts.rules.world import World, build_world

WBTS = find("wbts")
SCENARIO = WBTS.scenario("marl_crossings")


def table(name: str) -> Any:
    """A chart as it is shipped, to change."""
    return copy.deepcopy(WBTS.data(f"tables/{name}.yaml"))


def played_with(**tables: Any) -> World:
    """The world of the scenario with other charts."""
    world: World = build_world(WBTS, {**SCENARIO, "tables": tables}, {})
    return world


def test_every_line_and_column_has_a_result_that_says_who_loses_what() -> None:
    tables = load(WBTS, {})
    for number in (1, 2, 3, 4):
        for row in range(8):
            for percent in (
                0,
                50,
                51,
                75,
                76,
                90,
                91,
                110,
                111,
                131,
                132,
                165,
                166,
                200,
                201,
                300,
                301,
                9999,
                None,
            ):
                found = tables.result(number, percent, row)
                assert found.outcomes[0].name == "losses" and len(found.outcomes) <= 2, found
    assert tables.result(3, 131, 3).value == "15/15" and tables.result(3, 132, 3).value == "10/20"
    assert tables.result(2, 50, 3).value == "20/5A" and tables.result(2, 51, 3).value == "15/5A"


def test_the_supply_die_is_one_more_from_table_3_on() -> None:
    tables = load(WBTS, {})
    assert [tables.need(10, die, 2).value for die in range(1, 7)] == [0, 0, 1, 1, 1, 2]
    assert [tables.need(10, die, 3).value for die in range(1, 7)] == [0, 1, 1, 1, 2, 2]
    for sp, die, number, points in ((0, 6, 4, 0), (11, 6, 4, 3), (61, 6, 4, 8), (500, 1, 0, 2)):
        assert tables.need(sp, die, number).value == points


def test_a_scenario_may_bring_a_chart_of_its_own() -> None:
    own = table("combat_results")
    own["columns"] = {"by": "range", "values": ["0-100", "101+"], "below": "never"}
    own["tables"] = {"1": {str(row): ["20/0A", "0/20D"] for row in range(8)}}
    tables = played_with(combat_results=own).tables
    assert tables.result(1, 100, 4).value == "20/0A" and tables.result(1, 101, 4).value == "0/20D"
    assert load(WBTS, SCENARIO).result(1, 100, 4).value == "5/5", "the shipped chart is as it was"


def test_extra_defence_factors_count_for_units_terrain_and_settlements_but_not_on_trains() -> None:
    own = table("fortification")
    own["extra_defence_factors"] = {"militia": "1/2", "clear": 2, "village": "3/2"}
    world = played_with(fortification=own)
    board = Setting(Position({}, {"gt": 3, "fort_owner": {}}), world)
    for id, type, train in (("C-a", "militia", False), ("C-b", "infantry", False), ("C-c", "infantry", True)):
        fields = {"side": "south", "type": type, "sp": 4, "hex": "0305"}
        board.position.add(id, {**fields, "entrained": True} if train else fields)
    lines = defence_lines(board, units(board, "south", "0305"), ())
    assert [line.strength for line in lines] == ["6", "12", "2"]
    assert lines[0].why == "militia, clear, village" and total(lines) == Fraction(20)


def test_faults_of_own_charts_are_refused_with_their_place() -> None:
    with pytest.raises(Refused) as unknown:
        load(WBTS, {"tables": {"combat_result": {}}})
    (fault,) = unknown.value.diagnostics
    assert fault.path == ("tables", "combat_result") and fault.help == ("did you mean 'combat_results'?",)
    own = table("combat_results")
    own["tables"]["2"]["3"] = ["20/5A"]
    own["tables"]["1"]["0"][0] = "much"
    with pytest.raises(Refused) as wrong:
        load(WBTS, {"tables": {"combat_results": own}})
    assert wrong.value.diagnostics[0].path[:3] == ("tables", "combat_results", "tables")


@pytest.mark.parametrize(
    ("strength", "percent", "points"),
    [
        (15, 15, 2),
        (9, 5, 0),
        (10, 5, 1),
        (3, 10, 1),
        (1, 10, 1),
        (0, 50, 0),
        (28, 10, 3),
        (20, 0, 0),
        (10, 45, 5),
    ],
)
def test_losses_are_nearest_halves_up_and_one_at_least_from_ten_per_cent(
    strength: int, percent: int, points: int
) -> None:
    assert loss(strength, percent) == points


@pytest.mark.parametrize(
    ("points", "land", "ships", "split"),
    [
        (5, 9, 9, (3, 2)),
        (1, 9, 9, (1, 0)),
        (5, 9, 1, (4, 1)),
        (5, 1, 9, (1, 4)),
        (5, 9, 0, (5, 0)),
        (9, 2, 2, (2, 2)),
    ],
)
def test_the_odd_point_falls_on_the_land_and_what_is_too_much_on_the_other(
    points: int, land: int, ships: int, split: tuple[int, int]
) -> None:
    assert between(points, land, ships) == split
