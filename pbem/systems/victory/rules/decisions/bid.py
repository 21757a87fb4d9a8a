"""D-1: The bid for the initiative (rule 4.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import ByOrder
from pbem.rules import Diagnostic, Game, Message, Option, dataclass, decision, fact

from ..state import State
from ..world import world_of
from .turn_order import PassOrTurn


@dataclass(frozen=True)
class BidStanding:
    """A standing bid for one game turn, or for any."""

    value: int
    turn: int | Literal["any"] = "any"


@decision("bid", rule="4.1.1", answer=int, secrecy="together", standing=("bid", BidStanding))
class Bid(ByOrder[int]):
    """How many player turns do you bid for the initiative?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        numbers = world_of(game).numbers
        for value in range(numbers.bid_min, numbers.bid_max + 1):
            text = (
                Message("victory.bid.no-bid")
                if value == 0
                else Message("victory.bid.bid-that-many-turns", value=value)
            )
            yield Option(value, text)

    def check(self, game: Game, answer: int) -> list[Diagnostic]:
        numbers = world_of(game).numbers
        if numbers.bid_min <= answer <= numbers.bid_max or answer == numbers.bid_zero_face:
            return []
        message = Message(
            "victory.bid.bid-must-be-whole-number",
            bid_min=numbers.bid_min,
            bid_max=numbers.bid_max,
            bid=answer,
        )
        return [illegal("E-BID-01", "4.1.1", message)]

    def words(self, game: Game, answer: int) -> list[str]:
        if answer == world_of(game).numbers.bid_zero_face:
            return [Message("victory.bid.counts-as-0", bid=answer)]
        return super().words(game, answer)

    def default(self, game: Game) -> int:
        return 0

    def ahead(self, game: Game) -> Iterator[PassOrTurn]:
        """Yield the question about the first player turn of the game turn."""
        yield PassOrTurn(self.player, 1)

    def from_order(self, game: Game, order: BidStanding) -> int | None:
        return order.value if order.turn in ("any", State.of(game).turn) else None

    @fact
    def turn(self, game: Game) -> int:
        return State.of(game).turn

    @fact
    def vp(self, game: Game) -> int:
        return State.of(game).vp[self.player]
