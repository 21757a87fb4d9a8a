"""Losses spread over units: evenly, over as few as possible, over the strongest, or in a wanted order.

Strengths are a mapping id -> steps (or points) in the order in which units lose; what comes back is id ->
steps lost, only of those that lose any, in that order. More losses than there are steps are ignored.

Rule of thumb: make the order first (`ranked`: what the owner wants, then what the rules say), then spread;
ask the owner only where the order makes a difference (`order_matters`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Strengths = Mapping[str, int]


class Spread(Protocol):
    """A way to spread losses: `evenly`, `in_order`, `largest_first`."""

    def __call__(self, strengths: Strengths, losses: int) -> dict[str, int]: ...


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


def largest_first(strengths: Strengths, losses: int) -> dict[str, int]:
    """Return losses taken each from the strongest unit left, among equals the first."""
    left = {id: steps for id, steps in strengths.items() if steps > 0}
    lost = dict.fromkeys(left, 0)
    for _ in range(min(losses, sum(left.values()))):
        strongest = max(left, key=lambda id: left[id])
        left[strongest] -= 1
        lost[strongest] += 1
    return {id: steps for id, steps in lost.items() if steps}


def next_evenly(strengths: Strengths, lost: Strengths) -> list[str]:
    """Return who may take the next step where nobody takes a second before all took a first, and so on.

    `lost` is what was taken so far. For an owner who chooses step by step.
    """
    able = [id for id, steps in strengths.items() if steps > lost.get(id, 0)]
    least = min((lost.get(id, 0) for id in able), default=0)
    return [id for id in able if lost.get(id, 0) == least]


def next_largest(strengths: Strengths, lost: Strengths) -> list[str]:
    """Return who may take the next step where each falls on one of the strongest left."""
    left = {id: steps - lost.get(id, 0) for id, steps in strengths.items()}
    most = max(left.values(), default=0)
    return [id for id, steps in left.items() if steps == most and steps > 0]


def ranked(
    items: Iterable[T],
    wanted: Sequence[str] = (),
    *,
    name: Callable[[T], str] = str,
    then: Callable[[T], Any] | None = None,
) -> list[T]:
    """Return items in the wanted order; the others follow by `then`, by name."""
    place = {one: n for n, one in reversed(list(enumerate(wanted)))}

    def key(item: T) -> tuple[int, Any, str]:
        return place.get(name(item), len(wanted)), then(item) if then else 0, name(item)

    return sorted(items, key=key)


def order_matters(strengths: Strengths, losses: int, spread: Spread) -> bool:
    """Return True if another order of the units gives other losses.

    The reverse order does, if any does.
    """
    able = {id: steps for id, steps in strengths.items() if steps > 0}
    return spread(able, losses) != spread(dict(reversed(able.items())), losses)


def share_of(strength: int, percent: int) -> int:
    """Return a percentage of a strength, to the nearest whole number, halves up."""
    return (2 * strength * percent + 100) // 200


def between(losses: int, one: int, other: int) -> tuple[int, int]:
    """Return losses split between two groups of that strength.

    Each takes half, the odd one goes to the first. The surplus of one goes to the other.
    """
    first = min((losses + 1) // 2, one)
    second = min(losses - first, other)
    return min(losses - second, one), second
