"""2.2, 4.4.2: Occupation, zones of control and ownership."""

from __future__ import annotations

from operator import attrgetter

from pbem.rules import where_any

from .pieces import Board, Leader, Unit, world_of
from .statics import Fort
from .tracks import T

OCCUPIES, ZONES, COMBATS = attrgetter("occupies"), attrgetter("is_zoc"), attrgetter("is_combat")
HQS, AFOOT = attrgetter("is_hq"), attrgetter("is_ashore")


def occupied_hexes(board: Board, side: str) -> frozenset[str]:
    """Return all hexes that a side occupies with a land unit. Leaders, HQs and ships do not occupy."""
    return where_any(board, Unit, OCCUPIES, side=side)


def enemy_occupied(board: Board, hex: str, side: str) -> bool:
    """Return True if the enemy of a side occupies a hex."""
    return hex in occupied_hexes(board, world_of(board).enemy(side))


def held_hexes(board: Board, side: str) -> frozenset[str]:
    """Return all hexes where a side has combat units."""
    return where_any(board, Unit, COMBATS, side=side)


def alone_hexes(board: Board, side: str) -> frozenset[str]:
    """Return all hexes with lone leaders or HQs of a side. Naval leaders do not count."""
    lone = where_any(board, Unit, HQS, side=side) | where_any(board, Leader, AFOOT, side=side)
    return lone - occupied_hexes(board, side)


def zone(board: Board, side: str) -> frozenset[str]:
    """R-7: Return all hexes in an enemy zone of control. Friendly units do not cancel it."""
    world = world_of(board)
    return world.zones.under(where_any(board, Unit, ZONES, side=world.enemy(side)))


def owner(board: Board, hex: str) -> str | None:
    """Return the owner of the settlement in a hex or, without one, of the fort."""
    tracks = T.of(board)
    return tracks.settlement_owner.get(hex) or tracks.fort_owner.get(hex)


def fort_of(board: Board, hex: str, side: str) -> Fort | None:
    """Return the fort or fortress in a hex, if the side owns it."""
    return world_of(board).forts.get(hex) if T.of(board).fort_owner.get(hex) == side else None


def friendly_rail(board: Board, hex: str, side: str) -> bool:
    """Return True if a hex has rails that the side owns and that are not cut."""
    tracks = T.of(board)
    return tracks.rail_owner.get(hex) == side and hex not in tracks.rail_cut


def friendly_rails(board: Board, side: str) -> frozenset[str]:
    """Return all hexes with friendly rails."""
    tracks = T.of(board)
    owned = frozenset([hex for hex, owner in tracks.rail_owner.items() if owner == side])
    return owned.difference(tracks.rail_cut)


def supply_cities(board: Board, side: str) -> list[str]:
    """Return the supply cities that a side owns, by number."""
    owners = T.of(board).settlement_owner
    cities = world_of(board).settlements
    return sorted(hex for hex, city in cities.items() if city.supply_city == side and owners.get(hex) == side)
