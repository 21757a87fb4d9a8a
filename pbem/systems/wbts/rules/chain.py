"""4.11: The chain of supply of a side at present."""

from __future__ import annotations

from pbem.rules import counters, where_any

from .pieces import Board, Unit, world_of
from .zones import friendly_rails, held_hexes, occupied_hexes, supply_cities, zone


def chain(board: Board, side: str) -> frozenset[str]:
    """Return all hexes on the chain of supply of a side.

    Supply passes through land hexes without enemies. In enemy zones it needs a friendly combat
    unit. It begins in own supply cities that it can pass through, and in all own naval bases beside
    the sea.
    """
    world = world_of(board)
    barred = occupied_hexes(board, world.enemy(side)) | (zone(board, side) - held_hexes(board, side))
    cities = world.land.intersection(supply_cities(board, side)) - barred
    bases = [base.hex for base in counters(board, Unit, side=side, type="naval_base")]
    first = cities.union(hex for hex in bases if world.beside_sea(hex))
    relays = where_any(board, Unit, _relays, side=side)
    return world.links.reach(first, relays, barred, friendly_rails(board, side))


def _relays(u: Unit) -> bool:
    """Return True if a unit begins a link of its own: depot, loaded supply train, army HQ."""
    return u.type == "depot" or u.is_army or (u.type == "supply_train" and u.supply >= 1)
