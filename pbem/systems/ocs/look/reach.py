"""The reach of a unit in its present mode (4.0.3), by rail (4.4.9), and of aircraft (4.11.1).

Fuel is taken for granted (4.4.4), as are orders of battle that nobody sees: the cap of the railroads (4.4.9)
counts as unused.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbem.kit.paths import flood
from pbem.rules import Game, Reach

from ..rules.afloat.transport import printed_weight
from ..rules.allowances import movement_allowance
from ..rules.moving import unit_ways
from ..rules.pieces import Plane, T, Unit, maybe_plane, maybe_unit, world_of
from ..rules.supply.trace import rail_heads, right_gauge, settled
from ..rules.zones import Ground

PLENTY = Fraction(-1000)
"""Points spent by a unit that shall reach everything: its allowance less these."""


def reach(game: Game, id: str) -> Reach | None:
    """Return how far a unit or aircraft on the map goes that the reader sees."""
    plane, unit = maybe_plane(game, id), maybe_unit(game, id)
    if plane is not None:
        return _by_air(game, plane)
    if unit is None or not unit.hex or not unit.side.ma:
        return None
    scale = world_of(game).scale

    def further() -> dict[str, int]:
        board = game.copy()
        endless = maybe_unit(board, id)
        assert endless is not None
        endless.spent = PLENTY
        return {way[-1]: int(cost * scale) for way, cost in unit_ways(board, endless)}

    ends = {way[-1] for way, _ in unit_ways(game, unit)} | set(_by_rail(game, unit))
    left = int((movement_allowance(unit) - unit.spent) * scale)
    return Reach(frozenset(ends), left, "4.0.3", further, scale)


def _by_air(game: Game, plane: Plane) -> Reach | None:
    """4.11.1: Return the hexes in range of an active aircraft at a base.

    A transfer goes twice as far, so only beyond that a hex is too far for certain.
    """
    world = world_of(game)
    if plane.hex is None or plane.hex not in world.terrains or not plane.active or plane.flew:
        return None
    start, range = plane.hex, plane.print.range

    def further() -> dict[str, int]:
        far = {to: world.distance(start, to) for to in world.terrains}
        return {to: hexes for to, hexes in far.items() if hexes > 2 * range}

    return Reach(frozenset(world.within(start, range)) - {start}, range, "4.11.1", further)


def _by_rail(game: Game, unit: Unit) -> list[str]:
    """4.4.9: Return the hexes where a unit in plain Move Mode can leave a train, if the cap allows it."""
    world, t, start = world_of(game), T.of(game), unit.hex or ""
    if (unit.facing, unit.marker) != ("move", "none") or 2 * unit.spent > movement_allowance(unit):
        return []
    cap = int(world.oob[unit.owner].get("rail_cap", 0)) * world.point_T
    if printed_weight(world, unit.print, unit.re) > cap:
        return []
    heads = rail_heads(game, unit.owner, cargo=True)
    if start not in heads:
        return []
    ground = Ground(game, unit.owner)

    def beside(here: str) -> Iterator[str]:
        for to in world.linked("railroad", here):
            closed = to in ground.hostile or to in ground.zoc or not right_gauge(game, unit.owner, to)
            if not closed and not (settled(game, to) and t.control.get(to) != unit.owner):
                yield to

    reached = flood([start], beside)
    return [to for to in heads if to in reached and to != start]
