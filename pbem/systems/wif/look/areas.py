"""Supply, zones of control and capitals that decide the game as areas of the map (S-1, S-9, 10.4)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Game, Overlay

from ..rules.pieces import Unit, side_units
from ..rules.sources import Supply, Who
from ..rules.world import world_of


def areas(game: Game) -> list[Overlay]:
    """Return the areas of supply and zones of control, for maps.

    Where a unit of each power would be in supply, which of its units ashore are out of it, and what each
    side's zones of control reach.
    """
    world, overlays = world_of(game), []
    for own, powers in world.sides.items():
        supply = Supply(game, own)
        overlays.append(Overlay("zoc", world.enemy(own), tuple(sorted(supply.ground.zoc))))
        ashore = [unit for unit in side_units(game, own) if unit.hex is not None and world.land(unit.hex)]
        hungry = [unit for unit in ashore if not supply.in_supply(unit)]
        for power in powers:
            overlays.append(Overlay("unsupplied", power, (), counters=_of(power, hungry)))
            who = Who(power, world.home.get(power))
            fed: set[str] = set()
            for start in supply.supplied(who).starts:
                fed |= {
                    h
                    for h, cost in supply.paths.from_(start, supply.length(start), False).costs.items()
                    if cost <= supply.length(h)
                }
            overlays.append(Overlay("supply", power, tuple(sorted(fed))))
    for own, capitals in sorted(world.scenario["victory"].get("capitals", {}).items()):
        overlays.append(Overlay("objective", world.enemy(str(own)), tuple(map(str, capitals))))
    return overlays


def _of(power: str, counters: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(counter.id for counter in counters if counter.owner == power)
