"""The reach of a unit hex by hex, overruns and ports left out (4.8.1)."""

from __future__ import annotations

from pbem.kit.ways import how_far
from pbem.rules import Game, Reach

from ..rules.pieces import maybe_piece
from ..rules.walk import ALL, RULE, Walker


def reach(game: Game, id: str) -> Reach | None:
    """Return how far a ground unit goes in operational movement, in supply and not yet moved."""
    one = maybe_piece(game, id)
    if one is None or one.role != "ground" or one.spot != "map" or not one.hex or one.face.movement < 1:
        return None
    walker = Walker(game, one.owner, "op")
    ground, world, zone = walker.ground, walker.world, walker.ground.ezoc(one.owner)
    halves = int(world.ground_chart["halves"])
    allowance, start = one.face.movement * halves, one.hex

    def cost(here: str, to: str) -> int | None:
        if world.sea(to) or ground.enemies(to, one.owner) or ground.closed(to, one.owner):
            return None
        if ground.pre_war_bars(one, to) or (here in zone and ground.weather(here) == "mud"):
            return None
        points = walker.cost(one, here, to)
        return (allowance if here == start else None) if points == ALL else points

    def stop(hex: str) -> bool:
        others = [unit for unit in ground.units(hex, one.owner) if unit.id != one.id]
        return hex in zone and not others and not ground.own("airdrop", hex, one.owner)

    return how_far(world, start, cost, allowance, RULE, scale=halves, stop=stop, first_hex_always=True)
