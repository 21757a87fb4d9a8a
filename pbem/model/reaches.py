"""The reach of a counter in one move of its own: what is too far, and what may come."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Reach:
    """The places that a counter can move to by itself, however much is left to spend.

    `costs` has the least cost of each place, its own left out; what nothing leads to is missing. `allowance`
    is what it has. Both count parts of a movement point, `scale` of them in each. `ends` are the places
    within the allowance, and those that a first step may always enter.
    """

    costs: Mapping[str, int]
    allowance: int
    ends: frozenset[str]
    rule: str
    scale: int = 1

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
