"""Supply and zones of control as areas of the map (2.9, 4.5.2)."""

from __future__ import annotations

from pbem.rules import Game, Overlay

from .pieces import world_of
from .trace import Tracing
from .views import hides
from .zones import Ground


def areas(game: Game) -> list[Overlay]:
    """Where a unit would be in trace, and which hexes a side's zones reach."""
    world, found = world_of(game), []
    for side in world.seats:
        if hides(game) and game.viewer not in (None, side):
            continue  # whom an enemy supplies is not to be seen
        zone = sorted(Ground(game, world.enemy(side)).zoc)
        tracing = Tracing(game, side)
        hqs = [hq for hq in tracing.net.hqs() if tracing.of_hq(hq) is not None]
        fed = [
            hex
            for hex in world.hexes
            if world.land(hex)
            and hex not in tracing.net.ground.hostile
            and (
                tracing.direct(hex) is not None or any(tracing.net.throws(hq, hex) is not None for hq in hqs)
            )
        ]
        found += [Overlay("supply", side, tuple(fed)), Overlay("zoc", side, tuple(zone))]
    return found
