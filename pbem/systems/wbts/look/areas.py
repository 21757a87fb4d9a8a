"""Zones of control, chains of supply and places worth points for maps (2.2, 4.11, 10.7).

Only what a view shows counts.
"""

from __future__ import annotations

from pbem.rules import Overlay

from ..rules.chain import chain
from ..rules.pieces import Board, leaders, units, world_of
from ..rules.statics import SIDES
from ..rules.zones import zone


def areas(board: Board) -> list[Overlay]:
    """2.2, 4.11, 10.7: Return the areas of each side.

    Its supply hexes, its land forces outside them, its zone of control, and the places that give it points.
    """
    world = world_of(board)
    listed: list[Overlay] = []
    for side in SIDES:
        reached = chain(board, side)
        listed.append(Overlay("supply", side, tuple(sorted(reached))))
        off = tuple(id for id, hex in _ashore(board, side) if hex not in reached)
        listed.append(Overlay("unsupplied", side, (), counters=off))
        listed.append(Overlay("zoc", side, tuple(sorted(zone(board, world.enemy(side))))))
        holds = world.victory["points"][side].get("holds", {})
        listed += [Overlay("objective", side, (hex,), worth=points) for hex, points in holds.items()]
    return listed


def _ashore(board: Board, side: str) -> list[tuple[str, str]]:
    """Return land leaders and units that are not static, by id, with their hexes (4.4.1, 4.7)."""
    land = world_of(board).land
    ashore = [(u.id, u.hex) for u in units(board, side) if u.known and not (u.is_static or u.is_naval)]
    ashore += [(who.id, who.hex) for who in leaders(board, side) if who.on_map and not who.naval]
    return sorted((id, hex) for id, hex in ashore if hex in land)
