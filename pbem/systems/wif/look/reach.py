"""The reach of a land unit on foot (4.7.1)."""

from __future__ import annotations

from pbem.kit.ways import how_far
from pbem.rules import Game, Reach

from ..rules.land import Land
from ..rules.pieces import maybe_unit, side
from ..rules.world import world_of


def reach(game: Game, id: str) -> Reach | None:
    """Return how far a face-up land unit on the map goes in one impulse."""
    unit, world = maybe_unit(game, id), world_of(game)
    if unit is None or unit.hex not in world or unit.print.arm != "land" or unit.at_sea or unit.down:
        return None
    land = Land(game, side(game, unit))
    return how_far(
        world,
        unit.place,
        lambda one, to: land.cost(unit, one, to),
        unit.print.move,
        "4.7.1",
        stop=land.ground.zoc.__contains__,
        first_hex_always=True,
    )
