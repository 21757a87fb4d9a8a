"""Retreats: the default among the places where one may end, and the wish that is legal.

    places = nearest_first(ends, goals, chart.distance, rank=lambda place: place not in zones)
    end = wished(places, order.retreats) or places[0]

Priorities ("only if there is no other") are the rank. A condition is only what forbids.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

L = TypeVar("L")


def nearest_first(
    places: Iterable[str],
    goals: Collection[str],
    distance: Callable[[str, str], int],
    *,
    rank: Callable[[str], Any] = lambda place: 0,
) -> list[str]:
    """Return places by rank (a falsy one first), then nearest to any goal, then by id."""

    def merit(place: str) -> tuple[Any, int, str]:
        return rank(place), min((distance(place, goal) for goal in goals), default=0), place

    return sorted(places, key=merit)


def wished(legal: Sequence[L], wishes: Iterable[L]) -> L | None:
    """Return the first of `wishes` that is legal, or None."""
    return next((wish for wish in wishes if wish in legal), None)
