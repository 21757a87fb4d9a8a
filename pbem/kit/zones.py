"""Zones of control: which locations units make dangerous for the enemy.

What a map says once (hexsides that no zone crosses) is a `ZoneMap`; who exerts a zone, and what negates it,
is asked when it is needed:

    under = zones.under(where_any(board, Unit, HAS_ZONE, side=enemy)) - held_by_own_units

Rule of thumb: ask for the whole map, also where one hex is meant; the last few sets of exerting units are
remembered. Negation is set difference.
Works with ids of locations and with the integers of a map.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

L = TypeVar("L", bound=Hashable)
KEPT = 16  # sets of exerting units whose zones are remembered


class ZoneMap(Generic[L]):
    """Where a zone from each location reaches: its neighbours, without those to which it does not carry.

    `carries(origin, target)` says whether a zone crosses that hexside; `own` whether it covers the location
    of the unit itself as well.
    """

    def __init__(
        self,
        neighbours: Mapping[L, Iterable[L]],
        carries: Callable[[L, L], bool] | None = None,
        *,
        own: bool = False,
    ) -> None:
        self.over: dict[L, tuple[L, ...]] = {}
        for origin, around in neighbours.items():
            reached = [to for to in around if carries is None or carries(origin, to)]
            self.over[origin] = (origin, *reached) if own else tuple(reached)
        self._under = lru_cache(KEPT)(self._spread)

    def under(self, exerting: Iterable[L]) -> frozenset[L]:
        """All locations under the zone of units in these locations."""
        return self._under(frozenset(exerting))

    def _spread(self, exerting: frozenset[L]) -> frozenset[L]:
        over = self.over
        return frozenset({to for origin in exerting for to in over[origin]})
