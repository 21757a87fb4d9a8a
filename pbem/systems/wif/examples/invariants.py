"""2.3, 4.7.1: Invariants of every position."""

from __future__ import annotations

from pbem.rules import Game, Message

from ..rules.pieces import Occasion, T, Unit, controller, maybe_unit, side, units
from ..rules.retreating import stack_class
from ..rules.world import world_of


def invariants(game: Game) -> list[str]:
    """Return everything that does not hold, in words."""
    world, faults = world_of(game), []
    stacks: dict[tuple[str, str, str], int] = {}
    sides: dict[str, set[str]] = {}
    for u in units(game):
        faults += _unit_faults(game, u)
        if u.hex is not None and u.hex in world.index and world.land(u.hex):
            own, kind = side(game, u), stack_class(u.print)
            if kind and u.aboard is None:
                key = (u.hex, own, kind)
                stacks[key] = stacks.get(key, 0) + 1
            if u.print.arm == "land":
                sides.setdefault(u.hex, set()).add(own)
    faults += [
        Message("wif.invariants.land-units-of-both-sides", hex=hex)
        for hex, both in sorted(sides.items())
        if len(both) > 1
    ]
    for (hex, own, kind), count in sorted(stacks.items()):
        if kind in ("corps", "division", "support") and count > int(world.units["stacking"][kind]):
            faults.append(
                Message("wif.invariants.counters-of-kind", count=count, own=own, hex=hex, kind=kind)
            )
    t = T.of(game)
    faults += [
        Message("wif.invariants.has-points", power=power, points=points)
        for power, points in t.pool.items()
        if points < 0
    ]
    if not Occasion.begun(game) and any(t.pool.values()) and t.phasing is None:
        faults.append(Message("wif.invariants.points-left-outside-occasion"))
    return faults


def _unit_faults(game: Game, u: Unit) -> list[str]:
    world = world_of(game)
    faults: list[str] = []
    if u.owner not in world.side_of:
        return [Message("wif.invariants.belongs-to-nobody", u=u.id)]
    if u.hex is None:
        return [Message("wif.invariants.nowhere", u=u.id)]
    if u.hex not in world.index:
        return [Message("wif.invariants.off-map", u=u.id, hex=u.hex)]
    if u.shattered and not u.down:
        faults.append(Message("wif.invariants.shattered-and-face-up", u=u.id))
    if u.active is not None and (u.type != "SUPPLY" or u.down or not _beside(game, u)):
        faults.append(Message("wif.invariants.active-without-headquarters", u=u.id))
    ship = maybe_unit(game, u.aboard)
    if u.aboard is not None and (ship is None or ship.hex != u.hex):
        faults.append(Message("wif.invariants.not-where-ship", u=u.id))
    if u.print.arm == "land" and u.at_sea and u.aboard is None:
        faults.append(Message("wif.invariants.swims", u=u.id, hex=u.hex))
    if u.print.arm == "land" and not u.at_sea and controller(game, u.hex) is None:
        faults.append(Message("wif.invariants.in-neutral", u=u.id, hex=u.hex))
    return faults


def _beside(game: Game, u: Unit) -> bool:
    hq = maybe_unit(game, u.active)
    return hq is not None and hq.hex == u.hex
