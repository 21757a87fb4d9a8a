"""4.11: The spread of supply over a map, by rail without limit, else in links of a few hexes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pbem.kit.chart import Chart
from pbem.kit.costs import StepCosts
from pbem.kit.hexsets import unpack
from pbem.kit.paths import flood
from pbem.kit.supply import supply_net

KEPT = 16  # results to remember: of two sides, before and after the moves that an order tries
Hexes = frozenset[str]


class Links:
    """Links of at most `length` steps between hexes of `land`. `rails` are lines that join hexes."""

    def __init__(
        self, chart: Chart, costs: StepCosts, land: Hexes, rails: Mapping[str, tuple[str, ...]], length: int
    ) -> None:
        self._chart, self._costs, self._land, self._lines, self._length = chart, costs, land, rails, length
        self.reach = lru_cache(KEPT)(self._reach)
        """`reach(first, relays, barred, rails)`: the hexes that supply reaches from its origins."""

    def _reach(self, first: Hexes, relays: Hexes, barred: Hexes, rails: Hexes) -> Hexes:
        """Return the hexes in reach. Relays that a link reaches begin the next one."""
        index = self._chart.index
        closed = {index[hex] for hex in barred - first}
        relays = (relays & self._land) - barred
        origins = self._by_rail(first, rails, barred)
        while True:
            sources = {index[hex] for hex in origins}
            reached = supply_net(self._costs, sources, limit=self._length, closed=closed).reached
            new = frozenset(hex for hex in relays - origins if reached >> index[hex] & 1)
            if not new:
                return self._land.intersection(self._chart.ids(unpack(reached))) - barred
            origins |= self._by_rail(new, rails, barred | origins)

    def _by_rail(self, origins: Hexes, rails: Hexes, barred: Hexes) -> Hexes:
        """Return the origins and every hex that these rails join to them, without barred ones."""

        def beside(hex: str) -> list[str]:
            return [near for near in self._lines.get(hex, ()) if near in rails and near not in barred]

        return origins.union(flood(sorted(origins & rails), beside))
