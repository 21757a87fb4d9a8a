"""Moves of transport points and ships (4.4.8, 4.12.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.kit.faults import illegal, under
from pbem.rules import Diagnostic, Game, Message, Refused

from ..actions import Haul, HaulStep, Naval, Regroup
from ..bases import carrier_at
from ..events.moving import Committed, Hauled, Regrouped, Sailed
from ..fighting.strength import rnd
from ..moving import (
    bridged,
    check_reserves,
    holds_enemy_things,
    own_points,
    reserve_markers,
    reserves,
    stop,
    trainbusted,
)
from ..pieces import Points, T, planes, serial, ships, units, world_of
from ..pieces import Ship as Vessel
from ..supply.stores import give, take_from_ground
from ..walk import buy_single, not_in_simulcast, own_units
from ..works import build
from ..world import ALL
from ..zones import Ground


def _changes_range(game: Game, listed: Sequence[Vessel], start: str, to: str) -> bool:
    """4.15: Return True if an enemy enters or leaves the range of these ships by their move."""
    world = world_of(game)
    enemy = world.enemy(listed[0].owner)
    far = max(s.hull.range for s in listed)
    marks = [(hex, far) for hex, side in T.of(game).control.items() if side == enemy]
    marks += [(s.hex or "", max(far, s.hull.range)) for s in ships(game, enemy) if s.hex in world.terrains]
    return any((world.distance(start, hex) <= n) != (world.distance(to, hex) <= n) for hex, n in marks)


async def haul(game: Game, side: str, order: Haul, others: frozenset[str]) -> None:
    """4.4.8: Move points together, with loading and unloading."""
    listed = own_points(game, side, order.points)
    trip = _Trip(game, side, listed, others)
    trip.begin(order)
    await trip.go(order.path)
    for n, step in enumerate(list(order.steps)):
        try:
            await trip.go(step.to)
            trip.work(step)
        except Refused as refused:
            raise Refused(list(under(refused.diagnostics, "steps", n))) from None
    trip.end()


class _Trip:
    def __init__(self, game: Game, side: str, listed: list[Points], others: frozenset[str]) -> None:
        self.game, self.side, self.listed, self.others = game, side, listed, others
        self.start = listed[0].hex or ""
        self.way: list[str] = []
        self.left: list[Points] = []
        self.loaded = self.unloaded = 0
        self.carpet: tuple[str, ...] = ()

    def begin(self, order: Haul) -> None:
        """Check that the points may move, and put organic trucks into Reserve or take them out."""
        if len({p.hex for p in self.listed}) != 1 or len({p.type for p in self.listed}) != 1:
            raise stop(
                "E-MOVE-ELIGIBLE", "4.4.8", Message("ocs.hauling.points-of-one-type-in-one-hex"), "points"
            )
        done = [p.id for p in self.listed if p.done or p.rode]
        if done:
            raise stop("E-MOVE-DONE", "4.4.8", Message("ocs.hauling.finished", done=tuple(done)), "points")
        self.carpet = order.carpet
        for n, p in enumerate(self.listed):
            self._allowed(p, order, n)
        for p in self.listed:
            if order.reserve is not None:
                p.marker = "reserve" if order.reserve else "none"

    def _allowed(self, p: Points, order: Haul, n: int) -> None:
        """4.4.3, 4.6, 4.8: Check phase and Reserve: only organic trucks go into it, only they move later."""
        t = T.of(self.game)
        if t.phase != "C":
            if p.marker != "reserve" and not p.released:
                raise stop(
                    "E-MOVE-ELIGIBLE",
                    "4.6",
                    Message("ocs.hauling.may-not-move-in-phase", p=p.id),
                    "points",
                    n,
                )
            if p.marker == "reserve" and not order.release:
                raise stop("E-RELEASE", "4.6", Message("ocs.hauling.reserve-release", p=p.id), "points", n)
            if order.reserve is not None:
                raise stop(
                    "E-MODE", "4.4.3", Message("ocs.hauling.changes-no-mode-in-phase", p=p.id), "reserve"
                )
            p.marker, p.released = "none", True
        if not order.reserve:
            return
        if p.organic_of is None:
            raise stop("E-MODE", "4.4.3", Message("ocs.hauling.no-organic-truck", p=p.id), "reserve")
        if Ground(self.game, self.side).in_zoc(p.hex or ""):
            raise stop("E-RES-ZOC", "4.4.3", Message("ocs.hauling.in-enemy-zone", p=p.id), "reserve")
        if len(reserves(self.game, self.side) - {p.hex}) >= reserve_markers(self.game, self.side):
            raise stop("E-RES-POOL", "4.4.3", Message("ocs.hauling.no-reserve-marker-left"), "reserve")

    def allowance(self, p: Points) -> Fraction:
        """4.0.2: Return the allowance of points, reduced in Reserve and in Reaction."""
        factors, t = world_of(self.game).numbers["modes_ma"], T.of(self.game)
        value = Fraction(p.ma)
        if p.marker == "reserve" and t.phase == "C":
            value *= Fraction(factors["reserve"])
        return value * Fraction(factors["reaction"]) if t.phase == "E" else value

    async def go(self, path: Sequence[str]) -> None:
        """Move the points along a path; trucks stop in an open zone that they enter."""
        for to in path:
            ground = Ground(self.game, self.side)
            self._leave(ground)
            if ground.enemy_in(to) or holds_enemy_things(self.game, self.side, to):
                raise stop("E-MOVE-ENEMY", "4.4.12", Message("ocs.amphib.holds-enemies", to=to), "path")
            faults = simulcast_hex(self.game, self.side, to)
            if faults:
                raise Refused(faults)
            for p in self.listed:
                p.spent += self._price(p, to)
            for p in self.listed:
                p.hex = to
            self.way.append(to)

    def _price(self, p: Points, to: str) -> Fraction:
        game, world, here = self.game, world_of(self.game), p.hex or ""
        over = bridged(game, self.side, here, to)
        cost = world.step(here, to, p.mobility, ground=T.of(game).ground, bridged=over)
        left = self.allowance(p) - p.spent
        if cost is None or (cost == ALL and p.spent):
            raise stop("E-MOVE-PROHIBITED", "4.0.3", Message("ocs.hauling.hex-closed", to=to, p=p.id), "path")
        need = left if cost == ALL else Fraction(cost, world.scale)
        need += 1 if trainbusted(game, self.side, to, p.mobility) else 0
        if need > left:
            if not p.spent and not self.way:  # one hex may always be entered
                return left
            raise stop(
                "E-MOVE-MP",
                "4.0.3",
                Message("ocs.hauling.costs-has-left", to=to, p=p.id, need=need, left=left),
                "path",
            )
        return need

    def _leave(self, ground: Ground) -> None:
        """4.4.4: Commit a unit to negate an open zone, so that trucks may leave it; refuse if none can."""
        here = self.listed[0].hex or ""
        if not self.way or self.listed[0].mobility != "truck" or not ground.open_zoc(here):
            return
        able = [u for u in ground.holders(here) if u.id in self.carpet]
        stay = able[0] if able else ground.committer(here, self.others)
        if stay is None:
            raise stop("E-ZOC-TRUCK", "4.4.4", Message("ocs.hauling.they-must-stop", here=here), "path")
        stay.committed = True
        self.game.emit(Committed(self.side, stay.id, here))

    def work(self, step: HaulStep) -> None:
        """Load and unload, each for a tenth of the printed allowance, then pay for fuel and construction."""
        game, hex = self.game, self.listed[0].hex or ""
        for n, amount in (("load", step.load), ("unload", step.unload)):
            if not amount:
                continue
            for p in self.listed:
                price = rnd(Fraction(p.ma * int(world_of(game).numbers["load_percent"]), 100))
                if price > self.allowance(p) - p.spent:
                    raise stop(
                        "E-MOVE-MP", "4.4.8", Message("ocs.hauling.has-no-points-left", p=p.id, n=n), n
                    )
                p.spent += price
        if step.load:
            self._load(hex, step.load)
        if step.unload:
            self._unload(hex, step.unload)
        for id in step.fuels:
            buy_single(game, own_units(game, self.side, (id,))[0], (hex,), self.others)
        for order in step.builds:
            build(game, self.side, replace(order, dumps=order.dumps or (hex,)), self.others)
        for id in step.drop:
            left = next((p for p in self.listed if p.id == id), None)
            if left is None or len(self.listed) == 1:
                raise stop(
                    "E-MOVE-ELIGIBLE", "4.4.8", Message("ocs.hauling.cannot-be-left-behind", id=id), "drop"
                )
            left.done = True
            self.left.append(left)
            self.listed = [p for p in self.listed if p.id != id]

    def _load(self, hex: str, t: int) -> None:
        dump = T.of(self.game).dumps.get(hex)
        room = sum(p.capacity - p.load for p in self.listed)
        if dump is None or dump.owner != self.side or dump.t < t:
            raise stop("E-SUP-SHORT", "4.4.8", Message("ocs.air.not-so-much-supply", start=hex), "load")
        if dump.t - dump.fresh < t:
            raise stop(
                "E-TP-FRESH",
                "4.4.8",
                Message("ocs.air.t-in-unloaded-in-phase", fresh=dump.fresh, start=hex),
                "load",
            )
        if t > room:
            raise stop("E-TP-CAP", "4.4.8", Message("ocs.hauling.room-for-t", room=room), "load")
        take_from_ground(self.game, hex, t)
        self.loaded += t
        for p in self.listed:
            put = min(t, p.capacity - p.load)
            p.load += put
            t -= put

    def _unload(self, hex: str, t: int) -> None:
        game, tracks = self.game, T.of(self.game)
        plain = [p for p in self.listed if p.organic_of is None]
        load = sum(p.load for p in plain)
        dump = tracks.dumps.get(hex)
        there = bool(units(game, self.side, hex)) or (dump is not None and dump.owner == self.side)
        for owned in (tracks.ports.get(hex), tracks.bases.get(hex)):
            there = there or (owned is not None and owned.owner == self.side)
        if not there or not plain:
            why = (
                Message("ocs.hauling.nothing-in-to-unload", hex=hex)
                if plain
                else Message("ocs.hauling.organic-trucks-do-not-unload")
            )
            raise stop("E-TP-UNLOAD", "4.4.8", why, "unload")
        if t > load:
            raise stop("E-TP-CAP", "4.4.8", Message("ocs.hauling.t-loaded", load=load), "unload")
        self.unloaded += t
        give(game, self.side, hex, t, fresh=True)
        for p in plain:
            put = min(t, p.load)
            p.load -= put
            t -= put

    def end(self) -> None:
        """R-302, 4.4.3, 4.15: Check where each point ends its move, end it, and report it."""
        ended = [*self.left, *self.listed]
        if any(p.marker == "reserve" for p in ended):
            check_reserves(self.game, self.side)
        for p in ended if T.of(self.game).simulcast else ():
            if not_in_simulcast(self.game, self.side, self.start, p.hex or ""):
                raise stop("E-SIMUL", "4.15", Message("ocs.hauling.would-end-beside-enemy", p=p.id), "path")
        first = self.listed[0]
        for p in self.listed:
            p.done = True
        ids, way = tuple(p.id for p in self.listed), tuple(self.way)
        spent, most = str(first.spent), str(self.allowance(first))
        self.game.emit(Hauled(self.side, ids, self.start, way, self.loaded, self.unloaded, spent, most))


def simulcast_hex(game: Game, side: str, to: str) -> list[Diagnostic]:
    """4.15: Return the fault of entering a hex under enemy control in a simulcast turn."""
    t = T.of(game)
    if t.simulcast and t.control.get(to) == world_of(game).enemy(side):
        return [illegal("E-SIMUL", "4.15", Message("ocs.hauling.owned-by-enemy", to=to), "path")]
    return []


def regroup(game: Game, side: str, order: Regroup) -> None:
    """4.4.8: Divide points of one type in one hex into counters of these sizes, with their loads."""
    listed = own_points(game, side, order.points)
    first, total = listed[0], sum(p.points for p in listed)
    alike = {(p.hex, p.type, p.ma, p.mobility, p.organic_of, p.done, p.rode) for p in listed}
    if len(alike) != 1 or len({p.id for p in listed}) != len(order.points):
        raise stop(
            "E-MOVE-ELIGIBLE", "4.4.8", Message("ocs.hauling.only-points-of-one-type-in-one"), "points"
        )
    if sum(order.into) != total:
        raise stop("E-TP-CAP", "4.4.8", Message("ocs.hauling.points-to-share", total=total), "into")
    load, spent = sum(p.load for p in listed), max(p.spent for p in listed)
    tokens = sum(p.tokens for p in listed)
    made = []
    for n, size in enumerate(order.into):
        part = listed[n] if n < len(listed) else _another(game, first)
        part.points, part.tokens, part.spent = size, tokens if not n else 0, spent
        part.load = min(load, part.capacity)
        load -= part.load
        made.append(part.id)
    for p in listed[len(order.into) :]:
        p.remove()
    game.emit(Regrouped(side, order.points, first.hex or "", tuple(made)))


def _another(game: Game, like: Points) -> Points:
    """Return a new counter of the same points."""
    id = f"{like.id.split('+')[0]}+{serial(game, like.owner)}".replace("+", ".")
    game.position.add(id, dict(game.position.counters[like.id]))
    return Points(game, id)


def sail(game: Game, side: str, order: Naval) -> None:
    """4.12.1: Sail ships over sea hexes and own ports, at one point for each hex."""
    world, t = world_of(game), T.of(game)
    own = {s.id: s for s in ships(game, side)}
    if not order.ships or any(id not in own for id in order.ships):
        raise stop("E-MOVE-ELIGIBLE", "4.12.1", Message("ocs.hauling.name-ships-of-yours"), "ships")
    listed: list[Vessel] = [own[id] for id in order.ships]
    start = listed[0].hex or ""
    if len({s.hex for s in listed}) != 1:
        raise stop(
            "E-MOVE-ELIGIBLE", "4.12.1", Message("ocs.hauling.ships-that-sail-together-begin-in-one"), "ships"
        )
    chart = world.tables["ships"]["movement"]
    here, enemy = start, world.enemy(side)
    for n, to in enumerate(order.path):
        port = t.ports.get(to)
        wet = world.sea(to) or (port is not None and port.owner == side)
        if to not in world.beside(here) or not wet:
            raise stop(
                "E-MOVE-PROHIBITED",
                "4.12.1",
                Message("ocs.hauling.ships-cannot-go", here=here, to=to),
                "path",
                n,
            )
        if ships(game, enemy, to) or units(game, enemy, to):
            raise stop("E-MOVE-ENEMY", "4.12.1", Message("ocs.amphib.holds-enemies", to=to), "path", n)
        here = to
    if t.simulcast and any(_changes_range(game, listed, start, to) for to in order.path):
        raise stop("E-SIMUL", "4.15", Message("ocs.hauling.no-ship-enters-or-leaves-range"), "path")
    for s in listed:
        slow = s.print.slow or (s.print.single and s.hits)
        if s.spent + len(order.path) > int(chart["slow_move" if slow else "move_per_phase"]):
            raise stop("E-MOVE-MP", "4.12.1", Message("ocs.amphib.cannot-sail-so-far", c=s.id), "path")
    for s in listed:
        s.spent += len(order.path)
        if carrier_at(game, side, start) is not None and s.print.carrier:
            for plane in planes(game, side, start):
                plane.hex = here
        s.hex = here
    game.emit(Sailed(side, tuple(s.id for s in listed), start, tuple(order.path)))
