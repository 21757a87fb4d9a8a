"""4.4.9, 4.4.10: Railroads and shipping: weight of loads, paths, capacity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.kit.faults import illegal
from pbem.kit.paths import flood
from pbem.rules import Diagnostic, Game, Message, Refused

from ..actions import Rail, Ship
from ..allowances import movement_allowance
from ..capture import put_down
from ..events.moving import Railed, Shipped
from ..moving import own_points, stop
from ..pieces import Points, T, Unit, world_of
from ..printed import UnitType
from ..supply.stores import take_from_ground
from ..supply.trace import port_capacity, rail_heads, right_gauge, settled
from ..walk import not_in_simulcast, own_units
from ..world import World
from ..zones import Ground
from .hauling import simulcast_hex


def weight(game: Game, listed: Sequence[Unit], carried: Sequence[Points], tokens: int) -> Fraction:
    """4.4.9: Return the weight of a load in T. Slow units on foot weigh half."""
    world = world_of(game)
    total = Fraction(tokens + sum(p.capacity for p in carried))
    return total + sum((printed_weight(world, u.print, u.re) for u in listed), Fraction(0))


def printed_weight(world: World, shown: UnitType, re: Fraction | None = None) -> Fraction:
    """4.4.9: Return the weight in T of a whole unit, or of `re` of it. Slow units on foot weigh half."""
    light = shown.move.mobility == "leg" and 1 <= shown.move.ma <= int(world.numbers["light_leg_ma"])
    return (shown.re if re is None else re) * world.point_T * Fraction(1, 2 if light else 1)


def rides(game: Game, u: Unit, code: str, *path: str | int) -> list[Diagnostic]:
    """4.4.9, 4.11.9: Return the faults of a unit as a load.

    It must be in plain Move Mode, and have used at most half its allowance.
    """
    if u.committed or (u.done and not u.moved):
        return [illegal("E-MOVE-DONE", "4.4.2", Message("ocs.moving.has-finished-for-phase", u=u.id), *path)]
    plain = u.facing == "move" and u.marker == "none"
    if not plain and (u.kind != "rail_repair" or u.marker != "none"):
        return [illegal(code, "4.4.9", Message("ocs.transport.not-in-plain-move-mode", u=u.id), *path)]
    if 2 * u.spent > movement_allowance(u):
        return [
            illegal(code, "4.4.9", Message("ocs.transport.has-moved-more-than-half-allowance", u=u.id), *path)
        ]
    return []


def _pick(
    game: Game, side: str, unit_ids: Sequence[str], point_ids: Sequence[str], code: str
) -> tuple[list[Unit], list[Points]]:
    """Return the load of a train or a ship, or refuse it."""
    listed = own_units(game, side, unit_ids) if unit_ids else []
    carried = own_points(game, side, point_ids) if point_ids else []
    faults = [f for n, u in enumerate(listed) for f in rides(game, u, code, "units", n)]
    faults += [
        illegal("E-MOVE-DONE", "4.4.9", Message("ocs.transport.has-finished", p=p.id), "points")
        for p in carried
        if p.done
    ]
    if faults:
        raise Refused(faults)
    return listed, carried


def rail(game: Game, side: str, order: Rail) -> None:
    """4.4.9: Move a load along connected rail hexes, within the side's rail capacity for the turn."""
    world, t, ground = world_of(game), T.of(game), Ground(game, side)
    listed, carried = _pick(game, side, order.units, order.points, "E-RAIL-MODE")
    starts = {*(u.hex or "" for u in listed), *(p.hex or "" for p in carried)}
    start = order.origin or next(iter(sorted(starts)), "")
    if starts - {start} or not order.path or start not in world.terrains:
        raise stop(
            "E-RAIL-ENTRAIN", "4.4.9", Message("ocs.transport.load-begins-in-one-hex-and-goes"), "origin"
        )
    heads = rail_heads(game, side, cargo=True)
    crew = bool(listed) and all(u.kind == "rail_repair" for u in listed) and not carried and not order.tokens
    if not (crew or _arriving(game, start, listed, carried, order.tokens)) and start not in heads:
        raise stop(
            "E-RAIL-ENTRAIN", "4.4.9", Message("ocs.transport.nothing-entrains", start=start), "origin"
        )
    if start in ground.zoc and not all(u.entrained for u in listed):
        raise stop("E-RAIL-ENTRAIN", "4.4.9", Message("ocs.hauling.in-enemy-zone", p=start), "origin")
    here = start
    for n, to in enumerate(order.path):
        closed = to in ground.hostile or to in ground.zoc or not world.joins("railroad", here, to)
        closed = closed or not right_gauge(game, side, to) or (crew and to in t.converted)
        if closed or (settled(game, to) and t.control.get(to) != side):
            raise stop(
                "E-RAIL-PATH", "4.4.9", Message("ocs.transport.no-train-goes", here=here, to=to), "path", n
            )
        if faults := simulcast_hex(game, side, to):
            raise Refused(faults)
        here = to
    if t.simulcast and (listed or carried) and not_in_simulcast(game, side, start, here):
        raise stop("E-SIMUL", "4.15", Message("ocs.transport.they-would-end-beside-enemy"), "path")
    if here not in heads and not crew:
        raise stop("E-RAIL-DETRAIN", "4.4.9", Message("ocs.transport.nothing-detrains", here=here), "path")
    if order.tokens:
        check_tokens(game, side, start, order.tokens)
    cost = weight(game, listed, carried, order.tokens) * _rate(game, side, (start, *order.path))
    cap = int(world.oob[side].get("rail_cap", 0)) * world.point_T
    if t.rail_used + cost > cap:
        left = cap - t.rail_used
        raise stop("E-RAIL-CAP", "4.4.9", Message("ocs.transport.load-costs-t", cost=cost, left=left))
    t.rail_used += cost
    _put_down(game, side, start, here, listed, carried, order.tokens, "rail")
    for u in listed if crew else ():
        u.done = False
    ids = (*(u.id for u in listed), *(p.id for p in carried))
    game.emit(Railed(side, ids, order.tokens, start, tuple(order.path), cost, cap - t.rail_used))


def _arriving(game: Game, start: str, listed: Sequence[Unit], carried: Sequence[Points], tokens: int) -> bool:
    """4.3.1, 4.3.2: Return True if the whole load arrived here by rail in this turn."""
    came = T.of(game).arrived.get(start, 0)
    return not carried and all(u.entrained for u in listed) and tokens <= came and bool(listed or tokens)


def _rate(game: Game, side: str, hexes: Sequence[str]) -> Fraction:
    """4.4.9: Return the factor for capacity: 2 if the enemy trainbusts the path, 1/2 on multiple tracks."""
    world, t = world_of(game), T.of(game)
    enemy = world.enemy(side)
    zone = {h for mark, by in t.busted.items() if by == enemy for h in (mark, *world.beside(mark))}
    rate = Fraction(2 if any(h in zone for h in hexes) else 1)
    multi = set(world.scenario.get("multi_track", ()))
    return rate / 2 if all(h in multi for h in hexes) else rate


def check_tokens(game: Game, side: str, hex: str, tokens: int) -> None:
    """4.4.9: Check that a hex has this much T that was not unloaded in this phase."""
    dump = T.of(game).dumps.get(hex)
    if dump is None or dump.owner != side or dump.t < tokens:
        raise stop("E-SUP-SHORT", "4.4.9", Message("ocs.air.not-so-much-supply", start=hex), "tokens")
    if dump.t - dump.fresh < tokens:
        raise stop(
            "E-TP-FRESH",
            "4.4.9",
            Message("ocs.air.t-in-unloaded-in-phase", fresh=dump.fresh, start=hex),
            "tokens",
        )


def _put_down(
    game: Game,
    side: str,
    start: str,
    end: str,
    listed: Sequence[Unit],
    carried: Sequence[Points],
    tokens: int,
    how: str,
) -> None:
    for u in listed:
        u.start = u.start or u.hex
        u.hex, u.done, u.moved, u.entrained = end, True, False, False
    for p in carried:
        p.hex, p.done, p.rode = end, True, how
    if tokens:
        if start in T.of(game).dumps:
            take_from_ground(game, start, tokens)
        put_down(game, side, end, tokens, fresh=True)


def ship(game: Game, side: str, order: Ship) -> None:
    """4.4.10: Ship a load between ports; each handles its capacity, or one unit of any weight."""
    world, t, ground = world_of(game), T.of(game), Ground(game, side)
    listed, carried = _pick(game, side, order.units, order.points, "E-SEA-MODE")
    cost = weight(game, listed, carried, order.tokens)
    if any((u.hex != order.origin or u.spent) for u in listed) or any(p.hex != order.origin for p in carried):
        raise stop("E-SEA-MODE", "4.4.10", Message("ocs.transport.load-begins-in-port-and-has"), "units")
    if not (listed or carried or order.tokens):
        raise stop("E-SEA-MODE", "4.4.10", Message("ocs.transport.nothing-shipped"), "units")
    ports = {}
    for n, hex in (("origin", order.origin), ("to", order.to)):
        port = t.ports.get(hex)
        works = port is not None and port.owner == side and hex not in ground.zoc
        capacity = port_capacity(game, hex) if works else 0
        lone = len(listed) == 1 and not carried and not order.tokens and capacity and port and not port.used
        if port is None or (cost + port.used > capacity and not lone):
            raise stop(
                "E-PORT-CAP",
                "4.4.10",
                Message("ocs.amphib.handles-t-in-phase", hex=hex, capacity=capacity),
                n,
            )
        ports[hex] = replace(port, used=port.used + cost)
    if t.simulcast and (listed or carried) and not_in_simulcast(game, side, order.origin, order.to):
        raise stop("E-SIMUL", "4.15", Message("ocs.transport.they-would-end-beside-enemy"), "to")
    if not joined_by_sea(game, order.origin, order.to):
        raise stop(
            "E-PORT-CAP",
            "4.4.10",
            Message("ocs.transport.no-sea-path-leads", origin=order.origin, to=order.to),
            "to",
        )
    cap = int(world.oob[side].get("sea_cap", 0)) * world.point_T
    if t.sea_used + cost > cap:
        raise stop(
            "E-SEA-CAP", "4.4.10", Message("ocs.transport.load-costs-t", cost=cost, left=cap - t.sea_used)
        )
    endless = world.boxes.get(order.origin, {}).get("supplies") == "infinite"
    if order.tokens and not endless:
        check_tokens(game, side, order.origin, order.tokens)
    for hex, port in ports.items():
        t.ports[hex] = port
    t.sea_used += cost
    _put_down(game, side, order.origin, order.to, listed, carried, order.tokens, "sea")
    ids = (*(u.id for u in listed), *(p.id for p in carried))
    game.emit(Shipped(side, ids, order.tokens, order.origin, order.to, cost))


def joined_by_sea(game: Game, first: str, other: str) -> bool:
    """4.4.10: Return True if a path of sea hexes joins two ports.

    A port off the map is joined to every sea hex at the map's edge (R-118).
    """
    world = world_of(game)
    shore = world.shore
    if first in world.boxes and other in world.boxes:
        return True
    start, goal = (other, first) if first in world.boxes else (first, other)
    reached = flood([start], lambda here: filter(world.sea, world.beside(here)))
    if goal in world.boxes:
        return not shore.isdisjoint(reached)
    return any(goal in world.beside(here) for here in reached)
