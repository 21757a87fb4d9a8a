"""The reach of a unit hex by hex, overruns and ports left out (4.8.1)."""

from __future__ import annotations

from pbem.kit.ways import how_far
from pbem.rules import Game, Reach

from ..rules.pieces import maybe_piece
from ..rules.walk import ALL, RULE, Walker


def reach(game: Game, id: str) -> Reach | None:
    """Return how far a ground unit goes in operational movement, in supply and not yet moved."""
    mover = maybe_piece(game, id)
    if (
        mover is None
        or mover.role != "ground"
        or mover.spot != "map"
        or not mover.hex
        or mover.face.movement < 1
    ):
        return None
    walker = Walker(game, mover.owner, "op")
    ground, world, zone = walker.ground, walker.world, walker.ground.ezoc(mover.owner)
    halves = int(world.ground_chart["halves"])
    allowance, start = mover.face.movement * halves, mover.hex

    def cost(here: str, to: str) -> int | None:
        if world.sea(to) or ground.enemies(to, mover.owner) or ground.closed(to, mover.owner):
            return None
        if ground.pre_war_bars(mover, to) or (here in zone and ground.weather(here) == "mud"):
            return None
        points = walker.cost(mover, here, to)
        return (allowance if here == start else None) if points == ALL else points

    def stop(hex: str) -> bool:
        others = [unit for unit in ground.units(hex, mover.owner) if unit.id != mover.id]
        return hex in zone and not others and not ground.own("airdrop", hex, mover.owner)

    return how_far(world, start, cost, allowance, RULE, scale=halves, stop=stop, first_hex_always=True)
