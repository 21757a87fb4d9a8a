"""The reach of a block by itself: by march (4.4.2), mission (4.4.8) or sail (4.4.10)."""

from __future__ import annotations

from pbem.kit.ways import how_far
from pbem.rules import Game, Reach

from ..rules.blocks import Block
from ..rules.moves import Mover
from ..rules.moves.sea import passable, wet


def reach(game: Game, id: str) -> Reach | None:
    """Return how far a block goes that the reader has seen, in a Player Turn in which it is activated."""
    block = Block(game, id) if id in game.position.counters else None
    if block is None or not block.known or block.hex not in block.world:
        return None
    mover, world, points = Mover(game, block.owner), block.world, block.kind.mv
    enemy_in = mover.side.enemy_in

    def march(here: str, to: str) -> int | None:
        barred = block.cls == "logistic" and enemy_in(to)
        return None if barred else world.march_cost(block.kind, here, to)

    def sail(here: str, to: str) -> int | None:
        return 1 if wet(mover, here, to) and (passable(mover, to) or enemy_in(to)) else None

    def flown() -> dict[str, int]:
        return {to: world.distance(block.hex, to) for to in world.locations if to != block.hex}

    if block.cls == "air":
        return Reach(frozenset(world.within(block.hex, points)) - {block.hex}, points, "4.4.8", flown)
    if block.cls == "naval":
        return how_far(world, block.hex, sail, points, "4.4.10", stop=enemy_in)
    return how_far(world, block.hex, march, points, "4.4.2", stop=enemy_in, first_hex_always=True)
