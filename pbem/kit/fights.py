"""Shared parts of forecasts of fights and accounts of them: sums over their courses, and reasons.

Systems fill `Forecast` and `Fought` (`pbem/model/forecasts.py`) with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.model.forecasts import ENDS, End, average, share, together
from pbem.text.messages import Message

__all__ = ["Ends", "Sent", "average", "expect", "first_of", "share", "together", "why"]
Ends = tuple[tuple[End, Fraction], ...]


class Sent(tuple[str, ...]):
    """The attackers that an order names, for a forecast of all that it says: `order`, in a `segment`."""

    order: Any
    segment: str

    @classmethod
    def of(cls, ids: Iterable[str], order: Any, segment: str = "") -> Sent:
        """Return the attackers of an order."""
        made = cls(ids)
        made.order, made.segment = order, segment
        return made


def expect(
    cases: Iterable[tuple[Fraction, End, tuple[Fraction | int, Fraction | int]]],
) -> tuple[Ends, tuple[Fraction, Fraction]]:
    """Return the chance of each end, and the average losses of attackers and defenders.

    `cases` are courses with their chance, their end and their losses.
    """
    ends: dict[End, Fraction] = {}
    mine, theirs = Fraction(0), Fraction(0)
    for chance, end, (attackers, defenders) in cases:
        ends[end] = ends.get(end, Fraction(0)) + chance
        mine, theirs = mine + chance * attackers, theirs + chance * defenders
    return tuple((end, ends[end]) for end in ENDS if end in ends), (mine, theirs)


def first_of(events: Sequence[Mapping[str, Any]], kind: str) -> Mapping[str, Any] | None:
    """Return the first event of a kind; None without any."""
    return next((event for event in events if event["event"] == kind), None)


def why(end: End, *, stayed: int = 0, retreated: bool = False, eliminated: bool = False) -> Message:
    """Return why a fight ended so: `stayed` defenders are left, others `retreated` or were `eliminated`."""
    if end in ("taken", "cleared"):
        return Message("kit.fights.nobody-left", retreated=retreated, eliminated=eliminated)
    if end == "repelled":
        return Message("kit.fights.attackers-retreated")
    if end == "eliminated":
        return Message("kit.fights.attackers-eliminated")
    return Message("kit.fights.defenders-stayed", count=stayed)
