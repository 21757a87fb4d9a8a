"""Zones of control and chains of supply of both sides (2.2, 4.11), for maps; on a view as far as it tells."""

from __future__ import annotations

from pbem.rules import Overlay

from .chain import chain
from .pieces import Board, world_of
from .statics import SIDES
from .zones import zone


def areas(board: Board) -> list[Overlay]:
    """For each side the hexes on its chain of supply, and those in its zone of control."""
    world = world_of(board)
    found: list[Overlay] = []
    for side in SIDES:
        found.append(Overlay("supply", side, tuple(sorted(chain(board, side)))))
        found.append(Overlay("zoc", side, tuple(sorted(zone(board, world.enemy(side))))))
    return found
