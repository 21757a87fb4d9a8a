"""Stacking limits: how much of what may stand in one location, and what is too much.

    LIMITS = (
        Limit("ground blocks", weight=lambda u: u.cls == "ground", most=lambda hex: 3),
        Limit("steps", weight=lambda u: u.steps, most=lambda hex: 6 if wide(hex) else 3),
        Limit("HQs", weight=lambda u: u.is_hq, most=lambda hex: 1),
    )

Rule of thumb: a limit counts everything of one side in one location; "never two HQs" is a limit of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Generic, TypeVar

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

U = TypeVar("U")
Amount = int | Fraction


@dataclass(frozen=True)
class Limit(Generic[U]):
    """A limit: at most `most(location)` (None: no limit) of what `weight` counts.

    A weight of 0 or False is none.
    """

    name: str
    weight: Callable[[U], Amount]
    most: Callable[[str], Amount | None]

    def count(self, stack: Iterable[U]) -> Amount:
        """Return how much a stack counts under this limit."""
        total: Amount = 0
        for unit in stack:
            total += self.weight(unit)
        return total


@dataclass(frozen=True)
class Excess(Generic[U]):
    """A limit that is broken in a location: what was found, and the most there may be."""

    limit: Limit[U]
    location: str
    found: Amount
    most: Amount

    def __str__(self) -> str:
        return Message(
            "kit.stacking.in-most",
            found=self.found,
            limit=self.limit.name,
            location=self.location,
            most=self.most,
        )


def excess(limits: Iterable[Limit[U]], stack: Iterable[U], location: str) -> list[Excess[U]]:
    """Return every limit that a stack of one side breaks in a location."""
    there = list(stack)
    broken = []
    for limit in limits:
        most = limit.most(location)
        if most is not None and (count := limit.count(there)) > most:
            broken.append(Excess(limit, location, count, most))
    return broken
