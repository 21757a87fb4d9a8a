"""What must hold in every position (2.3, 4.7.1)."""

from __future__ import annotations

from pbem.rules import Game

from ..rules.pieces import Occasion, T, Unit, controller, maybe_unit, side, units
from ..rules.retreating import stack_class
from ..rules.world import world_of


def invariants(game: Game) -> list[str]:
    """Everything that does not hold, in words."""
    world, found = world_of(game), []
    stacks: dict[tuple[str, str, str], int] = {}
    sides: dict[str, set[str]] = {}
    for u in units(game):
        found += _unit_faults(game, u)
        if u.hex is not None and u.hex in world.index and world.land(u.hex):
            own, kind = side(game, u), stack_class(u.print)
            if kind and u.aboard is None:
                key = (u.hex, own, kind)
                stacks[key] = stacks.get(key, 0) + 1
            if u.print.arm == "land":
                sides.setdefault(u.hex, set()).add(own)
    found += [
        f"land units of both sides are in {hex}" for hex, both in sorted(sides.items()) if len(both) > 1
    ]
    for (hex, own, kind), count in sorted(stacks.items()):
        if kind in ("corps", "division", "support") and count > int(world.units["stacking"][kind]):
            found.append(f"{count} of {own} in {hex} are {kind}")
    t = T.of(game)
    found += [f"{power} has {points} points" for power, points in t.pool.items() if points < 0]
    if not Occasion.begun(game) and any(t.pool.values()) and t.phasing is None:
        found.append("points are left outside an occasion")
    return found


def _unit_faults(game: Game, u: Unit) -> list[str]:
    world = world_of(game)
    found = []
    if u.owner not in world.side_of:
        return [f"{u.id} belongs to nobody"]
    if u.hex is None:
        return [f"{u.id} is nowhere"]
    if u.hex not in world.index:
        return [f"{u.id} is off the map in {u.hex}"]
    if u.shattered and not u.down:
        found.append(f"{u.id} is shattered and face-up")
    if u.active is not None and (u.type != "SUPPLY" or u.down or not _beside(game, u)):
        found.append(f"{u.id} is active without its headquarters")
    ship = maybe_unit(game, u.aboard)
    if u.aboard is not None and (ship is None or ship.hex != u.hex):
        found.append(f"{u.id} is not where its ship is")
    if u.print.arm == "land" and u.at_sea and u.aboard is None:
        found.append(f"{u.id} swims in {u.hex}")
    if u.print.arm == "land" and not u.at_sea and controller(game, u.hex) is None:
        found.append(f"{u.id} is in neutral {u.hex}")
    return found


def _beside(game: Game, u: Unit) -> bool:
    hq = maybe_unit(game, u.active)
    return hq is not None and hq.hex == u.hex
