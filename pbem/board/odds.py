"""Odds: the ratio of two strengths, compared exactly. Never a float."""

from __future__ import annotations

from fractions import Fraction
from functools import total_ordering
from math import ceil, floor, lcm
from typing import Literal

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Odds:
    """`attack` against `defence`, both as they were counted: 35:6 stays 35:6 but equals 70:12.

    A defence of nothing is infinite odds. Two strengths of nothing, or a negative one, raise `ValueError`.
    """

    attack: Fraction
    defence: Fraction

    def __post_init__(self) -> None:
        if self.attack < 0 or self.defence < 0 or self.attack == self.defence == 0:
            raise ValueError(Message("board.odds.no-odds", attack=self.attack, defence=self.defence))

    @classmethod
    def of(cls, attack: int | Fraction, defence: int | Fraction) -> Odds:
        """Return the odds of two strengths, fractions kept."""
        return cls(Fraction(attack), Fraction(defence))

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Return the odds of a column's head: "3:1", "1-2".

        Raises `ValueError` for anything else.
        """
        attack, _, defence = text.replace("-", ":").partition(":")
        if not (text.isascii() and attack.isdigit() and defence.isdigit()):
            raise ValueError(Message("board.odds.odds-such-3-1", text=repr(text)))
        return cls.of(int(attack), int(defence))

    def whole(self, rounding: Literal["down", "nearest"] = "down") -> Odds:
        """Return the odds as n:1 or 1:n.

        "down" rounds in favour of the defence: 7:2 is 3:1, 2:7 is 1:4.

        "nearest" rounds the larger number, a half upward. Odds with a strength of nothing stay as they are.
        """
        if not self.attack or not self.defence:
            return self
        ratio = self.attack / self.defence
        if ratio >= 1:
            return Odds.of(floor(ratio) if rounding == "down" else floor(ratio + Fraction(1, 2)), 1)
        return Odds.of(1, ceil(1 / ratio) if rounding == "down" else floor(1 / ratio + Fraction(1, 2)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Odds):
            return NotImplemented
        return self.attack * other.defence == other.attack * self.defence

    def __lt__(self, other: Odds) -> bool:
        return self.attack * other.defence < other.attack * self.defence

    def __str__(self) -> str:
        scale = lcm(self.attack.denominator, self.defence.denominator)
        return f"{self.attack * scale}:{self.defence * scale}"
