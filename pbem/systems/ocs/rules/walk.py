"""Move of a stack from its first hex to its last, with overruns and captures (4.4.2 to 4.4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.kit.faults import illegal, under
from pbem.rules import Diagnostic, Game, Message, Refused

from .actions import Move, Overrun, Stand, Step
from .allowances import movement_allowance
from .capture import enter_hex
from .events.moving import Committed, Fuelled, ModeChanged, Moved, RailConverted, Released
from .fighting.combat import fight_it_out
from .fighting.combat_supply import plan_attack, unpayable
from .moving import (
    can_move,
    check_reserves,
    enter_faults,
    fuelled,
    fuelling_hq,
    holds_enemy_things,
    mode_faults,
    needs_fuel,
    set_mode,
    step_cost,
    stop,
    trainbusted,
    unit_ways,
)
from .pieces import T, Unit, maybe_unit, total_re, units, world_of
from .supply.payments import flows, pay, why_short
from .supply.reach import Net
from .supply.trace import Tracing, gauge_of
from .views import tell_sighted
from .world import ALL
from .zones import Ground


def own_units(game: Game, side: str, ids: Sequence[str]) -> list[Unit]:
    """Return the units that an order names; refuse names of other units."""
    named = []
    for n, id in enumerate(ids):
        u = maybe_unit(game, id)
        if u is None or u.owner != side:
            raise stop(
                "E-MOVE-ELIGIBLE", "4.4.2", Message("ocs.loop.no-unit-of-yours-on-map", value=id), "units", n
            )
        named.append(u)
    if not named:
        raise stop("E-MOVE-ELIGIBLE", "4.4.2", Message("ocs.beaches.name-least-one-unit"), "units")
    return named


def release(game: Game, u: Unit) -> None:
    """4.6, 4.8: Release a unit from Reserve in Reaction or Exploitation."""
    t = T.of(game)
    if u.marker != "reserve" or t.acting != u.owner or t.phase not in ("E", "G"):
        raise stop("E-RELEASE", "4.6", Message("ocs.walk.not-in-reserve-or-may-not-be", u=u.id))
    u.marker, u.released = "none", True
    game.emit(Released(u.owner, (u.id,)))


class Walk:
    """A stack that moves. `order.if_blocked` says what it does at an obstacle."""

    def __init__(self, game: Game, side: str, order: Move, others: frozenset[str] = frozenset()) -> None:
        self.game, self.side, self.order, self.others = game, side, order, others
        self.stack = own_units(game, side, order.units)
        self.start = self.stack[0].hex or ""
        self.entered: list[str] = []
        self.ended: list[Unit] = []
        self.stopped = ""
        self.simulcast = T.of(game).simulcast

    def begin(self) -> None:
        """4.4.2, 4.4.3, 4.4.5: Check that the units may move, set their mode, fuel them."""
        if len({u.hex for u in self.stack}) != 1:
            raise stop(
                "E-MOVE-ELIGIBLE", "4.4.2", Message("ocs.walk.units-that-move-together-begin-in-one"), "units"
            )
        faults = []
        for n, u in enumerate(self.stack):
            if self.order.release and u.marker == "reserve":
                release(self.game, u)
            faults += [
                illegal(f.code, f.rule or "4.4.2", f.message, "units", n) for f in can_move(self.game, u)
            ]
            if T.of(self.game).phase in ("E", "G") and u.marker == "reserve":
                faults.append(
                    illegal("E-RELEASE", "4.6", Message("ocs.hauling.reserve-release", p=u.id), "units", n)
                )
            faults += mode_faults(self.game, u, self.order.facing, self.order.mode, "mode")
        if faults:
            raise Refused(faults)
        for u in self.stack:
            set_mode(u, self.order.facing, self.order.mode)
            u.start = u.start or u.hex
        if movement_needed(self.order):
            for u in list(self.stack):
                try:
                    self.fuel(u)
                except Refused:
                    if self.order.without_fuel != "leave" or len(self.stack) == 1:
                        raise
                    self.drop((u.id,))

    def fuel(self, u: Unit) -> None:
        """4.4.5: Buy fuel for a unit that has none, 1 T for this phase, if the order allows it."""
        if fuelled(self.game, u):
            if not (u.fuel_single or u.fuelled) and needs_fuel(u):
                hq = fuelling_hq(self.game, u)
                if hq is not None and hq.id != u.id:
                    hq.fuel_hex = hq.hex
            return
        if self.order.fuel != "single":
            raise stop("E-FUEL", "4.4.5", Message("ocs.walk.not-fuelled", u=u.id), "fuel")
        buy_single(self.game, u, self.order.dumps, self.others)

    async def enter(self, to: str) -> None:
        """4.0.3, 4.4.4, 4.4.12: Move the whole stack into the next hex."""
        game = self.game
        ground = Ground(game, self.side, without=[u.id for u in self.stack])
        costs: list[Fraction] = []
        for u in self.stack:
            faults = enter_faults(game, ground, u, to, "path") + simulcast_faults(game, u, to)
            cost = step_cost(game, u, u.hex or "", to)
            if cost is None:
                faults.append(
                    illegal(
                        "E-MOVE-PROHIBITED", "4.0.3", Message("ocs.hauling.hex-closed", to=to, p=u.id), "path"
                    )
                )
            elif not faults:
                cost = self._payable(u, cost, to)
            if faults:
                raise Refused(faults)
            assert cost is not None
            costs.append(cost)
        for u in self.stack:
            if self._must_stop(ground, u):
                raise stop("E-ZOC-TRUCK", "4.4.4", Message("ocs.walk.must-stop", u=u.id, hex=u.hex), "path")
        captures = any(u.attack_capable for u in self.stack) and self._something(to)
        for u, cost in zip(self.stack, costs, strict=True):
            u.spent += cost
            u.hex = to
        self.entered.append(to)
        self._convert(to)
        if captures:
            self.tell()
        if captures or T.of(game).control.get(to) != self.side:
            await enter_hex(game, self.side, to)
        self.stack = [u for u in self.stack if u.there]

    def _convert(self, to: str) -> None:
        """4.4.9: Change the gauge of a rail hex that a Rail Repair unit enters on its Combat side."""
        game, world = self.game, world_of(self.game)
        rules, t = world.scenario.get("gauge"), T.of(self.game)
        if rules is None or t.phase != "C" or to not in world.on("railroad"):
            return
        wanted = rules["sides"][self.side]
        for u in self.stack:
            most = min(int(world.numbers["convert_most"]), u.side.ma)
            if u.kind != "rail_repair" or u.facing != "combat" or u.marker not in ("none", "dg"):
                continue
            if gauge_of(game, to) == wanted or u.converted >= most or Ground(game, self.side).in_zoc(to):
                continue
            t.gauge[to] = wanted
            t.converted = (*t.converted, to)
            u.converted += 1
            game.emit(RailConverted(self.side, u.id, (to,), wanted))

    def _payable(self, u: Unit, cost: Fraction, to: str) -> Fraction:
        """Return the cost, or what is left: a unit may always enter one hex (minimum move)."""
        left = movement_allowance(u) - u.spent
        if cost <= left:
            return cost
        first = u.spent == 0 and u.hex == u.start and u.side.ma > 0
        if first:
            return left
        raise stop(
            "E-MOVE-MP",
            "4.0.3",
            Message("ocs.hauling.costs-has-left", to=to, p=u.id, need=cost, left=left),
            "path",
        )

    def _something(self, to: str) -> bool:
        t, enemy = T.of(self.game), world_of(self.game).enemy(self.side)
        facility = any(
            facility is not None and facility.owner == enemy
            for facility in (t.bases.get(to), t.ports.get(to), t.hedgehogs.get(to))
        )
        return facility or holds_enemy_things(self.game, self.side, to)

    def _must_stop(self, ground: Ground, u: Unit) -> bool:
        """4.4.4: Return True if a truck unit must stop in an open zone that it entered.

        If a unit there can be committed to negate the zone, commit it and return False.
        """
        if u.side.mobility != "truck" or not self.entered or not ground.open_zoc(u.hex or ""):
            return False
        able = [unit for unit in ground.holders(u.hex or "") if unit.id in self.order.carpet]
        stay = able[0] if able else ground.committer(u.hex or "", self.others)
        if stay is None:
            return True
        stay.committed = True
        self.game.emit(Committed(self.side, stay.id, u.hex or ""))
        return False

    def drop(self, ids: Sequence[str]) -> None:
        """R-302: Leave units behind; their move ends here."""
        for id in ids:
            u = next((unit for unit in self.stack if unit.id == id), None)
            if u is None:
                raise stop("E-MOVE-ELIGIBLE", "4.4.2", Message("ocs.walk.not-in-moving-stack", id=id), "drop")
            u.done = True
            self.ended.append(u)
        self.stack = [u for u in self.stack if u.id not in ids]

    async def overrun(self, order: Overrun) -> bool:
        """4.4.6: Fight an overrun; return True if the stack may go on, from the vacated hex or its own."""
        game = self.game
        ids = [u.id for u in self.stack]
        faults = overrun_faults(game, self.side, self.stack, order.hex)
        if faults:
            raise Refused(faults)
        bought = plan_attack(game, self.side, ids, order.dumps, (), self.others)
        if bought is None:
            raise Refused([unpayable(game, self.side, ids, order.dumps, "4.4.6", "overrun", "dumps")])
        mp = Fraction(world_of(game).numbers["overrun_mp"])
        for u in self.stack:
            u.spent += mp
        self.tell()
        f = await fight_it_out(game, "overrun", self.side, order.hex, bought, order.ar, ids, order.along)
        self.stack = [unit for id in ids if (unit := maybe_unit(game, id)) is not None]
        self.lost = bool(f.lost) or self.lost
        if f.retreated:
            for u in self.stack:
                u.done = True
            self.stack = []
            self.failed = True
            return False
        self.start = self.stack[0].hex or "" if self.stack else ""
        won = bool(self.stack) and self.stack[0].hex == order.hex
        self.result, self.failed = "won" if won else "held", not won
        if won:
            self.entered = [order.hex]
            self.reported = 1
        await self.follow(order.if_win if won else order.if_hold)
        return bool(self.stack)

    async def follow(self, path: Sequence[str]) -> None:
        """Follow a path as far as possible."""
        for n, to in enumerate(path):
            if not self.stack:
                return
            try:
                await self.enter(to)
            except Refused as refused:
                if self.order.if_blocked == "refuse":
                    raise
                await self._blocked(to, path[n + 1 :], refused)
                return

    async def _blocked(self, to: str, rest: Sequence[str], refused: Refused) -> None:
        """Do what the order says if the next hex cannot be entered; refuse a stack that has not moved."""
        ground = Ground(self.game, self.side)
        if self.order.if_blocked == "attack" and ground.enemy_in(to):
            await self.overrun(Overrun(to, dumps=self.order.dumps, if_win=tuple(rest)))
            return
        way = self._round(to, rest) if self.order.if_blocked == "round" and ground.enemy_in(to) else ()
        if way:
            await self.follow(way)
            return
        if not self.entered:
            raise refused
        fault = refused.diagnostics[0]
        self.stopped = f"{fault.message} ({fault.code})"
        self.tell()
        for u in self.stack:
            u.done = u.moved = True
        self.ended += self.stack
        self.stack = []

    def _round(self, to: str, rest: Sequence[str]) -> tuple[str, ...]:
        """Return the cheapest path round a hex to the next free hex of the path and on, or ()."""
        slow = min(self.stack, key=lambda u: movement_allowance(u) - u.spent)
        paths = {way[-1]: way for way, _ in unit_ways(self.game, slow)}
        for n, hex in enumerate(rest):
            if hex in paths and to not in paths[hex]:
                return (*paths[hex], *rest[n + 1 :])
        return ()

    reported = 0
    result = ""  # of the last overrun: won, held
    failed = lost = False

    def tell(self) -> None:
        """Report the part of the move since the last report."""
        path = self.entered[self.reported :]
        if path and self.stack:
            slow = min(self.stack, key=lambda u: movement_allowance(u) - u.spent)
            mode = slow.marker if slow.marker != "none" else slow.facing
            self.game.emit(
                Moved(
                    self.side, tuple(u.id for u in self.stack), self.start, tuple(path), mode,
                    str(slow.spent), str(movement_allowance(slow)), self.stopped,
                )
            )  # fmt: skip
            self.start = path[-1]
            tell_sighted(self.game, self.side, self.stack)
        self.reported = len(self.entered)

    async def run(self) -> None:
        """Carry out the whole order. Raises `Refused`; moves made before that are not taken back."""
        self.begin()
        try:
            await self.follow(self.order.path)
            for n, step in enumerate(list(self.order.steps)):
                try:
                    await self._step(step)
                except Refused as refused:
                    raise Refused(list(under(refused.diagnostics, "steps", n))) from None
        except Refused:
            self._end()
            raise
        self._end()
        self._check_end()

    def _end(self) -> None:
        self.tell()
        for u in self.stack:
            if u.there:
                u.done = u.moved = True
        self.ended += [u for u in self.stack if u.there]

    def _check_end(self) -> None:
        """R-302: Check each unit where its move ended, dropped or not.

        A Strat unit must be in trace, Reserve markers must suffice, and a simulcast turn allows no new
        contact.
        """
        game, ended = self.game, [u for u in self.ended if u.there]
        self._strat_trace([u for u in ended if u.marker == "strat" and u.spent])
        if any(u.marker == "reserve" for u in ended):
            check_reserves(game, self.side)
        for u in ended if T.of(game).simulcast else ():
            if not_in_simulcast(game, self.side, u.start or "", u.hex or ""):
                raise stop("E-SIMUL", "4.15", Message("ocs.hauling.would-end-beside-enemy", p=u.id), "path")

    async def _step(self, step: Step) -> None:
        if step.when is not None and step.when != self.result:
            return
        await self.follow(step.to)
        if step.drop:
            self.tell()
            self.drop(step.drop)
        if step.overrun is not None and self.stack:
            await self.overrun(step.overrun)

    def _strat_trace(self, marched: Sequence[Unit]) -> None:
        """R-12: Refuse a Strat move that ends without trace for one of its units."""
        tracing = Tracing(self.game, self.side) if marched else None
        if tracing is not None and not all(tracing.traced(u) for u in marched):
            raise stop("E-STRAT-TRACE", "4.4.3", Message("ocs.walk.strat-move-must-end-in-trace"), "path")


def overruns(order: Move) -> bool:
    """Return True if this order may lead to an overrun."""
    return order.if_blocked == "attack" or any(step.overrun for step in order.steps)


def movement_needed(order: Move) -> bool:
    """Return True if this order spends movement points."""
    return bool(order.path) or any(s.to or s.overrun for s in order.steps)


def buy_single(
    game: Game, u: Unit, dumps: tuple[str, ...] = (), others: frozenset[str] = frozenset()
) -> None:
    """4.4.5: Buy 1 T of fuel for one counter, for this phase."""
    t = int(world_of(game).supply["costs"]["fuel_single_unit"])
    net = Net(game, u.owner, trace=False, others=others)
    payments = pay(net, u.hex or "", t, u, dumps=dumps)
    if payments is None:
        raise Refused([why_short(net, u.hex or "", t, u, dumps, "4.4.5", "fuel")])
    u.fuel_single = True
    game.emit(
        Fuelled(u.owner, "single", (u.id,), t, ", ".join(p.hex for p in payments), flows(game, payments))
    )


def simulcast_faults(game: Game, u: Unit, to: str) -> list[Diagnostic]:
    """4.15: Return the fault of entering a hex of the enemy in a simulcast turn."""
    t, world = T.of(game), world_of(game)
    if not t.simulcast:
        return []
    enemy = world.enemy(u.owner)
    if t.control.get(to) == enemy or any(
        c["owner"] == enemy for i in game.position.at(to) for c in [game.position.counters[i]]
    ):
        return [illegal("E-SIMUL", "4.15", Message("ocs.hauling.owned-by-enemy", to=to), "path")]
    return []


def not_in_simulcast(game: Game, side: str, start: str, end: str) -> bool:
    """4.15: Return True if a move ends beside an enemy but began beside none.

    Enemies count where they began the turn, and where their moves end as filed.
    """
    t, world = T.of(game), world_of(game)
    enemy = world.enemy(side)
    foes = {f.hex for f in units(game, enemy)}
    before = set(t.entered.get(f"start-{enemy}", ())) or foes
    after = before | foes | set(t.entered.get(f"end-{enemy}", ()))
    began = any(n in before for n in world.beside(start))
    return not began and any(n in after for n in world.beside(end))


def overrun_faults(game: Game, side: str, stack: Sequence[Unit], target: str) -> list[Diagnostic]:
    """4.4.6: Return the faults of an overrun that need no dice."""
    world, t = world_of(game), T.of(game)
    numbers, here = world.numbers, stack[0].hex or ""
    faults = []
    if t.simulcast:
        faults.append(illegal("E-SIMUL", "4.15", Message("ocs.walk.no-overrun-in-simulcast-turn"), "overrun"))
    if target not in world.beside(here):
        faults.append(
            illegal("E-CBT-ADJ", "4.4.6", Message("ocs.moving.not-beside", to=target, hex=here), "overrun")
        )
        return faults
    if not units(game, world.enemy(side), target):
        faults.append(
            illegal(
                "E-CBT-EMPTY", "4.4.6", Message("ocs.beaches.no-enemy-combat-unit", hex=target), "overrun"
            )
        )
    if len({u.start for u in stack}) > 1:
        faults.append(
            illegal("E-OVR-START", "4.4.6", Message("ocs.walk.they-did-not-begin-phase-together"), "overrun")
        )
    if total_re(units(game, side, here)) > int(numbers["stacking_re"]):
        message = Message("ocs.walk.more-than-re", most=numbers["stacking_re"], here=here)
        faults.append(illegal("E-OVR-STACK", "4.4.6", message, "overrun"))
    for u in stack:
        if not u.attack_capable:
            faults.append(illegal("E-OVR-CAP", "4.4.6", Message("ocs.walk.cannot-attack", u=u.id), "overrun"))
        if u.marker in ("dg", "reserve", "strat"):
            message = Message("ocs.walk.carries-marker", u=u.id, marker=u.marker)
            faults.append(illegal("E-OVR-MODE", "4.4.6", message, "overrun"))
        if not fuelled(game, u):
            faults.append(illegal("E-FUEL", "4.4.6", Message("ocs.walk.not-fuelled", u=u.id), "overrun"))
        if movement_allowance(u) - u.spent < int(numbers["overrun_mp"]):
            faults.append(
                illegal("E-OVR-MP", "4.4.6", Message("ocs.walk.has-less-than-3-mp", u=u.id), "overrun")
            )
        cost = world.step(here, target, u.side.mobility, road_ok=False, ground=t.ground)
        dear = (
            cost is not None
            and cost != ALL
            and cost + (world.scale if trainbusted(game, side, target, u.side.mobility) else 0)
        )
        if cost is None or cost == ALL or dear > int(numbers["overrun_entry_most"]) * world.scale:
            faults.append(
                illegal("E-OVR-TERRAIN", "4.4.6", Message("ocs.walk.cannot-overrun-over", u=u.id), "overrun")
            )
    return faults


def stand(game: Game, side: str, order: Stand) -> None:
    """4.4.2: Change the mode of units without moving them. This ends their move."""
    listed = own_units(game, side, order.units)
    faults = []
    for n, u in enumerate(listed):
        faults += [illegal(f.code, f.rule or "4.4.2", f.message, "units", n) for f in can_move(game, u)]
        faults += mode_faults(game, u, order.facing, order.mode, "mode")
    if faults:
        raise Refused(faults)
    for u in listed:
        set_mode(u, order.facing, order.mode)
        u.done = True
    mode = listed[0].marker if listed[0].marker != "none" else listed[0].facing
    game.emit(ModeChanged(side, tuple(u.id for u in listed), listed[0].hex or "", mode))
