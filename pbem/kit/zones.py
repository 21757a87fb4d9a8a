"""Zones of control: which locations units make dangerous for the enemy.

What a map says once (hexsides that no zone crosses) is a `ZoneMap`; who exerts a zone, and what negates it,
is asked when it is needed:

    under = zones.under(where_any(board, Unit, HAS_ZONE, side=enemy)) - held_by_own_units

Rule of thumb: ask for the whole map, also where one hex is meant; the last few sets of exerting units are
remembered. Negation is set difference.
Works with ids of locations and with the integers of a map.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Generic, TypeVar

L = TypeVar("L", bound=Hashable)
KEPT = 16  # cache size: sets of exerting units


class ZoneMap(Generic[L]):
    """The reach of a zone from each location: its neighbours, without those that block the zone.

    `beside(origin)` are its neighbours, `carries(origin, target)` says whether a zone crosses the hexside
    between; `own` whether it covers the location of the unit itself as well.
    """

    def __init__(
        self,
        beside: Callable[[L], Iterable[L]],
        carries: Callable[[L, L], bool] | None = None,
        *,
        own: bool = False,
    ) -> None:
        self._beside, self._carries, self._own = beside, carries, own
        self._over: dict[L, tuple[L, ...]] = {}
        self._under = lru_cache(KEPT)(self._spread)

    def over(self, origin: L) -> tuple[L, ...]:
        """Return the locations in the zone of a unit here."""
        zone = self._over.get(origin)
        if zone is None:
            carries, around = self._carries, self._beside(origin)
            reached = [to for to in around if carries is None or carries(origin, to)]
            zone = self._over[origin] = (origin, *reached) if self._own else tuple(reached)
        return zone

    def under(self, exerting: Iterable[L]) -> frozenset[L]:
        """Return all locations in the zones of units in these locations."""
        return self._under(frozenset(exerting))

    def _spread(self, exerting: frozenset[L]) -> frozenset[L]:
        return frozenset({to for origin in exerting for to in self.over(origin)})
