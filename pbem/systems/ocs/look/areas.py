"""Supply on the map (2.5, 2.9, 4.5.2): where a unit would be in trace, by which ways units are; zones of
control; places worth points (10.3)."""

from __future__ import annotations

from pbem.rules import Game, Overlay

from ..rules.pieces import Unit, world_of
from ..rules.trace import Tracing
from ..rules.views import hides
from ..rules.zones import Ground


def areas(game: Game) -> list[Overlay]:
    """Where a unit would be in trace, and which hexes a side's zones reach."""
    world, found = world_of(game), _objectives(game)
    for side in world.seats:
        if hides(game) and game.viewer not in (None, side):
            continue  # whom an enemy supplies is not to be seen
        zone = sorted(Ground(game, world.enemy(side)).zoc)
        tracing = Tracing(game, side)
        supplied = tracing.fed()
        fed = [hex for hex in world.hexes if hex in supplied and world.land(hex)]
        found += _lifelines(tracing)
        found += [Overlay("supply", side, tuple(fed)), Overlay("zoc", side, tuple(zone))]
    return found


def _objectives(game: Game) -> list[Overlay]:
    """10.3: Return the places whose holder gains or loses points, each with what it counts."""
    rules = world_of(game).victory
    if not rules:
        return []
    side, other = rules["sides"]
    gains = [Overlay("objective", side, (hex,), worth=points) for hex, points in rules["held_for"].items()]
    return gains + [
        Overlay("objective", other, (hex,), worth=points) for hex, points in rules["lost"].items()
    ]


def _lifelines(tracing: Tracing) -> list[Overlay]:
    """From each source to the HQs that draw on it, and on to those whom they serve."""
    ways: set[tuple[str, ...]] = set()
    for id, link in tracing.whole().items():
        end = Unit(tracing.board, id).hex or ""
        middle = (Unit(tracing.board, link.hq).hex or "",) if link.hq else ()
        ways.add((link.source, *middle, end))
    kept = (tuple(hex for n, hex in enumerate(way) if hex not in way[:n]) for way in sorted(ways))
    return [Overlay("lifeline", tracing.side, way) for way in kept if len(way) > 1]
