"""The forecast of a battle from what a player may see, for reports and `pbem odds`."""

from __future__ import annotations

from fractions import Fraction

from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Forecast:
    """A battle to come. `sides` are the players with their strengths in words, the attacker first.

    `case` tells cases apart in which it comes out otherwise (a table that is not known yet). `chances` are
    results in words with how likely each is; `expected` is what each player may expect of a quantity (`hits`
    he scores, `points` he loses). `unknown` counts the units of each player that its reader cannot judge, so
    that they are not in it.
    """

    place: str
    sides: tuple[tuple[str, str], ...]
    case: str = ""
    odds: str = ""
    chances: tuple[tuple[str, Fraction], ...] = ()
    expected: tuple[tuple[str, str, Fraction], ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
