"""Feeding (D-11, rule 4.8.2): supply units give up steps to save units out of supply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pbem.rules import Decision, Diagnostic, Game, Name, Option, Range, decision, fact, to_json

from ..blocks import Unit, supply_units, unit, world_of
from ..supply import Lines
from ..supply_status import unsupplied


@dataclass(frozen=True)
class Meal:
    """One step of a supply unit, and the block it saves."""

    su: Name
    saves: Name


@dataclass(frozen=True)
class FeedOrder:
    """Standing order.

    Blocks a supply unit saves, in this order (none given: any, by id), down to `keep_cv`.
    """

    su: Name
    saves: tuple[Name, ...] = ()
    keep_cv: Annotated[int, Range(0, 4)] = 0


def hungry(game: Game, player: str) -> list[Unit]:
    """Blocks of the player's side that are out of supply, by id."""
    world = world_of(game)
    found = unsupplied(game, bool(game.options["city_supply"]))
    return [u for u in found if world.allied(u.owner, player)]


@decision("feeding", rule="4.8.2", answer=tuple[Meal, ...], secrecy="sealed", standing=("feed", FeedOrder))
class Feeding(Decision[tuple[Meal, ...]]):
    """Which supply units give up steps, one for each block they save from attrition?"""

    player: str

    def options(self, game: Game, so_far: tuple[Meal, ...] | None = None) -> Iterator[Option]:
        if so_far is None:
            yield Option([], "feed nobody")
        given = so_far or ()
        for one in self.legal(game):
            longer = (*given, one)
            if not self.check(game, longer):
                yield Option(to_json(longer), f"{one.su} saves {one.saves}")

    def legal(self, game: Game) -> list[Meal]:
        """Every single feeding that is possible, by supply unit and block."""
        starving = hungry(game, self.player)
        found = []
        for su in supply_units(game, self.player):
            lines = Lines(game, self.player, [su.hex])
            found += [Meal(su.id, u.id) for u in starving if lines.reach(u.hex)]
        return found

    def check(self, game: Game, answer: tuple[Meal, ...]) -> list[Diagnostic]:
        possible = self.legal(game)
        faults: list[Diagnostic] = []
        given: list[Meal] = []
        for number, one in enumerate(answer):
            entry, reason = self._why_not(game, one, possible, given)
            if reason:
                faults.append(
                    Diagnostic("E-ATT-01", reason, family="illegal", rule="4.8.2", path=(number, entry))
                )
            else:
                given.append(one)
        return faults

    def _why_not(self, game: Game, one: Meal, possible: list[Meal], given: list[Meal]) -> tuple[str, str]:
        """The entry at fault and why; two empty strings when the element is legal."""
        if one.su not in [u.id for u in supply_units(game, self.player)]:
            return "su", f"{one.su} is no supply unit of {self.player} on the map"
        if one.saves not in [u.id for u in hungry(game, self.player)]:
            return "saves", f"{one.saves} is no block of the side that is out of supply"
        if one not in possible:
            return "saves", f"{one.saves} cannot trace a supply line to {one.su}"
        if one.saves in [meal.saves for meal in given]:
            return "saves", f"{one.saves} is saved already"
        cv = unit(game, one.su).cv
        if sum(1 for meal in given if meal.su == one.su) >= cv:
            return "su", f"{one.su} has only {cv} steps to give"
        return "", ""

    def default(self, game: Game) -> tuple[Meal, ...]:
        return ()

    def repair(self, game: Game, answer: tuple[Meal, ...]) -> tuple[Meal, ...]:
        kept: tuple[Meal, ...] = ()
        for one in answer:
            if not self.check(game, (*kept, one)):
                kept = (*kept, one)
        return kept

    def from_standing(self, game: Game, orders: list[FeedOrder]) -> tuple[Meal, ...] | None:
        mine = [u.id for u in supply_units(game, self.player)]
        applying = [order for order in orders if order.su in mine]
        if not applying:
            return None  # the supply units they speak of are gone: the owner is asked
        meals: tuple[Meal, ...] = ()
        for order in applying:
            named = order.saves or tuple(u.id for u in hungry(game, self.player))
            for id in named:
                left = unit(game, order.su).cv - sum(1 for meal in meals if meal.su == order.su)
                longer = (*meals, Meal(order.su, id))
                if left > order.keep_cv and not self.check(game, longer):
                    meals = longer
        return meals

    @fact
    def out_of_supply(self, game: Game) -> int:
        return len(hungry(game, self.player))
