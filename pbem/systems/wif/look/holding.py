"""Who holds the cities and ports of the map, and what has changed hands, for reports (4.9, 10.4)."""

from __future__ import annotations

from pbem.rules import Game

from ..rules.pieces import T, controller


def holders(game: Game) -> dict[str, str]:
    """The power that controls each site, and each hex that its first owner has lost; of neutrals nothing."""
    sites = [place.number for place in game.map.places("site")]
    held = ((hex, controller(game, hex)) for hex in dict.fromkeys((*sites, *sorted(T.of(game).control))))
    return {hex: power for hex, power in held if power is not None}
