"""Who occupies, controls and owns what: zones of control and ownership (2.2, 4.4.2)."""

from __future__ import annotations

from .pieces import Board, leaders, units, world_of
from .statics import Fort
from .tracks import T


def enemy_occupied(board: Board, hex: str, side: str) -> bool:
    """An enemy land unit of any kind is there; leaders, HQs and ships alone do not occupy."""
    return any(each.occupies for each in units(board, world_of(board).enemy(side), hex))


def occupied_hexes(board: Board, side: str) -> frozenset[str]:
    """All hexes that a side occupies."""
    return frozenset(each.hex for each in units(board, side) if each.occupies)


def left_alone(board: Board, side: str, hex: str) -> bool:
    """Whether leaders or HQs of a side are in a hex that it does not occupy; sailors do not count."""
    there = units(board, side, hex)
    if any(each.occupies for each in there):
        return False
    return any(each.is_hq for each in there) or any(not who.naval for who in leaders(board, side, hex))


def alone_hexes(board: Board, side: str) -> frozenset[str]:
    """All hexes where leaders or HQs of a side are without anybody who occupies."""
    hexes = {each.hex for each in units(board, side) if each.is_hq}
    hexes |= {who.hex for who in leaders(board, side)}
    return frozenset(hex for hex in hexes if left_alone(board, side, hex))


def zone(board: Board, side: str) -> frozenset[str]:
    """All hexes that lie in an enemy zone of control for a side."""
    world = world_of(board)
    return world.zones.under({each.hex for each in units(board, world.enemy(side)) if each.is_zoc})


def ezoc(board: Board, hex: str, side: str) -> bool:
    """Whether a hex lies in an enemy zone of control for a side; friendly units do not cancel it (R-7)."""
    world = world_of(board)
    enemy = world.enemy(side)
    return world.zones.reaches(hex, lambda near: any(each.is_zoc for each in units(board, enemy, near)))


def owner(board: Board, hex: str) -> str | None:
    """Who owns the settlement in a hex or, where there is none, the fort."""
    tracks = T.of(board)
    return tracks.settlement_owner.get(hex) or tracks.fort_owner.get(hex)


def fort_of(board: Board, hex: str, side: str) -> Fort | None:
    """The fort or fortress in a hex, if the side owns it."""
    return world_of(board).forts.get(hex) if T.of(board).fort_owner.get(hex) == side else None


def friendly_rail(board: Board, hex: str, side: str) -> bool:
    """A rail hex that the side owns and nobody has cut."""
    tracks = T.of(board)
    return tracks.rail_owner.get(hex) == side and hex not in tracks.rail_cut


def supply_cities(board: Board, side: str) -> list[str]:
    """The supply cities that a side owns, by number."""
    owners = T.of(board).settlement_owner
    cities = world_of(board).settlements
    return sorted(hex for hex, city in cities.items() if city.supply_city == side and owners.get(hex) == side)
