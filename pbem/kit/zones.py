"""Zones of control: which locations units make dangerous for the enemy.

What a map says once (hexsides that no zone crosses) is a `ZoneMap`; who exerts a zone, and what negates it,
is asked when it is needed:

    under = zones.under(hex for hex in enemy_hexes if exerts(hex)) - held_by_own_units
    if zones.reaches(hex, lambda near: any(u.has_zoc for u in enemies(near))): ...

Rule of thumb: for one hex ask `reaches`, for a whole search make `under` once; negation is set difference.
Works with ids of locations and with the integers of a map.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

L = TypeVar("L", bound=Hashable)


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
        sources: dict[L, list[L]] = {}
        for origin, around in neighbours.items():
            reached = [to for to in around if carries is None or carries(origin, to)]
            self.over[origin] = (origin, *reached) if own else tuple(reached)
            for to in self.over[origin]:
                sources.setdefault(to, []).append(origin)
        self.sources: dict[L, tuple[L, ...]] = {to: tuple(found) for to, found in sources.items()}

    def under(self, exerting: Iterable[L]) -> frozenset[L]:
        """All locations under the zone of units in these locations."""
        over = self.over
        return frozenset(to for origin in exerting for to in over[origin])

    def reaches(self, location: L, exerts: Callable[[L], bool]) -> bool:
        """Does a zone reach this location from one in which a unit exerts it?"""
        return any(exerts(origin) for origin in self.sources.get(location, ()))
