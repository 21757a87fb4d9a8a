"""The area each side can supply (4.8.4), for maps; on a player's view as far as he can tell."""

from __future__ import annotations

from pbem.rules import Overlay

from .blocks import Board, world_of
from .supply import Lines, supply_bases


def areas(board: Board) -> list[Overlay]:
    """The hexes from which a block of each player's side can trace a supply line to a base of its side."""
    world = world_of(board)
    teams = {world.side(player): player for player in reversed(world.seats)}
    found: list[Overlay] = []
    for player in sorted(teams.values(), key=world.seats.index):
        lines = Lines(board, player, supply_bases(board, player))
        hexes = tuple(hex for hex in world.hexes if lines.reach(hex))
        found.append(Overlay("supply", player, hexes))
    return found
