"""2.9 Who controls the cities of the map, for reports."""

from __future__ import annotations

from pbem.rules import Game

from ..rules.ground import Ground


def holders(game: Game) -> dict[str, str]:
    """The faction that controls each settlement; of neutrals nothing is said."""
    ground = Ground(game)
    held = ((hex, ground.control(hex)) for hex in [one.number for one in game.map.places("settlement")])
    return {hex: faction for hex, faction in held if faction is not None}
