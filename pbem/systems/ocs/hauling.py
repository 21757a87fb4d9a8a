"""Transport points, railroads, shipping, ships at sea (4.4.8 to 4.4.10, 4.12.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.kit.faults import illegal
from pbem.rules import Game, Refused

from .actions import Haul, HaulStep, Naval, Rail, Ship
from .events.moving import Hauled, Railed, Sailed, Shipped
from .moving import can_move, stop, trainbusted
from .pieces import Points, T, Unit, points, ships, units, world_of
from .pieces import Ship as Vessel
from .reach import give, take
from .strength import rnd
from .trace import port_capacity, rail_heads
from .walk import buy_single, own_units
from .world import ALL
from .zones import Ground

# 4.4.8


def own_points(game: Game, side: str, ids: Sequence[str]) -> list[Points]:
    """The points that an order names."""
    every = {p.id: p for p in points(game, side)}
    wrong = [id for id in ids if id not in every]
    if wrong or not ids:
        raise stop(
            "E-MOVE-ELIGIBLE", "4.4.8", f"{', '.join(wrong) or 'nothing'}: no points of yours", "points"
        )
    return [every[id] for id in ids]


async def haul(game: Game, side: str, order: Haul, others: frozenset[str]) -> None:
    """4.4.8 Points go together, load and unload."""
    listed = own_points(game, side, order.points)
    trip = _Trip(game, side, listed, others)
    trip.begin(order)
    await trip.go(order.path)
    for step in list(order.steps):
        await trip.go(step.to)
        trip.work(step)
    trip.end()


class _Trip:
    def __init__(self, game: Game, side: str, listed: list[Points], others: frozenset[str]) -> None:
        self.game, self.side, self.listed, self.others = game, side, listed, others
        self.start, self.way = listed[0].hex or "", [""]
        self.loaded = self.unloaded = 0
        self.stopped = False

    def begin(self, order: Haul) -> None:
        """Who may move, and organic trucks into Reserve or out of it."""
        if len({p.hex for p in self.listed}) != 1 or len({p.type for p in self.listed}) != 1:
            raise stop("E-MOVE-ELIGIBLE", "4.4.8", "points of one type in one hex go together", "points")
        done = [p.id for p in self.listed if p.done or p.rode]
        if done:
            raise stop("E-MOVE-DONE", "4.4.8", f"{', '.join(done)} finished", "points")
        self.way = []
        for p in self.listed:
            if order.reserve is not None and p.organic_of is not None:
                p.marker = "reserve" if order.reserve else "none"

    async def go(self, path: Sequence[str]) -> None:
        """Hex by hex; wheels stop in open zones."""
        game, world = self.game, world_of(self.game)
        for to in path:
            ground = Ground(game, self.side)
            here = self.listed[0].hex or ""
            if self.stopped:
                raise stop("E-ZOC-TRUCK", "4.4.4", f"they must stop in {here}", "path")
            if to in ground.enemies or _enemy_stuff(game, self.side, to):
                raise stop("E-MOVE-ENEMY", "4.4.12", f"{to} holds enemies", "path")
            for p in self.listed:
                cost = world.step(here, to, p.mobility, ground=T.of(game).ground)
                left = Fraction(p.ma) - p.spent
                if cost is None or (cost == ALL and p.spent):
                    raise stop("E-MOVE-PROHIBITED", "4.0.3", f"{to} is closed to {p.id}", "path")
                need = left if cost == ALL else Fraction(cost, world.scale)
                need += 1 if trainbusted(game, self.side, to, p.mobility) else 0
                if need > left:
                    raise stop("E-MOVE-MP", "4.0.3", f"{to} costs {p.id} {need}, it has {left} left", "path")
                p.spent += need
            for p in self.listed:
                p.hex = to
            self.way.append(to)
            if self.listed[0].mobility == "truck" and ground.open_zoc(to):
                stay = ground.committer(to, self.others)
                if stay is None:
                    self.stopped = True
                else:
                    stay.committed = True

    def work(self, step: HaulStep) -> None:
        """Load, unload, pay while waiting; each for a tenth of the printed allowance."""
        game, hex = self.game, self.listed[0].hex or ""
        for n, amount in (("load", step.load), ("unload", step.unload)):
            if not amount:
                continue
            for p in self.listed:
                price = rnd(Fraction(p.ma * int(world_of(game).numbers["load_percent"]), 100))
                if price > Fraction(p.ma) - p.spent:
                    raise stop("E-MOVE-MP", "4.4.8", f"{p.id} has no points left to {n}", n)
                p.spent += price
        if step.load:
            self._load(hex, step.load)
        if step.unload:
            self._unload(hex, step.unload)
        for id in step.fuels:
            buy_single(game, own_units(game, self.side, (id,))[0], (hex,))

    def _load(self, hex: str, t: int) -> None:
        dump = T.of(self.game).dumps.get(hex)
        room = sum(p.capacity - p.load for p in self.listed)
        if dump is None or dump.owner != self.side or dump.t < t:
            raise stop("E-SUP-SHORT", "4.4.8", f"not so much supply in {hex}", "load")
        if dump.t - dump.fresh < t:
            raise stop("E-TP-FRESH", "4.4.8", f"{dump.fresh} T in {hex} were unloaded in this phase", "load")
        if t > room:
            raise stop("E-TP-CAP", "4.4.8", f"there is room for {room} T", "load")
        take_from_ground(self.game, hex, t)
        self.loaded += t
        for p in self.listed:
            put = min(t, p.capacity - p.load)
            p.load += put
            t -= put

    def _unload(self, hex: str, t: int) -> None:
        game, tracks = self.game, T.of(self.game)
        load = sum(p.load for p in self.listed if p.organic_of is None)
        dump = tracks.dumps.get(hex)
        there = bool(units(game, self.side, hex)) or (dump is not None and dump.owner == self.side)
        for owned in (tracks.ports.get(hex), tracks.bases.get(hex)):
            there = there or (owned is not None and owned.owner == self.side)
        if not there:
            raise stop("E-TP-UNLOAD", "4.4.8", f"nothing in {hex} to unload at", "unload")
        if t > load:
            raise stop("E-TP-CAP", "4.4.8", f"{load} T are loaded", "unload")
        self.unloaded += t
        give(game, self.side, hex, t, fresh=True)
        for p in self.listed:
            if p.organic_of is None:
                put = min(t, p.load)
                p.load -= put
                t -= put

    def end(self) -> None:
        first = self.listed[0]
        for p in self.listed:
            p.done = True
        ids = tuple(p.id for p in self.listed)
        self.game.emit(
            Hauled(
                self.side,
                ids,
                self.start,
                tuple(self.way),
                self.loaded,
                self.unloaded,
                str(first.spent),
                str(first.ma),
            )
        )


def take_from_ground(game: Game, hex: str, t: int) -> None:
    """T off the ground, those first that are not fresh."""
    tracks = T.of(game)
    dump = tracks.dumps[hex]
    if dump.t == t:
        del tracks.dumps[hex]
    else:
        tracks.dumps[hex] = replace(dump, t=dump.t - t)


def _enemy_stuff(game: Game, side: str, hex: str) -> bool:
    from .moving import holds_enemy_things

    return holds_enemy_things(game, side, hex)


# 4.4.9


def weight(game: Game, listed: Sequence[Unit], carried: Sequence[Points], tokens: int) -> Fraction:
    """4.4.9 In T; units on foot with a short move-side allowance weigh half."""
    world = world_of(game)
    total = Fraction(tokens + sum(p.capacity for p in carried))
    for u in listed:
        own = u.re * world.point_T
        move = u.print.move
        light = move.mobility == "leg" and 1 <= move.ma <= int(world.numbers["light_leg_ma"])
        total += own * Fraction(1, 2) if light else own
    return total


def _plain(u: Unit) -> bool:
    return u.facing == "move" and u.marker == "none"


def _pick(
    game: Game, side: str, unit_ids: Sequence[str], point_ids: Sequence[str], code: str
) -> tuple[list[Unit], list[Points]]:
    """The load of a train or a ship: units in plain Move Mode that have not finished."""
    listed = own_units(game, side, unit_ids) if unit_ids else []
    carried = own_points(game, side, point_ids) if point_ids else []
    faults = [f for u in listed for f in can_move(game, u)]
    for n, u in enumerate(listed):
        if not _plain(u) and u.kind != "rail_repair":
            faults.append(illegal(code, "4.4.9", f"{u.id} is not in plain Move Mode", "units", n))
    faults += [illegal("E-MOVE-DONE", "4.4.9", f"{p.id} has finished", "points") for p in carried if p.done]
    if faults:
        raise Refused(faults)
    return listed, carried


def rail(game: Game, side: str, order: Rail) -> None:
    """4.4.9 A load along connected rail hexes; the cap of the turn counts T."""
    world, t, ground = world_of(game), T.of(game), Ground(game, side)
    listed, carried = _pick(game, side, order.units, order.points, "E-RAIL-MODE")
    starts = {*(u.hex or "" for u in listed), *(p.hex or "" for p in carried)}
    start = order.origin or next(iter(sorted(starts)), "")
    if starts - {start} or not order.path or start not in world.terrains:
        raise stop("E-RAIL-ENTRAIN", "4.4.9", "a load begins in one hex and goes somewhere", "origin")
    heads = rail_heads(game, side, cargo=True)
    arriving = bool(listed) and all(u.entrained for u in listed)
    if not arriving and (start not in heads or start in ground.zoc):
        raise stop("E-RAIL-ENTRAIN", "4.4.9", f"nothing entrains in {start}", "origin")
    here = start
    for n, to in enumerate(order.path):
        closed = to in ground.enemies or to in ground.zoc or not world.joins("railroad", here, to)
        if closed or (_settled(game, to) and t.control.get(to) != side):
            raise stop("E-RAIL-PATH", "4.4.9", f"no train goes from {here} to {to}", "path", n)
        here = to
    if here not in heads:
        raise stop("E-RAIL-DETRAIN", "4.4.9", f"nothing detrains in {here}", "path")
    if order.tokens:
        _check_tokens(game, side, start, order.tokens)
    cost = weight(game, listed, carried, order.tokens)
    enemy = world.enemy(side)
    zone = {h for mark, by in t.busted.items() if by == enemy for h in (mark, *world.beside(mark))}
    cost *= 2 if any(h in zone for h in (start, *order.path)) else 1
    multi = set(world.scenario.get("multi_track", ()))
    cost *= Fraction(1, 2) if all(h in multi for h in (start, *order.path)) else 1
    cap = int(world.oob[side].get("rail_cap", 0)) * world.point_T
    spent = -(-cost.numerator // cost.denominator)
    if t.rail_used + spent > cap:
        raise stop("E-RAIL-CAP", "4.4.9", f"the load costs {spent} T, {cap - t.rail_used} are left")
    t.rail_used += spent
    _put_down(game, side, start, here, listed, carried, order.tokens, "rail")
    ids = (*(u.id for u in listed), *(p.id for p in carried))
    game.emit(Railed(side, ids, order.tokens, start, tuple(order.path), spent, cap - t.rail_used))


def _settled(game: Game, hex: str) -> bool:
    kinds = world_of(game).terrains[hex]
    return hex in T.of(game).ports or any(k in ("village", "minor_city", "major_city") for k in kinds)


def _check_tokens(game: Game, side: str, hex: str, tokens: int) -> None:
    dump = T.of(game).dumps.get(hex)
    if dump is None or dump.owner != side or dump.t < tokens:
        raise stop("E-SUP-SHORT", "4.4.9", f"not so much supply in {hex}", "tokens")
    if dump.t - dump.fresh < tokens:
        raise stop("E-TP-FRESH", "4.4.9", f"{dump.fresh} T in {hex} were unloaded in this phase", "tokens")


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
        u.hex, u.done, u.entrained = end, True, False
    for p in carried:
        p.hex, p.done, p.rode = end, True, how
    if tokens:
        if start in T.of(game).dumps:
            take_from_ground(game, start, tokens)
        give(game, side, end, tokens, fresh=True)


# 4.4.10


def ship(game: Game, side: str, order: Ship) -> None:
    """4.4.10 From port to port; each port handles its capacity, or one unit of any weight."""
    world, t, ground = world_of(game), T.of(game), Ground(game, side)
    listed, carried = _pick(game, side, order.units, order.points, "E-SEA-MODE")
    box = order.origin in world.index and world.kind(order.origin) == "box"
    cost = weight(game, listed, carried, order.tokens)
    if any((u.hex != order.origin or u.spent) for u in listed) or any(p.hex != order.origin for p in carried):
        raise stop("E-SEA-MODE", "4.4.10", "a load begins in the port and has not moved", "units")
    for n, hex in (("origin", order.origin), ("to", order.to)):
        if box and n == "origin":
            continue
        port = t.ports.get(hex)
        capacity = (
            port_capacity(game, hex)
            if port is not None and port.owner == side and hex not in ground.zoc
            else 0
        )
        lone = len(listed) == 1 and not carried and not order.tokens and capacity and port and not port.used
        if port is None or (cost + port.used > capacity and not lone):
            raise stop("E-PORT-CAP", "4.4.10", f"{hex} handles {capacity} T in a phase", n)
        t.ports[hex] = replace(port, used=port.used + -(-cost.numerator // cost.denominator))
    cap = int(world.oob[side].get("sea_cap", 0)) * world.point_T
    spent = -(-cost.numerator // cost.denominator)
    if t.sea_used + spent > cap:
        raise stop("E-SEA-CAP", "4.4.10", f"the load costs {spent} T, {cap - t.sea_used} are left")
    if order.tokens and not box:
        _check_tokens(game, side, order.origin, order.tokens)
    t.sea_used += spent
    _put_down(game, side, order.origin, order.to, listed, carried, order.tokens, "sea")
    ids = (*(u.id for u in listed), *(p.id for p in carried))
    game.emit(Shipped(side, ids, order.tokens, order.origin, order.to, spent))


# 4.12.1


def has_ships(game: Game, side: str) -> bool:
    return bool(ships(game, side))


def sail(game: Game, side: str, order: Naval) -> None:
    """4.12.1 Ships over sea hexes and own ports, one point a hex."""
    world, t = world_of(game), T.of(game)
    every = {s.id: s for s in ships(game, side)}
    if not order.ships or any(id not in every for id in order.ships):
        raise stop("E-MOVE-ELIGIBLE", "4.12.1", "name ships of yours", "ships")
    listed: list[Vessel] = [every[id] for id in order.ships]
    start = listed[0].hex or ""
    if len({s.hex for s in listed}) != 1:
        raise stop("E-MOVE-ELIGIBLE", "4.12.1", "ships that sail together begin in one hex", "ships")
    chart = world.tables["ships"]["movement"]
    here, enemy = start, world.enemy(side)
    for n, to in enumerate(order.path):
        port = t.ports.get(to)
        wet = world.sea(to) or (port is not None and port.owner == side)
        if to not in world.beside(here) or not wet:
            raise stop("E-MOVE-PROHIBITED", "4.12.1", f"ships cannot go from {here} to {to}", "path", n)
        if ships(game, enemy, to) or units(game, enemy, to):
            raise stop("E-MOVE-ENEMY", "4.12.1", f"{to} holds enemies", "path", n)
        here = to
    for s in listed:
        slow = s.print.slow or (s.print.single and s.hits)
        if s.spent + len(order.path) > int(chart["slow_move" if slow else "move_per_phase"]):
            raise stop("E-MOVE-MP", "4.12.1", f"{s.id} cannot sail so far", "path")
    for s in listed:
        s.spent += len(order.path)
        s.hex = here
    game.emit(Sailed(side, tuple(s.id for s in listed), start, tuple(order.path)))


__all__ = ["has_ships", "haul", "rail", "sail", "ship", "take", "weight"]
