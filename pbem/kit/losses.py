"""Losses spread over units: evenly, over as few as possible, or in a wanted order.

Strengths are a mapping id -> steps (or points) in the order in which units lose; what comes back is id ->
steps lost, only of those that lose any, in that order. More losses than there are steps are ignored.

Rule of thumb: make the order first (`ranked`: what the owner wants, then what the rules say), then spread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
Strengths = Mapping[str, int]


def evenly(strengths: Strengths, losses: int, *, first: str | None = None) -> dict[str, int]:
    """Return losses taken one step from each unit, round by round, as long as it has any.

    `first` takes the very first step, which is its step of the first round.
    """
    left = {id: steps for id, steps in strengths.items() if steps > 0}
    lost = dict.fromkeys(left, 0)
    order = sorted(left, key=lambda id: id != first)
    losses = min(losses, sum(left.values()))
    while losses > 0:
        able = [id for id in order if lost[id] < left[id]]
        rounds = min(min(left[id] - lost[id] for id in able), losses // len(able))
        for id in able[: losses if rounds == 0 else None]:
            lost[id] += max(1, rounds)
            losses -= max(1, rounds)
        order = list(left)
    return {id: steps for id, steps in lost.items() if steps}


def in_order(strengths: Strengths, losses: int) -> dict[str, int]:
    """Return losses taken from the first unit until it is gone, then from the next."""
    lost: dict[str, int] = {}
    for id, steps in strengths.items():
        if taken := min(max(steps, 0), losses):
            lost[id] = taken
            losses -= taken
    return lost


def ranked(
    items: Iterable[T],
    wanted: Sequence[str] = (),
    *,
    name: Callable[[T], str] = str,
    then: Callable[[T], Any] | None = None,
) -> list[T]:
    """Return items in the wanted order; the others follow by `then`, by name."""
    place = {wanted_name: n for n, wanted_name in reversed(list(enumerate(wanted)))}

    def key(item: T) -> tuple[int, Any, str]:
        return place.get(name(item), len(wanted)), then(item) if then else 0, name(item)

    return sorted(items, key=key)


def share_of(strength: int, percent: int) -> int:
    """Return a percentage of a strength, to the nearest whole number, halves up."""
    return (2 * strength * percent + 100) // 200


def between(losses: int, first_strength: int, other: int) -> tuple[int, int]:
    """Return losses split between two groups of that strength.

    Each takes half, the odd one goes to the first. The surplus of one goes to the other.
    """
    first = min((losses + 1) // 2, first_strength)
    second = min(losses - first, other)
    return min(losses - second, first_strength), second
