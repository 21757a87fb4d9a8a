"""An invented war of any size for `wbts`, made from a seed: map, railways, cities, armies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pbem.board.hexes import HexGrid
from pbem.engine import system as systems
from pbem.systems.wbts import SYSTEM
from tests.benchmarks.big_system import BigSystem, with_war

NORTH, SOUTH = "north", "south"


@dataclass(frozen=True)
class Size:
    """How large a war is: hexes across and down, units and leaders of both sides together."""

    columns: int
    rows: int
    units: int
    leaders: int

    @property
    def hexes(self) -> int:
        return self.columns * self.rows


def big_system(size: Size, seed: str = "war") -> BigSystem:
    """The rules of `wbts` with a war of this size."""
    return with_war(SYSTEM, scenario(size, seed))


@contextmanager
def large_war(size: Size) -> Iterator[BigSystem]:
    """The rules of `wbts` have a war of this size as one scenario more."""
    system, real = big_system(size), systems.find
    systems.find = lambda name: system if name == "wbts" else real(name)
    try:
        yield system
    finally:
        systems.find = real


def scenario(size: Size, seed: str = "war") -> dict[str, Any]:
    """The data of a war: the same for the same size and seed."""
    rng = random.Random(seed)
    grid = HexGrid(size.columns, size.rows)
    middle = size.rows // 2
    cities = _cities(grid, rng)
    units, leaders = _armies(size, rng)
    terrain = [" ".join(rng.choices("CFR", (70, 20, 10), k=size.columns)) for _ in range(size.rows)]
    rails = [_column(grid, column) for column in range(3, size.columns, 9)]
    owner = {hex: _side(grid, hex, middle) for line in rails for hex in line}
    return {
        "title": "A large war",
        "seats": [NORTH, SOUTH],
        "map": {
            "legend": {"C": "clear", "F": "forest", "R": "rough", "S": "sea"},
            "terrain": terrain,
            "hexsides": {
                "river": _rivers(grid, rng, size.hexes // 12),
                "mountain": _rivers(grid, rng, size.hexes // 90),
            },
            "links": {
                "rail": ["-".join(line) for line in rails],
                "road": ["-".join(_row(grid, row)) for row in range(2, size.rows, 5)],
            },
            "places": {
                "settlement": [{**city, "owner": _side(grid, city["hex"], middle)} for city in cities],
                "fort": [],
            },
            "areas": {
                "state": {
                    "Upper": [f"{_at(grid, 1, 1)}..{_at(grid, size.columns, middle)}"],
                    "Lower": [f"{_at(grid, 1, middle + 1)}..{_at(grid, size.columns, size.rows)}"],
                }
            },
        },
        "rail_owner": {side: sorted(h for h, s in owner.items() if s == side) for side in (NORTH, SOUTH)},
        "rail_cycle": 4,
        "calendar": [{"gt": n, "month": 5, "week": n} for n in range(1, 5)],
        "chit_period": "1861-07..1862-06",
        "rail_points": {NORTH: 20, SOUTH: 15},
        "militia_ready": {NORTH: {"Upper": 8}, SOUTH: {"Lower": 8}},
        "leaders": leaders,
        "units": units,
        "victory": {
            "last_gt": 4,
            "points": {
                NORTH: {"holds": {cities[-1]["hex"]: 6}, "always": 0, "per_losses": 10},
                SOUTH: {"holds": {cities[0]["hex"]: 6}, "always": 4, "per_losses": 10},
            },
            "at_once": [cities[0]["hex"], cities[-1]["hex"]],
        },
    }


def _at(grid: HexGrid, column: int, row: int) -> str:
    found = grid.at(column, row)
    assert found is not None
    return grid.number(found)


def _side(grid: HexGrid, hex: str, middle: int) -> str:
    return NORTH if grid.column_row(grid.index(hex))[1] <= middle else SOUTH


def _column(grid: HexGrid, column: int) -> list[str]:
    return [_at(grid, column, row) for row in range(1, grid.rows + 1)]


def _row(grid: HexGrid, row: int) -> list[str]:
    """A chain of adjacent hexes from west to east."""
    return [_at(grid, column, row) for column in range(1, grid.columns + 1)]


def _rivers(grid: HexGrid, rng: random.Random, count: int) -> list[str]:
    sides = {
        grid.hexside(hex, rng.choice(grid.neighbours(hex)))
        for hex in rng.sample(grid.hexes, min(count, len(grid)))
    }
    return sorted(sides)


def _cities(grid: HexGrid, rng: random.Random) -> list[dict[str, Any]]:
    """Settlements all over the map, from north to south; the first and the last two feed their sides."""
    hexes = sorted(rng.sample(grid.hexes, max(6, len(grid) // 30)), key=lambda h: (grid.column_row(h)[1], h))
    kinds = rng.choices(("village", "town", "city"), (5, 3, 1), k=len(hexes))
    found = [
        {"hex": grid.number(hex), "name": f"Place {n}", "kind": kind, "supply_city": "none"}
        for n, (hex, kind) in enumerate(zip(hexes, kinds, strict=True))
    ]
    for city in found[:2]:
        city["supply_city"] = NORTH
    for city in found[-2:]:
        city["supply_city"] = SOUTH
    return found


def _armies(size: Size, rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Corps of a leader, an HQ and divisions along the middle of the map; trains and free units behind."""
    units: dict[str, Any] = {}
    leaders: dict[str, Any] = {}
    each = size.leaders // 2
    for side, row, back in ((NORTH, size.rows // 2 - 1, -1), (SOUTH, size.rows // 2 + 2, 1)):
        letter = side[0].upper()
        wanted = size.units // 2
        for n in range(each):
            column = 1 + n * (size.columns - 1) // max(1, each - 1)
            hex = f"{column:02}{row + back * rng.randrange(3):02}"
            kind = ("army", "corps", "corps", "cavalry_corps")[n % 4]
            stars = 3 if kind == "army" else 2
            hq = f"{letter}-HQ{n}"
            leaders[f"{letter}-L{n:02}"] = {
                "side": side, "name": f"{letter}. Leader {n}", "stars": stars,
                "initiative": rng.randint(2, 5), "combat": rng.randint(0, 3), "span": rng.randint(1, 4),
                "hq": hq, "hex": hex,
                "cavalry": kind == "cavalry_corps",
            }  # fmt: skip
            units[hq] = {"side": side, "type": "hq", "kind": kind, "hex": hex}
            fighting = "cavalry" if kind == "cavalry_corps" else "infantry"
            for k in range(2):
                sp = rng.randint(2, 5 if fighting == "cavalry" else 10)
                units[f"{letter}-D{n}-{k}"] = {"side": side, "type": fighting, "sp": sp, "hex": hex, "hq": hq}
            units[f"{letter}-T{n}"] = {"side": side, "type": "supply_train", "hex": hex, "supply": 8}
        for n in range(max(0, wanted - sum(1 for u in units.values() if u["side"] == side))):
            behind = row + back * rng.randrange(4, max(5, size.rows // 2 - 2))
            hex = f"{rng.randint(1, size.columns):02}{behind:02}"
            units[f"{letter}-F{n}"] = {"side": side, "type": "infantry", "sp": rng.randint(2, 8), "hex": hex}
    return units, leaders
