"""The end of a game: what is counted, how much it was, and the result for each number."""

from __future__ import annotations

from pbem.model.headed import Headed
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Level:
    """The result for points from `least` to `most` (None: no limit).

    `winner` is a player or a side; without one, `result` gives it in words.
    """

    least: int | None = None
    most: int | None = None
    winner: str = ""
    result: str = ""

    def holds(self, points: int) -> bool:
        """Return True if these points reach the level."""
        over = self.least is None or points >= self.least
        return over and (self.most is None or points <= self.most)


@dataclass(frozen=True)
class Ending:
    """The points of somebody at the end, and the levels of the scenario, the highest first.

    `who` may be several; where it is nobody, `named` says what is counted. `counted`: the points decided, not
    something else before. `also` are other conditions. `best` are the seats in first place: the winners, or
    all who share a draw. None: the game continues, or nobody can say.
    """

    who: tuple[str, ...] = ()
    points: int | None = None
    levels: tuple[Level, ...] = ()
    counted: bool = True
    also: tuple[Headed, ...] = ()
    named: str = ""
    best: tuple[str, ...] | None = None


def bands(rows: list[tuple[int, str, str]]) -> tuple[Level, ...]:
    """Return levels of (at least, winner, result), the highest first.

    Each reaches up to the one before, and the last has no lower limit.
    """
    most: int | None = None
    levels: list[Level] = []
    for number, (least, winner, result) in enumerate(rows):
        last = number == len(rows) - 1
        levels.append(Level(None if last else least, most, winner, result))
        most = least - 1
    return tuple(levels)
