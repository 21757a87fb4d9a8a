"""4.3.1: Arrivals: hexes of entry, blocked hexes, captures there."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pbem.rules import Game

from .afloat.transport import printed_weight
from .bases import bases_of, settle_plane
from .capture import enter_hex
from .events.turn import Arrived, PointsFilled
from .moving import holds_enemy_things
from .pieces import Plane, T, Unit, planes, points, units, world_of
from .rebuilding import shown_of
from .supply.stores import take
from .supply.trace import port_capacity
from .zones import Ground

if TYPE_CHECKING:
    from .decisions.reinforcing import Placing


def foes_in(game: Game, side: str, hex: str) -> bool:
    """R-127: Return True if enemy combat units block this hex of entry."""
    return bool(units(game, world_of(game).enemy(side), hex))


def unblocked(game: Game, side: str, hex: str, *, own_edge: bool = False) -> str:
    """R-127: Return the nearest map edge hex without enemy combat units.

    With `own_edge` prefer an edge hex of the side without any enemy counter, for arrivals that drive none
    off.
    """
    world, t = world_of(game), T.of(game)
    foes = {u.hex for u in units(game, world.enemy(side))}
    edge = [h for h in world.hexes if len(world.beside(h)) < 6 and world.land(h) and h not in foes]
    if own_edge:
        edge = [h for h in edge if t.control.get(h) == side and not holds_enemy_things(game, side, h)] or edge
    return min(edge, key=lambda h: (world.distance(hex, h), h))


async def place(game: Game, side: str, id: str, due: dict[str, Any], how: Placing) -> bool:
    """4.3.1: Place an arrival; return False if it must wait for room at a base or in a port."""
    fields = dict(due["counter"])
    if fields["kind"] == "aircraft":
        return _land(game, side, id, fields, how.hex)
    hex = how.hex or due["hexes"][0]
    if foes_in(game, side, hex):
        hex = unblocked(game, side, hex)
    if _port_is_full(game, side, id, hex, fields):
        return False
    if fields["kind"] != "transport":
        fields |= {"facing": how.facing} if how.facing == "move" else {}
        fields |= {"marker": how.mode} if how.mode != "plain" else {}
        railed = hex in world_of(game).on("railroad")
        fields |= {"entrained": True} if how.entrained and (due.get("by_rail") or railed) else {}
    elif fields.get("organic_of"):
        fields["load"] = fields["points"] * world_of(game).point_T
    else:
        fields["came"] = True
    game.position.add(id, {**fields, "hex": hex})
    if holds_enemy_things(game, side, hex):
        if fields["kind"] != "transport" and Unit(game, id).attack_capable:
            await enter_hex(game, side, hex)
        else:
            hex = unblocked(game, side, hex, own_edge=True)
            game.position.move(id, hex)
    game.emit(Arrived(side, (id,), hex))
    return True


def fill(game: Game, side: str, shares: dict[str, int]) -> None:
    """4.3.1: Load transport points with the supply that arrives in their hex, while it lasts (R-205)."""
    t = T.of(game)
    for p in points(game, side):
        if not p.came:
            continue
        p.came = False
        hex = p.hex or ""
        put = min(shares.get(hex, 0), p.capacity - p.load)
        if put:
            shares[hex] -= put
            take(game, side, hex, put)
            t.arrived[hex] -= put
            p.load += put
            game.emit(PointsFilled(side, (p.id,), hex, put))


def _land(game: Game, side: str, id: str, fields: dict[str, Any], wanted: str | None) -> bool:
    """Place an aircraft, if possible Active, at the base wanted or the first with room; False if none."""
    most = int(world_of(game).numbers["base_active"])
    bases = bases_of(game, side)
    room = [h for h, level in bases.items() if sum(p.active for p in planes(game, side, h)) < most + level]
    if not room:
        return False
    hex = wanted if wanted in room else room[0]
    fields.pop("active", None)
    game.position.add(id, {**fields, "hex": hex})
    settle_plane(game, Plane(game, id), hex, active=True)
    game.emit(Arrived(side, (id,), hex))
    return True


def _port_is_full(game: Game, side: str, id: str, hex: str, fields: dict[str, Any]) -> bool:
    """4.3.1: Use a port's capacity for an arrival; return True if the port is too full for it.

    A port in an enemy zone accepts nothing. Otherwise a combat unit alone may exceed its capacity (R-204).
    """
    t, world = T.of(game), world_of(game)
    port = t.ports.get(hex)
    if port is None:
        return False
    load = Fraction(world.point_T * fields["points"]) if fields["kind"] == "transport" else None
    load = load if load is not None else printed_weight(world, shown_of(game, id, fields))
    room = 0 if Ground(game, side).in_zoc(hex) else port_capacity(game, hex)
    alone = room and not port.used and fields["kind"] != "transport"
    if port.used + load > room and not alone:
        return True
    t.ports[hex] = replace(port, used=port.used + load)
    return False
