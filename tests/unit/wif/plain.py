"""Supply paths of `wif` as the rules say them (4.1), written as plainly as they can be: all paths are
walked, all pairs of ports are tried. Nothing of the system's own search is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Costs = dict[str, int]


class Plain:
    """A board with plain sets: hexes, who holds them, who stands there, ports, sea areas, rails."""

    def __init__(self, board: dict[str, Any]) -> None:
        self.hexes: dict[str, str] = board["terrain"]
        self.beside: dict[str, list[str]] = board["beside"]
        self.closed: set[frozenset[str]] = board["closed"]
        self.straits: set[frozenset[str]] = board["straits"]
        self.rails: set[frozenset[str]] = board["rails"]
        self.friendly: set[str] = board["friendly"]
        self.neutral: set[str] = board["neutral"]
        self.ours: set[str] = board["ours"]
        self.enemies: set[str] = board["enemies"]
        self.zones: set[str] = board["zones"]
        self.ports: dict[str, str] = board["ports"]
        self.damaged: set[str] = board["damaged"]
        self.coast: dict[str, set[str]] = board["coast"]
        self.seas: list[set[str]] = board["seas"]

    def usable(self, hex: str) -> bool:
        """S-2"""
        if hex in self.enemies or hex in self.neutral:
            return False
        if hex not in self.friendly and hex not in self.ours:
            return False
        return hex in self.ours or hex not in self.zones

    def step(self, one: str, to: str, rail: bool) -> int | None:
        """S-3, S-6 What a step costs."""
        pair = frozenset((one, to))
        if rail and pair in self.rails:
            return 0
        if pair in self.closed and pair not in self.rails:
            return None
        more = 1 if pair in self.straits else 0
        return more + (2 if self.hexes[to] in ("mountain", "swamp", "jungle") else 1)

    def walk(self, start: str, goal: str, limit: int, rail: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Every path without a hex twice, of at most this cost."""

        def on(way: tuple[str, ...], cost: int) -> Iterator[tuple[int, tuple[str, ...]]]:
            here = way[-1]
            if here == goal:
                yield cost, way
                return
            if here != start and not self.usable(here):
                return
            for there in self.beside[here]:
                if there in way or there not in self.hexes:
                    continue
                price = self.step(here, there, rail)
                if price is not None and cost + price <= limit:
                    yield from on((*way, there), cost + price)

        yield from on((start,), 0)

    def joined(self, one: str, other: str) -> bool:
        """S-5 Do usable sea areas join two coasts?"""
        return any(self.coast[one] & group and self.coast[other] & group for group in self.seas)

    def paths(
        self, start: str, goal: str, limit: int, *, rail: bool, coastal: bool, full: set[str]
    ) -> Iterator[tuple[bool, int, int, tuple[str, ...]]]:
        """S-4, 4.6.7 Every path: by sea?, minor slots, cost, hexes."""
        for cost, way in self.walk(start, goal, limit, rail):
            yield False, 0, cost, way
        for a in self.ports:
            if a in self.damaged or (a != start and not self.usable(a)):
                continue
            lefts = list(self.walk(start, a, limit, rail))
            ends = [b for b in self.ports if b not in self.damaged and (b == goal or self.usable(b))]
            pairs = [(b, self.ports[b] == "minor") for b in ends]
            if coastal and goal in self.coast:
                pairs.append((goal, False))
            for b, takes in pairs:
                if a == b or not self.joined(a, b):
                    continue
                taken = ([a] if self.ports[a] == "minor" else []) + ([b] if takes else [])
                if set(taken) & full:
                    continue
                for cost_a, left in lefts:
                    for cost_b, right in self.walk(b, goal, limit - cost_a, rail):
                        yield True, len(taken), cost_a + cost_b, left + right

    def best(self, *args: Any, **kinds: Any) -> tuple[bool, int, int, tuple[str, ...]] | None:
        """S-10 The path that an order means."""
        return min(self.paths(*args, **kinds), default=None)

    def flood(self, starts: set[str], *, rail: bool, rails_only: bool = False) -> Costs:
        """S-8 What each hex costs from any of these, by any number of overseas legs."""
        costs = dict.fromkeys(starts, 0)
        changed = True
        while changed:
            changed = False
            for here, cost in list(costs.items()):
                if here not in starts and not self.usable(here):
                    continue
                for there, price in self._onwards(here, rail, rails_only):
                    if cost + price < costs.get(there, 99):
                        costs[there] = cost + price
                        changed = True
        return costs

    def _onwards(self, here: str, rail: bool, rails_only: bool) -> Iterator[tuple[str, int]]:
        for there in self.beside[here]:
            if there in self.hexes and (not rails_only or frozenset((here, there)) in self.rails):
                price = self.step(here, there, rail)
                if price is not None:
                    yield there, price
        if here in self.ports and here not in self.damaged:
            for port in self.ports:
                if port != here and port not in self.damaged and self.joined(here, port):
                    yield port, 0
