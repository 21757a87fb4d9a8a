"""Supply on the map, and the places that decide the game (4.8, 4.9)."""

from __future__ import annotations

from pbem.rules import Game, Overlay

from ..rules.supply import supply_overlays
from ..rules.world import world_of


def areas(game: Game) -> list[Overlay]:
    """Return where blocks are supplied, which are not, and the places that a condition of victory names."""
    overlays = list(supply_overlays(game))
    for condition in world_of(game).victory:
        if condition["kind"] == "hold":
            overlays += [
                Overlay("objective", str(who), tuple(map(str, condition["hexes"])))
                for who in condition["who"]
            ]
    return overlays
