"""Control of the land (4.9, 10.4), and the sides of powers (2.1), for reports."""

from __future__ import annotations

from pbem.rules import Game

from ..rules.pieces import controller
from ..rules.world import world_of


def holders(game: Game) -> dict[str, str]:
    """Return the power that controls each land hex; nothing of neutrals."""
    world = world_of(game)
    held = ((hex, controller(game, hex)) for hex in world.hexes if world.land(hex))
    return {hex: power for hex, power in held if power is not None}


def sides(game: Game) -> dict[str, str]:
    """2.1: Return the side of each power, and of each seat whose powers are all on one side."""
    side_of = dict(world_of(game).side_of)
    for seat in game.players:
        first, *others = [side_of[power] for power in game.powers_of(seat)] or [seat]
        if all(other == first for other in others):
            side_of.setdefault(seat, first)
    return side_of
