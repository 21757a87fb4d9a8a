"""Combat supply (4.8.7, chart 12.24): where the points come from and who pays."""

from __future__ import annotations

from collections.abc import Sequence

from ..handling import spend_supply
from ..pieces import Board, Unit, unit, units, world_of
from .state import Battle, attacking, defending

ORDER = {"supply_train": 0, "hq": 1, "depot": 2}


def consumers(board: Board, battle: Battle, side: str) -> list[Unit]:
    """The participating land units of a side: ships need no supply (R-18)."""
    here = attacking(board, battle) if side == battle.attacker else defending(board, battle)
    return [each for each in here if each.is_land]


def sources(board: Board, battle: Battle, side: str) -> list[str]:
    """Depots, trains and army HQs with points in a combat hex or beside it, over no prohibited hexside.

    In the order of D-12: trains, army HQs, depots, each by id. Withheld ones count.
    """
    world = world_of(board)
    hexes: dict[str, bool] = {}
    for each in consumers(board, battle, side):
        hexes[each.hex] = True
        for near in world.neighbours(each.hex):
            if not world.prohibited(each.hex, near):
                hexes[near] = True
    found = [each for hex in hexes for each in units(board, side, hex) if each.carries and each.supply]
    return [each.id for each in sorted(found, key=lambda u: (ORDER[u.type], u.id))]


def in_order(listed: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Sources as the owner wants them used, the others in the usual order after them."""
    first = [id for id in dict.fromkeys(wanted) if id in listed]
    return [*first, *(id for id in listed if id not in first)]


def available(board: Board, listed: Sequence[str]) -> int:
    """Points in these sources together."""
    return sum(unit(board, id).supply for id in listed)


def pay(board: Board, listed: Sequence[str], points: int) -> dict[str, int]:
    """Take the points from the sources in their order; gives who paid what. There must be enough."""
    paid: dict[str, int] = {}
    for id in listed:
        taken = min(points, unit(board, id).supply)
        if taken:
            spend_supply(board, id, taken)
            paid[id] = taken
        points -= taken
    assert points == 0, "more was asked for than there is"
    return paid
