"""R-130: Targets that a weapon may fire at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.rules import Game, Refused

from ..actions import Fire
from ..pieces import T, Unit, ships, units, world_of
from . import air
from .barrage import Target, artillery, plan_salvo, ship_faults


def may_fire(game: Game, side: str, segment: str) -> bool:
    """R-130: Return True if any weapon may fire at a target, by the rules' own tests.

    Each weapon is tested alone: weapons that can fire together can also fire alone, for less supply.
    """
    ground, sea = list(_on_land(game, side)), list(_afloat(game, side))
    if segment != "artillery" and air.may_bomb(game, side, segment, [*ground, *sea]):
        return True
    for ship in ships(game, side) if segment != "artillery" else ():
        orders = (Fire((ship.id,), hex, target, id) for target, hex, id in (*ground, *sea))
        if any(not ship_faults(game, side, segment, order, [ship]) for order in orders):
            return True
    waiting = [u for u in units(game, side) if u.marker == "reserve"] if segment == "all_barrage" else []
    board = game.copy() if any(u.side.barrage for u in waiting) else game
    for u in waiting if board is not game else ():
        held = Unit(board, u.id)
        held.marker, held.released = "none", True
    guns = [u for u in artillery(board, side, segment) if segment != "air_naval"]
    coastal = [u for u in units(board, side) if "coastal" in u.print.flags]
    return any(_can_fire(board, side, segment, u, ground) for u in guns) or any(
        _can_fire(board, side, segment, u, sea) for u in coastal
    )


def _on_land(game: Game, side: str) -> Iterator[Target]:
    """Yield the enemy's combat units, air bases and ports."""
    t, world = T.of(game), world_of(game)
    enemy = world.enemy(side)
    for hex in sorted({u.hex or "" for u in units(game, enemy) if u.hex in world.terrains}):
        yield "units", hex, None
    for hex, base in sorted(t.bases.items()):
        if base.owner == enemy and hex in world.terrains:
            yield "air_base", hex, None
    for hex, port in sorted(t.ports.items()):
        if port.owner == enemy and hex in world.terrains:
            yield "port", hex, None


def _afloat(game: Game, side: str) -> Iterator[Target]:
    """4.12.3, 4.12.5: Yield the enemy's ships, and coastal guns as if they were ships."""
    world = world_of(game)
    enemy = world.enemy(side)
    for ship in ships(game, enemy):
        if ship.hex in world.terrains:
            yield "ship", ship.hex or "", ship.id
    for gun in units(game, enemy):
        if "coastal" in gun.print.flags and gun.hex in world.terrains:
            yield "ship", gun.hex or "", gun.id


def _can_fire(game: Game, side: str, segment: str, gun: Unit, targets: Iterable[Target]) -> bool:
    """4.10: Return True if a gun has range, strength and supply for one of these targets."""
    for target, hex, id in targets:
        if not 1 <= world_of(game).distance(gun.hex or "", hex) <= gun.print.range:
            continue
        try:
            plan_salvo(game, side, segment, Fire((gun.id,), hex, target, id))
        except Refused:
            continue
        return True
    return False
