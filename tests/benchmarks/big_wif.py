"""An invented war of any size for `wif`, made from a seed: two sheets, blocks of land and sea, powers.

`python -m tests.benchmarks.big_wif large WORDS...` is `pbem WORDS...` for a game of the large one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.board.map import GameMap
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.systems.wif import SYSTEM
from tests.benchmarks.big_system import BigSystem, with_war
from tests.benchmarks.timing import processor

ALLIED, AXIS = ("USA", "CW", "USSR", "CH", "FR"), ("GE", "IT", "JA")
POWERS = (*ALLIED, *AXIS)
LAND = (
    "INF corps 5-3",
    "INF corps 4-3",
    "INF division 1-3",
    "MECH corps 6-4",
    "ARM corps 8-5",
    "GARR corps 3-1",
    "HQ-I 5-3 reorg 3",
    "AA division 3-3 aa 3 motorized",
    "SUPPLY",
    "MAR corps 5-3",
)
AIR = ("FTR 6/1/0/0 r6 c2", "LND 3/5/1/2 r7 c3", "ATR 0/0/0/0 r12 c3", "NAV 1/1/2/0 r14 c3")
SEA = ("CONV", "TRS", "CA att 3 def 4", "BB att 5 def 6", "SUB att 2 def 3")


@dataclass(frozen=True)
class Size:
    """Columns and rows of each sheet, blocks of land and sea across and down, units of all powers."""

    columns: int
    rows: int
    across: int
    down: int
    units: int

    @property
    def areas(self) -> int:
        return sum(1 for _, x, y in self.blocks() if sea(x, y))

    def blocks(self) -> Iterator[tuple[str, int, int]]:
        """Every block: sheet, column, row."""
        for sheet in ("west", "east"):
            for x in range(self.across):
                for y in range(self.down):
                    yield sheet, x, y


SMALL, LARGE = Size(20, 12, 4, 2, 200), Size(100, 50, 10, 8, 3000)


@contextmanager
def installed(size: Size) -> Iterator[System]:
    """The war where the rules of `wif` are looked for: for as many turns as one likes, and nobody can win."""
    endless = {"side": "allied", "win": 9999, "lose": -1, "capitals": {}}
    years = ["MJ", "JA", "SO", "ND", "JF", "MA"] * 40
    war = with_war(SYSTEM, {**scenario(size, "war"), "turns": years, "victory": endless})
    usual = systems.find
    systems.find = lambda name: war if name == "wif" else usual(name)
    try:
        yield war
    finally:
        systems.find = usual


def command(size: Size, root: Path, *words: str) -> float:
    """Seconds of processor of a `pbem` command, a process of its own, in a folder of a game of this war."""
    known = ("-m", "tests.benchmarks.big_wif", "large" if size == LARGE else "small")
    return processor(sys.executable, *known, "-C", str(root.absolute()), *words)


def big_system(size: Size, seed: str = "war") -> BigSystem:
    """The rules of `wif` with a war of this size."""
    return with_war(SYSTEM, scenario(size, seed))


def sea(x: int, y: int) -> bool:
    """Is a block sea?"""
    return (x + y) % 2 == 0


def scenario(size: Size, seed: str) -> dict[str, Any]:
    """The data of a war: the same for the same size and seed."""
    rng = random.Random(seed)
    wide, high = size.columns // size.across, size.rows // size.down
    rows = {
        sheet: [
            [
                "~"
                if sea(min(c // wide, size.across - 1), min(r // high, size.down - 1))
                else rng.choice("ccccfm")
                for c in range(size.columns)
            ]
            for r in range(size.rows)
        ]
        for sheet in ("west", "east")
    }
    sheets: dict[str, Any] = {
        name: {"prefix": name[0], "shifted": "even", "terrain": [" ".join(row) for row in rows[name]]}
        for name in ("west", "east")
    }
    sheets["east"]["beside"] = "west"
    legend = {"~": "sea", "c": "clear", "f": "forest", "m": "mountain"}
    bare = GameMap.from_data({"sheets": sheets, "legend": legend}, path=("map",))
    grids = {one.name: one for one in bare.sheets}
    ids = {
        name: [
            [bare.number(grids[name].first + c * size.rows + r) for r in range(size.rows)]
            for c in range(size.columns)
        ]
        for name in grids
    }
    inside: dict[tuple[str, int, int], list[str]] = {}
    for name, x, y in size.blocks():
        last_c = size.columns if x == size.across - 1 else (x + 1) * wide
        last_r = size.rows if y == size.down - 1 else (y + 1) * high
        inside[name, x, y] = [
            ids[name][c][r] for c in range(x * wide, last_c) for r in range(y * high, last_r)
        ]
    return _assembled(size, rng, sheets, legend, bare, inside)


def _places(
    rng: random.Random,
    bare: GameMap,
    land: list[tuple[str, int, int]],
    inside: dict[tuple[str, int, int], list[str]],
) -> tuple[list[dict[str, Any]], list[str], dict[tuple[str, int, int], list[str]]]:
    """A city with a port and a railway in each block of land."""
    sites, rails, hexes = [], [], {}
    for b in land:
        block = inside[b]
        coast = [h for h in block if any(bare.terrain(n) == "sea" for n in bare.beside(bare.index(h)))]
        city = rng.choice(coast)
        hexes[b] = block
        port = rng.choice(["minor", "major"])
        sites.append(
            {
                "hex": city,
                "name": f"City {city}",
                "city": True,
                "port": port,
                "factories": rng.randrange(4),
                "vp": 1,
            }
        )
        rails.append("-".join(_line(bare, block, city)))
    return sites, rails, hexes


def _assembled(
    size: Size,
    rng: random.Random,
    sheets: dict[str, Any],
    legend: dict[str, str],
    bare: GameMap,
    inside: dict[tuple[str, int, int], list[str]],
) -> dict[str, Any]:
    land = [b for b in size.blocks() if not sea(*b[1:])]
    owner = {b: POWERS[n * len(POWERS) // len(land)] for n, b in enumerate(land)}
    areas = {b: f"S{n}" for n, b in enumerate(b for b in size.blocks() if sea(*b[1:]))}
    lanes = _lanes(size, areas)
    sites, rails, hexes = _places(rng, bare, land, inside)
    countries = {
        p: {
            "kind": "major",
            "power": p,
            "capital": sites[next(n for n, b in enumerate(land) if owner[b] == p)]["hex"],
        }
        for p in POWERS
    }
    armies = _armies(size, rng, land, owner, hexes, list(areas.values()))
    every = sorted(line.split()[0] for own in armies.values() for lines in own.values() for line in lines)
    chart = {
        "sheets": sheets,
        "legend": legend,
        "links": {"rail": [r for r in rails if "-" in r], "sea_lane": {"far": True, "chains": lanes}},
        "places": {"site": sites},
        "areas": {
            "country": {p: [h for b in land if owner[b] == p for h in hexes[b]] for p in POWERS},
            "weather": {"north_temperate": [h for b in size.blocks() for h in inside[b]]},
            "sea": {
                a: {"name": a, "terrain": "sea", "boxes": [0, 1, 2, 3, 4], "members": inside[b]}
                for b, a in areas.items()
            },
        },
    }
    return {
        "title": "A big war",
        "events": {"1": {"down": every[::3]}},
        "seats": ["allied", "axis"],
        "sides": {"allied": list(ALLIED), "axis": list(AXIS)},
        "powers": {p: {"seat": "allied" if p in ALLIED else "axis"} for p in POWERS},
        "cooperate": [["USA", "CW", "FR"], ["GE", "IT"]],
        "power_order": list(POWERS),
        "turns": ["JA"] * 50,
        "map": chart,
        "countries": countries,
        "units": armies,
        "initial": {
            "last_turn": {p: {"other": 300, "rp": 50} for p in POWERS},
            "gearing": {p: {"INF": 2, "RP": 5} for p in POWERS},
            "chits": dict.fromkeys(POWERS, 1),
        },
        "production": {p: {"multiple": 1, "resources": 20, "offmap_bp": 20} for p in POWERS},
        "force_pools": {p: ["9 INF corps 5-3"] for p in POWERS},
        "victory": {"side": "allied", "win": 60, "lose": 20},
    }


def _lanes(size: Size, areas: dict[tuple[str, int, int], str]) -> list[list[str]]:
    """Which sea areas touch: blocks corner to corner, and over the edge of the sheets."""
    lanes = [
        [areas[name, x, y], areas[name, x + 1, y + d]]
        for name, x, y in areas
        for d in (-1, 1)
        if (name, x + 1, y + d) in areas
    ]
    lanes += [
        [a, b] for a, b in zip(_edge(areas, "west", size.across - 1), _edge(areas, "east", 0), strict=False)
    ]
    return lanes


def _edge(areas: dict[tuple[str, int, int], str], sheet: str, x: int) -> list[str]:
    return [a for (name, column, _), a in areas.items() if name == sheet and column == x]


def _line(bare: GameMap, block: list[str], city: str) -> list[str]:
    """A railway from the city through hexes of its block."""
    left, line = set(block) - {city}, [city]
    while len(line) < 8:
        near = [bare.number(n) for n in bare.beside(bare.index(line[-1]))]
        onwards = [h for h in near if h in left]
        if not onwards:
            break
        line.append(onwards[-1])
        left.discard(onwards[-1])
    return line


def _armies(
    size: Size,
    rng: random.Random,
    land: list[tuple[str, int, int]],
    owner: dict[tuple[str, int, int], str],
    hexes: dict[tuple[str, int, int], list[str]],
    areas: list[str],
) -> dict[str, Any]:
    """Units of each power in its own blocks, one of a kind in a hex; ships in all seas."""
    own: dict[str, list[str]] = {p: [h for b in land if owner[b] == p for h in hexes[b]] for p in POWERS}
    found: dict[str, dict[str, list[str]]] = {p: {} for p in POWERS}
    for p in POWERS:
        rng.shuffle(own[p])
    taken = dict.fromkeys(POWERS, 0)
    for n in range(size.units):
        p = POWERS[n // 4 % len(POWERS)]
        kind = rng.choice(LAND if n % 4 < 2 else AIR if n % 4 == 2 else SEA)
        if kind in SEA:
            hex = f"{areas[n % len(areas)]}.{rng.randrange(3)}"
        else:
            hex = own[p][taken[p] % len(own[p])]
            taken[p] += 1
        found[p].setdefault(hex, []).append(f"{p}-{n} {kind}")
    return found


if __name__ == "__main__":
    from pbem.cli.main import main

    with installed(LARGE if sys.argv.pop(1) == "large" else SMALL):
        main()
