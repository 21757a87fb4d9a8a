"""A second, plain reading of 4.0.3, 4.0.4 and 4.9.5: fractions, every path tried, nothing remembered."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from pbem.systems.ocs.rules.pieces import units, world_of


def neighbours(hex: str) -> list[str]:
    """2.2: doubled heights, even columns half a hex higher."""
    column, row = int(hex[:2]), int(hex[3:])
    height = 2 * row + (column % 2 == 0)
    found = []
    for dc, dh in ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)):
        c, h = column + dc, height + dh
        r = (h - (c % 2 == 0)) // 2
        found.append(f"{c:02}.{r:02}")
    return found


def distance(one: str, other: str) -> int:
    dx = abs(int(one[:2]) - int(other[:2]))
    heights = [2 * int(h[3:]) + (int(h[:2]) % 2 == 0) for h in (one, other)]
    return dx + max(0, (abs(heights[0] - heights[1]) - dx) // 2)


class Plain:
    """The scenario's map read once more from its data."""

    def __init__(self, scenario: dict[str, Any], chart: dict[str, Any]) -> None:
        data = scenario["map"]
        self.terrain = {}
        for n, row in enumerate(data["terrain"]):
            for c, letter in enumerate(row.split(), 1):
                self.terrain[f"{c:02}.{len(data['terrain']) - n:02}"] = data["legend"][letter]
        self.rivers = {frozenset(side.split("/")) for side in data["hexsides"]["minor_river"]}
        self.roads: dict[frozenset[str], list[str]] = {}
        for kind, chains in data["links"].items():
            for chain in chains:
                hexes = chain.split("-")
                for pair in pairwise(hexes):
                    self.roads.setdefault(frozenset(pair), []).append(kind)
        self.chart = chart

    def cost(self, a: str, b: str, m: str) -> Fraction | None:
        pair = frozenset((a, b))
        if pair in self.roads:
            return min(Fraction(self.chart["road_pairs"][kind][m]) for kind in self.roads[pair])
        total = Fraction(0)
        for hex in (b, a):
            printed = self.chart["hex"][self.terrain[hex]][m]
            if printed == "P":
                return None
            total = total if hex == a else total + Fraction(printed)
        if pair in self.rivers:
            total += Fraction(self.chart["hexside_add"]["minor_river"][m])
        return total

    def reach(self, game: Any, side: str, start: str, limit: int, m: str) -> dict[str, Fraction]:
        """Round after round until nothing gets cheaper."""
        enemies = {u.hex for u in units(game, world_of(game).enemy(side))}
        friends = {u.hex for u in units(game, side)}
        zones = {n for u in units(game, world_of(game).enemy(side)) if u.zoc for n in neighbours(u.hex or "")}
        best = {start: Fraction(0)}
        changed = True
        while changed:
            changed = False
            for hex, spent in sorted(best.items()):
                for to in neighbours(hex):
                    if to not in self.terrain or to in enemies:
                        continue
                    if m == "truck" and to in zones and to not in friends:
                        continue
                    step = self.cost(hex, to, m)
                    if step is None or spent + step > limit or best.get(to, spent + step + 1) <= spent + step:
                        continue
                    best[to] = spent + step
                    changed = True
        return best
