"""Feeding (D-11, rule 4.8.2): supply units give up steps to save unsupplied blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pbem.kit.faults import illegal
from pbem.rules import (
    Diagnostic,
    Draft,
    Drafting,
    Game,
    Growing,
    Message,
    Name,
    Next,
    Points,
    Range,
    dataclass,
    decision,
    fact,
)

from ..blocks import Block, supply_units
from ..sides import Side
from ..supply import Lines, unsupplied


@dataclass(frozen=True)
class Meal:
    """A step of a supply unit, and the block that it saves."""

    su: Name
    saves: Name


@dataclass(frozen=True)
class FeedOrder:
    """A standing order for one supply unit.

    It saves the blocks in `saves` in order (by default any, by id) while its CV is above `keep_cv` (R-63).
    """

    su: Name
    saves: tuple[Name, ...] = ()
    keep_cv: Annotated[int, Range(0, 4)] = 0


class Table(Draft[Meal]):
    """Meals so far. The board stays unchanged, because all attrition is simultaneous."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        side = Side(game, player)
        starving = unsupplied(game, bool(game.options["city_supply"]))
        self.hungry = [u.id for u in starving if u.owner in side.members]
        self.left = {u.id: u.cv for u in supply_units(game, player)}
        self.lines = {id: Lines(side, [Block(game, id).hex]) for id in self.left if self.hungry}

    def next(self, of: str | None = None) -> Iterator[Next[Meal]]:
        for su in self.left if self.hungry else ():
            for id in self.hungry if self.concerns(of, su) else ():
                meal = Meal(su, id)
                if not self.faults(meal):
                    yield Next(meal, self.words(meal), Points((su, id), cost=(("steps", 1),)))

    def faults(self, element: Meal) -> list[Diagnostic]:
        su, id = element.su, element.saves
        if su not in self.left:
            return [
                illegal(
                    "E-ATT-01",
                    "4.8.2",
                    Message("victory.activation.no-supply-unit-of-on-map", su=su, player=self.player),
                    "su",
                )
            ]
        reason = ""
        if id not in self.hungry:
            reason = Message("victory.feeding.no-block-of-side", id=id)
        elif not self.lines[su].reach(Block(self.game, id).hex):
            reason = Message("victory.feeding.cannot-trace-supply-line", unit=id, source=su)
        elif id in [meal.saves for meal in self.elements]:
            reason = Message("victory.feeding.saved-already", id=id)
        elif not self.left[su]:
            steps = Block(self.game, su).cv
            return [
                illegal(
                    "E-ATT-01",
                    "4.8.2",
                    Message("victory.feeding.has-only-steps-to-give", su=su, steps=steps),
                    "su",
                )
            ]
        return [illegal("E-ATT-01", "4.8.2", reason, "saves")] if reason else []

    def do(self, element: Meal) -> None:
        self.left[element.su] -= 1

    def words(self, element: Meal) -> str:
        return Message("victory.feeding.saves", su=element.su, unit=element.saves)

    def nothing(self) -> str:
        return Message("victory.feeding.feed-nobody")


@decision("feeding", rule="4.8.2", answer=tuple[Meal, ...], secrecy="sealed", standing=("feed", FeedOrder))
class Feeding(Growing[tuple[Meal, ...]]):
    """Which supply units give up steps, one for each block they save from attrition?"""

    player: str
    drafts = Table

    def legal(self, game: Game) -> list[Meal]:
        """Return every legal single meal, by supply unit and block."""
        return [option.element for option in Drafting(self, game).next()]

    def from_standing(self, game: Game, orders: list[FeedOrder]) -> tuple[Meal, ...] | None:
        drafting, table = Drafting(self, game), Table(game, self.player)
        applying = [order for order in orders if order.su in table.left]
        for order in applying:
            for id in order.saves or table.hungry:
                if table.left[order.su] > order.keep_cv and not drafting.offer(Meal(order.su, id)):
                    table.left[order.su] -= 1
        return (
            drafting.answer() if applying else None
        )  # if the supply units of all orders are gone, ask the owner

    @fact
    def out_of_supply(self, game: Game) -> int:
        return len(Table(game, self.player).hungry)
