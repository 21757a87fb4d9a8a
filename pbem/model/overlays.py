"""Areas of the map that a rules system works out from what a player may see: supply, zones of control."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Overlay:
    """Locations (by id) that share something: `layer` is `supply`, `zoc` or a name of the system's own.

    `owner` is the player whose supply or zone it is, empty for nobody's. `words` name the area for a reader.
    """

    layer: str
    owner: str
    hexes: tuple[str, ...]
    words: str = ""
