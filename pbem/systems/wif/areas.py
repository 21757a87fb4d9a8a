"""Supply and zones of control as areas of the map (S-1, S-9)."""

from __future__ import annotations

from pbem.rules import Game, Overlay

from .sources import Supply, Who
from .world import world_of


def areas(game: Game) -> list[Overlay]:
    """Where a unit of each power would be in supply, and what each side's zones of control reach."""
    world, found = world_of(game), []
    for own, powers in world.sides.items():
        supply = Supply(game, own)
        found.append(Overlay("zoc", world.enemy(own), tuple(sorted(supply.ground.zoc))))
        for power in powers:
            who = Who(power, world.home.get(power))
            fed: set[str] = set()
            for start in supply.supplied(who).starts:
                fed |= {
                    h
                    for h, (cost, _) in supply.paths.from_(start, supply.length(start), False).items()
                    if cost <= supply.length(h)
                }
            found.append(Overlay("supply", power, tuple(sorted(fed))))
    return found
