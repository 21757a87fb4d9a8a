"""What questions have in common: those of a battle its number and hex, those of a segment the week."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.rules import Game, HexNumber, fact

from .pieces import gt


@dataclass(frozen=True)
class InBattle:
    """A question of one battle: its number in the segment tells it from those of others."""

    player: str
    number: int
    hex: HexNumber

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)


class InWeek:
    """A question of a segment."""

    @fact("gt")
    def week(self, game: Game) -> int:
        return gt(game)
