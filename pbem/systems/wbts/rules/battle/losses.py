"""4.8.10, D-14: Losses: their points, and the order in which units take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.kit.losses import between, evenly, in_order, ranked, share_of
from pbem.kit.picking import Picks
from pbem.rules import (
    Game,
    Growing,
    Message,
    Name,
    ask_each,
    dataclass,
    decision,
)

from ..asking import InBattle
from ..events.battle import LossesTaken
from ..handling import lose
from ..pieces import Unit, is_unit, left, unit, world_of
from .record import Battle, face


@dataclass(frozen=True)
class LossOrder:
    """The order of losses.

    `cavalry` is the declared cavalry that takes the very first point.
    """

    land: tuple[Name, ...] = ()
    ships: tuple[Name, ...] = ()
    cavalry: Name | None = None


@dataclass(frozen=True)
class LossStanding:
    """A standing order for the order in which land units and ships take losses."""

    land: tuple[Name, ...] = ()
    ships: tuple[Name, ...] = ()


@decision(
    "losses",
    rule="4.8.10",
    answer=LossOrder,
    standing=("losses", LossStanding),
    facts=("hex", "on_land", "on_ships"),
)
class Losses(InBattle, Growing[LossOrder]):
    """In which order do your units take losses? Others follow, strong land units and weak ships first."""

    on_land: int
    on_ships: int
    land: tuple[Name, ...]
    ships: tuple[Name, ...]
    declared: tuple[Name, ...]

    def draft(self, game: Game) -> Picks:
        lists = {"land": self.land, "ships": self.ships, "cavalry": self.declared}
        words = {"land": _loses_next, "ships": _loses_next, "cavalry": _takes_first_point}
        usual = Message("wbts.losses.strongest-land-unit-and-weakest-ship-first")
        return Picks(game, self.player, lists, rule=self.rule, words=words, nothing=usual)

    def from_standing(self, game: Game, orders: list[LossStanding]) -> LossOrder | None:
        if not orders:
            return None
        first = next((id for id in orders[0].land if id in self.declared), None)
        return self.repair(game, LossOrder(orders[0].land, orders[0].ships, first))


@dataclass(frozen=True)
class Toll:
    """The losses of a side: points on land and at sea, and their working."""

    percent: int
    sp: int
    on_land: int
    on_ships: int
    working: str


async def apply_losses(game: Game, battle: Battle) -> None:
    """4.8.10: Apply both sides' losses by the cell, with doublings, spread evenly."""
    tolls = {side: _toll(game, battle, side) for side in battle.sides}
    asked = [
        question for side, toll in tolls.items() if (question := _question(battle, side, toll)) is not None
    ]
    orders = dict(zip((d.player for d in asked), await ask_each(asked), strict=True))
    for side, toll in tolls.items():
        _take(game, battle, side, toll, orders.get(side, LossOrder()))


def loss(strength: int, percent: int, smallest: int = 10) -> int:
    """R-21: Return the points lost at a percentage, rounded to the nearest, halves up.

    From the percentage `smallest` on at least 1 is lost.
    """
    least = 1 if percent >= smallest and percent else 0
    return min(strength, max(least, share_of(strength, percent)))


def _loses_next(id: str) -> str:
    return Message("wbts.losses.loses-next", id=id)


def _takes_first_point(id: str) -> str:
    return Message("wbts.losses.takes-first-point", id=id)


def _toll(game: Game, battle: Battle, side: str) -> Toll:
    """5.2: Return the losses of a side by its face strength, with their doublings."""
    tables, attacks = world_of(game).tables, side == battle.attacker
    land, ships = battle.troops(side)
    share, sp = battle.percents[0 if attacks else 1], face(land) + face(ships)
    points = loss(sp, share, tables.numbers["smallest_hit_percent"])
    texts: list[str] = [Message("wbts.losses.of", share=share, sp=sp, points=points)]
    if attacks and battle.attacker_loss != 1:
        points *= battle.attacker_loss
        texts.append(f"x {battle.attacker_loss} (works)")
    if side in battle.unsupplied:
        points *= tables.works["unsupplied"].own_loss
        texts.append(Message("wbts.losses.x-unsupplied", own_loss=tables.works["unsupplied"].own_loss))
    on_land, on_ships = between(min(sp, points), face(land), face(ships))
    return Toll(share, sp, on_land, on_ships, ", ".join(texts))


def _land_order(troops: Sequence[Unit], wanted: Sequence[str] = ()) -> dict[str, int]:
    """Return strengths in the order of land losses: as wanted, then by falling strength, then id."""
    return {u.id: u.sp for u in ranked(troops, wanted, name=lambda u: u.id, then=lambda u: -u.sp) if u.sp}


def _ship_order(ships: Sequence[Unit], wanted: Sequence[str] = ()) -> dict[str, int]:
    """Return strengths in the order of ship losses: as wanted, then the weakest first."""
    return {u.id: u.sp for u in ranked(ships, wanted, name=lambda u: u.id, then=lambda u: u.sp)}


def _question(battle: Battle, side: str, toll: Toll) -> Losses | None:
    """Return the question about losses, or None if the order does not matter."""
    troops, ships = battle.troops(side)
    land, fleet = _land_order(troops), _ship_order(ships)
    if not _matters(land, toll.on_land) and not (len(fleet) > 1 and 0 < toll.on_ships < sum(fleet.values())):
        return None
    declared = battle.declared if side == battle.attacker else ()
    counts = (toll.on_land, toll.on_ships)
    return Losses(side, battle.number, battle.target, *counts, tuple(land), tuple(fleet), declared)


def _matters(strengths: dict[str, int], points: int) -> bool:
    """Return True if the order of land losses may matter."""
    if len(strengths) < 2 or not 0 < points < sum(strengths.values()):
        return False
    return points % len(strengths) != 0 or points // len(strengths) > min(strengths.values())


def _take(game: Game, battle: Battle, side: str, toll: Toll, order: LossOrder) -> None:
    """Take the points off and report. As few ships as possible lose points."""
    troops, ships = battle.troops(side)
    first = order.cavalry or _first_point(game, battle) if side == battle.attacker else None
    lost = evenly(_land_order(troops, order.land), toll.on_land, first=first)
    lost |= in_order(_ship_order(ships, order.ships), toll.on_ships)
    for id, points in lost.items():
        lose(unit(game, id), points)
    words = tuple(f"{id} {points}" for id, points in lost.items())
    destroyed = tuple(id for id in lost if not is_unit(game, id))
    facts: tuple[Any, ...] = (toll.percent, toll.sp, toll.working, sum(lost.values()), words, destroyed)
    game.emit(LossesTaken(battle.number, battle.target, side, *facts))


def _first_point(game: Game, battle: Battle) -> str | None:
    """Return the declared cavalry that takes the very first point by default, the strongest."""
    declared = left(game, battle.declared)
    return min(declared, key=lambda u: (-u.sp, u.id)).id if declared else None
