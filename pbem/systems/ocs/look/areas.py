"""Supply on the map (2.5, 2.9, 4.5.2), zones of control, and places worth points (10.3).

They show where a unit would be in trace, the supply paths of units, and which units have none.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game, Overlay

from ..rules.pieces import Unit, units, world_of
from ..rules.supply.trace import Link, Tracing
from ..rules.views import hides
from ..rules.zones import Ground


def areas(game: Game) -> list[Overlay]:
    """Return where a unit would be in trace, and which hexes a side's zones reach."""
    world, overlays = world_of(game), _objectives(game)
    for side in world.seats:
        if hides(game) and game.viewer not in (None, side):
            continue  # an enemy's supply is hidden
        zone = sorted(Ground(game, world.enemy(side)).zoc)
        tracing = Tracing(game, side)
        supplied = tracing.fed()
        fed = [hex for hex in world.hexes if hex in supplied and world.land(hex)]
        links = tracing.whole()
        hungry = tuple(u.id for u in units(game, side) if u.hex in world.terrains and u.id not in links)
        overlays += _lifelines(tracing, links)
        overlays += [Overlay("unsupplied", side, (), counters=hungry)] if hungry else []
        overlays += [Overlay("supply", side, tuple(fed)), Overlay("zoc", side, tuple(zone))]
    return overlays


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


def _lifelines(tracing: Tracing, links: Mapping[str, Link]) -> list[Overlay]:
    """Return paths from each source to the HQs that use it, and on to their units."""
    ways: set[tuple[str, ...]] = set()
    for id, link in links.items():
        end = Unit(tracing.board, id).hex or ""
        middle = (Unit(tracing.board, link.hq).hex or "",) if link.hq else ()
        ways.add((link.source, *middle, end))
    kept = (tuple(hex for n, hex in enumerate(way) if hex not in way[:n]) for way in sorted(ways))
    return [Overlay("lifeline", tracing.side, way) for way in kept if len(way) > 1]
