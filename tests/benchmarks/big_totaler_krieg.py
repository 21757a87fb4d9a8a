"""An invented war of any size for `totaler-krieg`, made from a seed: a front across the map."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from pbem.systems.totaler_krieg import SYSTEM
from tests.benchmarks.big_system import BigSystem, with_war


@dataclass(frozen=True)
class Size:
    """How large a war is: hexes across and down, units of both sides together, attacks of a segment."""

    columns: int
    rows: int
    units: int
    attacks: int


def big_system(size: Size, seed: str = "war") -> BigSystem:
    """The rules of `totaler-krieg` with a war of this size."""
    return with_war(SYSTEM, scenario(size, seed))


def hex_at(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


def scenario(size: Size, seed: str = "war") -> dict[str, Any]:
    """The data of a war: the same for the same size and seed. West: axis; east: soviets."""
    rng = random.Random(seed)
    middle = size.columns // 2
    west = [f"{hex_at(1, 1)}..{hex_at(middle, size.rows)}"]
    east = [f"{hex_at(middle + 1, 1)}..{hex_at(size.columns - 2, size.rows)}"]
    far = [f"{hex_at(size.columns - 1, 1)}..{hex_at(size.columns, size.rows)}"]
    lines = ["-".join(hex_at(c, r) for c in range(1, size.columns + 1)) for r in range(3, size.rows, 6)]
    homes = {"norland": hex_at(1, 3), "rosk": hex_at(size.columns - 2, 3), "albion": hex_at(size.columns, 1)}
    oob, setup = _armies(size, rng, middle)
    return {
        "title": "Big war",
        "seats": ["axis", "western", "soviet"],
        "turns": [{"name": "Jun-Jul"}, {"name": "Jul-Aug"}],
        "map": {
            "shifted": "even",
            "legend": {"C": "clear", "R": "rough"},
            "terrain": [" ".join(rng.choices("CR", (80, 20), k=size.columns)) for _ in range(size.rows)],
            "links": {"rail": lines},
            "areas": {"country": {"norland": west, "rosk": east, "albion": far}},
            "places": {
                "settlement": [{"hex": hex, "kind": "city", "name": name} for name, hex in homes.items()]
            },
        },
        "countries": {
            name: {"kind": "major", "alignment": faction, "home_cities": [homes[name]]}
            for name, faction in (("norland", "axis"), ("rosk", "soviet"), ("albion", "western"))
        },
        "factions": {
            "axis": {"major": "norland"},
            "western": {"major": "albion"},
            "soviet": {"major": "rosk"},
        },
        "oob": oob,
        "setup": setup,
        "victory": {"final": [{"when": {"turn": {"at_least": 1}}, "result": "draw"}]},
    }


def _armies(size: Size, rng: random.Random, middle: int) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Half of the units on either side of the front, no more than two a hex, an HQ now and then."""
    oob: dict[str, Any] = {"axis": {"units": {}}, "western": {"units": {}}, "soviet": {"units": {}}}
    setup: dict[str, list[str]] = {}
    for faction, country, edge, step in (("axis", "norland", middle, -1), ("soviet", "rosk", middle + 1, 1)):
        free = [
            hex_at(edge + step * n, r) for n in range(6) for r in range(1, size.rows + 1) for _ in range(2)
        ]
        for n, hex in enumerate(free[: size.units // 2]):
            kind = "hq" if n % 12 == 11 else rng.choice(("infantry", "infantry", "infantry", "armor"))
            faces = {"1": [2, 2, 1]} if kind == "hq" else {"2": [rng.randint(4, 8), 3, 3], "1": [2, 1, 3]}
            id = f"{faction[0].upper()}-{n:03}"
            oob[faction]["units"][id] = {"c": country, "t": kind, "f": faces}
            setup.setdefault(hex, []).append(f"{id}/{max(map(int, faces))}")
    return oob, setup
