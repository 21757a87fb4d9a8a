"""Who occupies, controls and owns what: zones of control and ownership (2.2, 4.4.2)."""

from __future__ import annotations

from typing import cast

from .pieces import Board, leaders, units, world_of
from .statics import Fort


def enemy_occupied(board: Board, hex: str, side: str) -> bool:
    """An enemy land unit of any kind is there; leaders, HQs and ships alone do not occupy."""
    return any(each.occupies for each in units(board, world_of(board).enemy(side), hex))


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


def occupied_hexes(board: Board, side: str) -> frozenset[str]:
    """All hexes that a side occupies."""
    return frozenset(each.hex for each in units(board, side) if each.occupies)


def zone(board: Board, side: str) -> frozenset[str]:
    """All hexes that lie in an enemy zone of control for a side."""
    world = world_of(board)
    sources = sorted({each.hex for each in units(board, world.enemy(side)) if each.is_zoc})
    return frozenset(near for hex in sources for near in world.under_zone[hex])


def ezoc(board: Board, hex: str, side: str) -> bool:
    """Whether a hex lies in an enemy zone of control for a side; friendly units do not cancel it (R-7)."""
    world = world_of(board)
    enemy = world.enemy(side)
    return any(each.is_zoc for near in world.under_zone[hex] for each in units(board, enemy, near))


def owner(board: Board, hex: str) -> str | None:
    """Who owns the settlement in a hex or, where there is none, the fort."""
    tracks = board.position.tracks
    for name in ("settlement_owner", "fort_owner"):
        owners = cast("dict[str, str]", tracks[name])
        if hex in owners:
            return owners[hex]
    return None


def fort_of(board: Board, hex: str, side: str) -> Fort | None:
    """The fort or fortress in a hex, if the side owns it."""
    owners = cast("dict[str, str]", board.position.tracks["fort_owner"])
    return world_of(board).forts.get(hex) if owners.get(hex) == side else None


def friendly_rail(board: Board, hex: str, side: str) -> bool:
    """A rail hex that the side owns and nobody has cut."""
    tracks = board.position.tracks
    owners = cast("dict[str, str]", tracks["rail_owner"])
    return owners.get(hex) == side and hex not in cast("list[str]", tracks["rail_cut"])
