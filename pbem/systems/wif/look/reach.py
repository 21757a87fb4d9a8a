"""The reach of a land unit on foot (4.7.1), of an aircraft (4.7) and of a ship (4.7.3)."""

from __future__ import annotations

from pbem.kit.ways import how_far
from pbem.rules import Game, Reach

from ..rules.land import Land
from ..rules.naval import areas_between, to_port
from ..rules.pieces import Unit, maybe_unit, side
from ..rules.retreating import friendly_ports
from ..rules.world import world_of


def reach(game: Game, id: str) -> Reach | None:
    """Return how far a face-up unit on the map goes in one impulse."""
    unit, world = maybe_unit(game, id), world_of(game)
    if unit is None or unit.hex not in world or unit.at_sea or unit.down:
        return None
    if unit.print.arm == "air":
        return _by_air(game, unit)
    if unit.print.arm == "sea":
        return _by_sea(game, unit)
    land = Land(game, side(game, unit))
    return how_far(
        world,
        unit.place,
        lambda here, to: land.cost(unit, here, to),
        unit.print.move,
        "4.7.1",
        stop=land.ground.zoc.__contains__,
        first_hex_always=True,
    )


def _by_air(game: Game, unit: Unit) -> Reach:
    """4.7: Return the hexes in an aircraft's range, and the costs of twice as far: nobody aims further."""
    world, range = world_of(game), unit.print.range

    def further() -> dict[str, int]:
        aimed = world.within(unit.place, 2 * range)
        return {to: far for to in aimed if (far := world.hexes_between(unit.place, to))}

    return Reach(frozenset(world.within(unit.place, range)) - {unit.place}, range, "4.7", further)


def _by_sea(game: Game, unit: Unit) -> Reach:
    """4.7.3: Return the sea areas and friendly ports that a ship can sail to, in sea areas on the way."""
    places = {to: areas_between(game, unit.hex, area) for to, area in world_of(game).area_of.items()}
    places |= {
        to: to_port(game, unit.hex, to) for to in friendly_ports(game, side(game, unit)) if to != unit.hex
    }
    costs = {to: far for to, far in places.items() if far is not None}
    near = frozenset(to for to in costs if costs[to] <= unit.print.range)
    return Reach(near, unit.print.range, "4.7.3", lambda: costs)
