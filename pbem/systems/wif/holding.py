"""Who holds the cities and ports of the map, for reports (4.9, 10.4)."""

from __future__ import annotations

from pbem.rules import Game

from .pieces import controller


def holders(game: Game) -> dict[str, str]:
    """The power that controls each site; of neutrals nothing is said."""
    sites = [place.number for place in game.map.places("site")]
    held = ((hex, controller(game, hex)) for hex in dict.fromkeys(sites))
    return {hex: power for hex, power in held if power is not None}
