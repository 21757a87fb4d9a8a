"""The reach of a counter in one move of its own: what is too far, and what may come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property

from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Reach:
    """The places that a counter can move to by itself, and what those beyond would cost.

    `ends` are the places within the allowance, and those that a first step may always enter. `further` gives
    the least cost of each place, its own left out, however much is left to spend; what nothing leads to is
    missing. It is looked for only where it is asked for. Costs and `allowance` count parts of a movement
    point, `scale` of them in each.
    """

    ends: frozenset[str]
    allowance: int
    rule: str
    further: Callable[[], Mapping[str, int]]
    scale: int = 1

    @cached_property
    def costs(self) -> Mapping[str, int]:
        """Return the least cost of each place, also beyond the allowance."""
        return self.further()

    def needs(self, place: str) -> Fraction | None:
        """Return the movement points that a place costs, if it is too far.

        None if it is not, or if no way leads there.
        """
        if place in self.ends or place not in self.costs:
            return None
        return Fraction(self.costs[place], self.scale)

    @property
    def has(self) -> Fraction:
        """Return the movement points that it may spend."""
        return Fraction(self.allowance, self.scale)
