"""D-01: the south takes the chit in parentheses, or draws (4.1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pbem.rules import Decision, Game, Option, decision, fact

Choice = Literal["parenthesised", "draw"]


@decision("chit-choice", rule="4.1.2", answer=Choice, standing=("chit", Choice))
class ChitChoice(Decision[Choice]):
    """Does the south take the chit in parentheses, or draw from the cup?"""

    player: str
    parenthesised: int
    cup: tuple[int, ...]

    def options(self, game: Game, so_far: Choice | None = None) -> Iterator[Option]:
        yield Option("parenthesised", f"take the {self.parenthesised}")
        yield Option("draw", f"draw one of {', '.join(map(str, self.cup))}")

    def default(self, game: Game) -> Choice:
        return "parenthesised"

    def from_standing(self, game: Game, orders: list[Choice]) -> Choice | None:
        return orders[0] if orders else None

    @fact
    def gt(self, game: Game) -> int:
        return int(game.tracks["gt"])
