"""Common fields of questions: number and hex for battles, the week for segments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pbem.rules import Decision, Game, HexNumber, dataclass, fact

from .pieces import gt
from .tracks import T

A = TypeVar("A")


@dataclass(frozen=True)
class InBattle:
    """A question of one battle. Its number in the segment distinguishes it from other battles."""

    player: str
    number: int
    hex: HexNumber

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)


SEGMENTS = ("command", "free-initiative", "leader-initiative", "combat-command", "battles", "cleanup")


class InWeek(Decision[A]):
    """A question of a segment. Players may answer later segments in advance."""

    @fact("gt")
    def week(self, game: Game) -> int:
        return gt(game)

    def ahead(self, game: Game) -> Iterator[Decision[Any]]:
        """Yield the later segments of the same player turn."""
        tracks = T.of(game)
        left = tracks.chit[self.player] - tracks.free_used[self.player]
        now = SEGMENTS.index(self.kind) + 1 if self.kind in SEGMENTS else len(SEGMENTS)
        for kind in SEGMENTS[now:]:
            yield game.system.decision(kind, self.player, {"left": left} if kind == "free-initiative" else {})
