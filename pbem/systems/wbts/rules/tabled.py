"""Section 5: The tables of the rules as Python reads them.

A scenario with `tables: {combat_results: {...}}` has its own chart of that name instead of the file
`tables/combat_results.yaml`. It must be whole. So owners of the published charts can play with
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pbem.board.results import Grammar
from pbem.board.tables import Cell, Table
from pbem.kit.faults import bad_data, refuse
from pbem.kit.records import records
from pbem.rules import Diagnostic, Message, dataclass

NAMES = ("chits", "combat_results", "fortification", "limits", "movement", "supply_need", "units")
BEYOND = 10**9  # per cent of a defence of nothing, which selects the last column


@dataclass(frozen=True)
class Work:
    """A line of table 5.2: the effect of a fort, works, a river, a train or a lack of supply."""

    capacity: int
    strength: Fraction
    attacker_loss: int
    own_loss: int


@dataclass(frozen=True)
class UnitType:
    """A line of table 2.3. 0 is none, but no limit for `max` and for the cargo of a depot."""

    name: str
    ma: int
    max: int
    printed: int
    parenthesised: bool
    cargo: int
    capacity: int


@dataclass(frozen=True)
class Tables:
    """All tables of one scenario. `combat_results` go by the sum of the intensity chits."""

    types: Mapping[str, UnitType]
    works: Mapping[str, Work]
    extra_defence_factors: Mapping[str, Fraction]
    combat_results: Mapping[int, Table]
    supply_need: Table
    numbers: Mapping[str, int]
    lists: Mapping[str, tuple[Any, ...]]
    dice: Mapping[str, str]
    terrain_cost: Mapping[str, int]
    movement: Mapping[str, int]
    periods: Mapping[str, tuple[tuple[int, ...], int]]

    def chits(self, period: str) -> tuple[tuple[int, ...], int]:
        """5.1: Return the chits in the cup, and the one in parentheses."""
        return self.periods[period]

    def result(self, table: int, percent: int | None, row: int) -> Cell:
        """8.14: Return the cell of the combat results. `percent` None is a defence of nothing."""
        return self.combat_results[table].at(BEYOND if percent is None else percent, row)

    def shift(self, table: int) -> int:
        """12.24: Return the shift of the supply die in the upper tables."""
        return 1 if table >= self.numbers["supply_shift_from"] else 0

    def need(self, sp: int, die: int, table: int) -> Cell:
        """12.24: Return the supply points that a side needs, by strength on land, die and table."""
        return self.supply_need.at(die + self.shift(table), sp)


def load(system: Any, scenario: Mapping[str, Any]) -> Tables:
    """Return the tables of a scenario.

    Raises `Refused` with every fault of the scenario's own charts.
    """
    own = scenario.get("tables", {})
    refuse(_unknown(name) for name in own if name not in NAMES)
    data = {name: own[name] if name in own else system.data(f"tables/{name}.yaml") for name in NAMES}
    works, limits, move = data["fortification"], data["limits"], data["movement"]
    return Tables(
        types=records(UnitType, data["units"]["types"], ("tables", "units", "types")),
        works={name: _work(row) for name, row in works["works"].items()},
        extra_defence_factors={k: Fraction(str(v)) for k, v in works["extra_defence_factors"].items()},
        combat_results=combat_results(data["combat_results"]),
        supply_need=Table.from_data(data["supply_need"], path=("tables", "supply_need")),
        numbers=limits["numbers"],
        lists={name: tuple(values) for name, values in limits["lists"].items()},
        dice=limits["dice"],
        terrain_cost=move["terrain"],
        movement=move["numbers"],
        periods={p: (tuple(row["cup"]), row["parenthesised"]) for p, row in data["chits"]["periods"].items()},
    )


def combat_results(data: Mapping[str, Any]) -> dict[int, Table]:
    """8.14: Return the tables of one chart of combat results by number, every cell parsed."""
    path = ("tables", "combat_results")
    grammar = Grammar.from_data(data["results"], (*path, "results"))
    common = {key: data[key] for key in ("rule", "source", "columns", "rows")}
    return {
        int(number): Table.from_data(
            {"table": Message("wbts.tabled.combat-results", number=number), **common, "cells": cells},
            grammar,
            (*path, "tables", number),
        )
        for number, cells in data["tables"].items()
    }


def _work(row: Mapping[str, Any]) -> Work:
    strength = Fraction(str(row["strength"]))
    return Work(int(row["capacity"]), strength, int(row["attacker_loss"]), int(row["own_loss"]))


def _unknown(name: str) -> Diagnostic:
    message = Message("wbts.tabled.unknown-key", name=name, names=tuple(NAMES))
    return bad_data("unknown-key", message, "tables", name, name=name, names=NAMES)
