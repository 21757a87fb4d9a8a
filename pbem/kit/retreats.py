"""Retreats: every legal way of so many hexes, and the default among their ends.

A way is the tuple of locations entered, without the start. `may_enter(way, to)` says whether the next hex may
be entered after the way so far: enemies, prohibited hexsides, zones, "ever further away" (`further`).

    ways = retreats(start, 2, neighbours, may_enter)
    listed = sorted(ways, key=lambda way: (steps_lost(way), in_zone(way), way))
    way = wished(listed, order.retreats) or listed[0]

Priorities ("only if there is no other") are keys of the order. A condition is only what forbids.
Retreats are short: all ways are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

L = TypeVar("L")
Way = tuple[L, ...]


def retreats(
    start: L,
    hexes: int,
    neighbours: Callable[[L], Iterable[L]],
    may_enter: Callable[[Way[L], L], bool],
    *,
    longest: int | None = None,
    may_end: Callable[[Way[L]], bool] | None = None,
) -> Iterator[Way[L]]:
    """Yield all ways of `hexes` to `longest` hexes that enter no location twice.

    `longest` is `hexes` by default.

    Shorter ways come first, among them in the order of the neighbours. `may_end` says which ways are enough.
    """
    most = hexes if longest is None else longest
    ways: list[Way[L]] = [()]
    for length in range(1, most + 1):
        ways = [
            (*way, to)
            for way in ways
            for to in neighbours(way[-1] if way else start)
            if to != start and to not in way and may_enter(way, to)
        ]
        if length >= hexes:
            yield from (way for way in ways if may_end is None or may_end(way))


def further(start: L, distance: Callable[[L, L], int], least: int = 0) -> Callable[[Way[L], L], bool]:
    """Return a test: each hex must be more distant from the start than any of the way so far."""

    def may_enter(way: Way[L], to: L) -> bool:
        return distance(start, to) > max((distance(start, hex) for hex in way), default=least)

    return may_enter


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
