"""Supply on the map (2.5, 2.9, 4.5.2): hexes in trace, paths of units, and zones of control."""

from __future__ import annotations

from pbem.rules import Game, Overlay

from ..rules.pieces import Unit, world_of
from ..rules.trace import Tracing
from ..rules.views import hides
from ..rules.zones import Ground


def areas(game: Game) -> list[Overlay]:
    """Return where a unit would be in trace, and which hexes a side's zones reach."""
    world, overlays = world_of(game), []
    for side in world.seats:
        if hides(game) and game.viewer not in (None, side):
            continue  # whom an enemy supplies is not to be seen
        zone = sorted(Ground(game, world.enemy(side)).zoc)
        tracing = Tracing(game, side)
        supplied = tracing.fed()
        fed = [hex for hex in world.hexes if hex in supplied and world.land(hex)]
        overlays += _lifelines(tracing)
        overlays += [Overlay("supply", side, tuple(fed)), Overlay("zoc", side, tuple(zone))]
    return overlays


def _lifelines(tracing: Tracing) -> list[Overlay]:
    """Return paths from each source to the HQs that use it, and on to their units."""
    ways: set[tuple[str, ...]] = set()
    for id, link in tracing.whole().items():
        end = Unit(tracing.board, id).hex or ""
        middle = (Unit(tracing.board, link.hq).hex or "",) if link.hq else ()
        ways.add((link.source, *middle, end))
    kept = (tuple(hex for n, hex in enumerate(way) if hex not in way[:n]) for way in sorted(ways))
    return [Overlay("lifeline", tracing.side, way) for way in kept if len(way) > 1]
