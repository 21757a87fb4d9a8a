"""Fuel, construction, dumps to blow up, declared attacks (4.4.5 to 4.4.15, 4.9.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Message, Refused, dataclass, roll

from .actions import Attack, Blow, Build, Fuel
from .breakdowns import fault_of
from .events.fighting import AttackCancelled
from .events.moving import Built, DumpBlown, Fuelled
from .fighting.combat import fight_it_out
from .fighting.combat_supply import plan_attack, unpayable
from .fighting.fights import Fight
from .fighting.strength import rnd
from .moving import bridged, can_move, stop
from .pieces import Base, T, Unit, Works, maybe_unit, points, total_re, units, world_of
from .supply.payments import Payment, flows, pay, plan, settle, why_short
from .supply.reach import Net
from .supply.stores import take
from .views import secret, shown
from .walk import own_units


@dataclass(frozen=True)
class FuelPlan:
    """4.4.5: A plan to fuel units: the units, their provider and the payments. `what`: formation or `hq`."""

    what: str
    units: tuple[str, ...]
    payments: tuple[Payment, ...]
    source: str


def plan_fuel(game: Game, side: str, order: Fuel, net: Net) -> FuelPlan:
    """4.4.5: Return a plan for an order of fuel, without spending anything. Raises `Refused`."""
    if (order.formation is None) == (order.hq is None):
        raise stop("E-FUEL", "4.4.5", Message("ocs.works.fuel-for-formation-or-for-hq"))
    return _for_hq(game, side, order, net) if order.hq is not None else _for_formation(game, side, order, net)


def _for_hq(game: Game, side: str, order: Fuel, net: Net) -> FuelPlan:
    cost, hq = int(world_of(game).supply["costs"]["fuel_hq"]), maybe_unit(game, order.hq)
    if hq is None or hq.owner != side or not hq.is_hq:
        raise stop("E-FUEL", "4.4.5", Message("ocs.works.no-hq-of-yours", hq=order.hq), "hq")
    if hq.id in T.of(game).fuelled:
        raise stop("E-FUEL", "4.4.5", Message("ocs.works.fuelled", hq=order.hq), "hq")
    payments = plan(net, hq.hex or "", cost, hq, dumps=order.dumps)
    if payments is None:
        raise Refused([why_short(net, hq.hex or "", cost, hq, order.dumps, "4.4.5", "dumps")])
    return FuelPlan("hq", (hq.id,), tuple(payments), ", ".join(p.hex for p in payments))


def _for_formation(game: Game, side: str, order: Fuel, net: Net) -> FuelPlan:
    """Plan fuel for a formation, thrown by one HQ or drawn from one dump.

    The provider is the one named, or else the one that reaches most units.
    """
    formation = order.formation or ""
    cost = int(world_of(game).supply["costs"]["fuel_formation"])
    every = world_of(game).formations.get(formation, ())
    members = [u for id in every if (u := maybe_unit(game, id)) is not None]
    members = [u for u in members if u.owner == side and not u.fuelled]
    if not members:
        raise stop(
            "E-FUEL", "4.4.5", Message("ocs.works.has-no-unit-on-map", formation=formation), "formation"
        )
    served = _providers(game, side, order, net, members)
    named = maybe_unit(game, order.provider)
    if named is not None and named.marker == "strat":
        raise stop(
            "E-SUP-HQ-STRAT", "4.0.5", Message("ocs.barrage.named-in-strat-mode", named=named.id), "provider"
        )
    if order.provider is not None and order.provider not in served:
        raise stop(
            "E-SUP-PATH",
            "4.4.5",
            Message("ocs.works.reaches-no-unit", provider=order.provider, formation=formation),
            "provider",
        )
    for name in sorted(served, key=lambda name: (-len(served[name]), name)):
        if order.provider not in (None, name):
            continue
        hq = maybe_unit(game, name)
        consumer = hq if hq is not None else served[name][0]
        dumps = order.dumps if hq is not None else (name,)
        payments = plan(
            net, consumer.hex or "", cost, consumer, dumps=dumps, formation=formation, drawn_only=True
        )
        if payments is not None:
            ids = tuple(sorted(u.id for u in served[name]))
            goal = served[name][0].hex or ""
            payments = [replace(payment, to=goal, hq=name if hq is not None else "") for payment in payments]
            source = ", ".join(p.hex for p in payments)
            return FuelPlan(
                formation, ids, tuple(payments), f"{name}: {source}" if hq is not None else source
            )
    first = members[0]
    raise Refused([why_short(net, first.hex or "", cost, first, order.dumps, "4.4.5", "dumps")])


def _providers(
    game: Game, side: str, order: Fuel, net: Net, members: Sequence[Unit]
) -> dict[str, list[Unit]]:
    """Return the units that each HQ and each dump reaches."""
    served: dict[str, list[Unit]] = {}
    organic = bool(order.dumps) or side in T.of(game).uses_organic
    for u in members:
        for s in net.usable(u.hex or "", u, organic=organic, drawn_only=True):
            if not order.dumps or s.hex in order.dumps:
                served.setdefault(s.hex, []).append(u)
        for hq in net.hqs(u):
            if net.throws(hq, u.hex or "") is not None:
                served.setdefault(hq.id, []).append(u)
    return served


def buy_fuel(game: Game, side: str, order: Fuel, others: frozenset[str] = frozenset()) -> None:
    """4.4.5: Buy fuel for a formation from one provider, or for an HQ and independent units in its throw."""
    net = Net(game, side, trace=False, others=others)
    bought = plan_fuel(game, side, order, net)
    settle(net, bought.payments)
    if order.hq is not None:
        T.of(game).fuelled = (*T.of(game).fuelled, order.hq)
    for id in bought.units if order.hq is None else ():
        Unit(game, id).fuelled = True
    t = sum(p.t for p in bought.payments)
    paths = flows(game, bought.payments)
    game.emit(Fuelled(side, bought.what, bought.units, t, bought.source, paths))


def build(game: Game, side: str, order: Build, others: frozenset[str] = frozenset()) -> None:
    """4.4.7: Do one task of construction or reduction, which takes effect at once."""
    world, t = world_of(game), T.of(game)
    listed = own_units(game, side, order.units)
    worker = listed[0]
    faults = [f for u in listed for f in can_move(game, u)]
    faults += [
        illegal("E-BUILD-MODE", "4.4.7", Message("ocs.works.has-moved", u=u.id), "units")
        for u in listed
        if u.spent
    ]
    if worker.engineer and len(listed) == 1:
        if not in_leg_range(game, worker, order.hex):
            faults.append(
                illegal(
                    "E-BUILD-RANGE",
                    "4.4.7",
                    Message("ocs.works.out-of-reach", hex=order.hex, worker=worker.id),
                    "hex",
                )
            )
    else:
        faults += _hands_faults(listed, order)
    faults += _work_faults(game, side, order)
    if faults:
        raise Refused(faults)
    cost = 0 if order.reduce else _work_cost(game, order)
    if cost:
        net = Net(game, side, trace=False, others=others)
        if pay(net, worker.hex or "", cost, worker, dumps=order.dumps) is None:
            raise Refused([why_short(net, worker.hex or "", cost, worker, order.dumps, "4.4.7", "dumps")])
    _finish(t, side, order)
    for u in listed:
        u.done = True
    assert world.land(order.hex)
    how = f"{'reduced' if order.reduce else 'built'}: {order.work}"
    game.emit(Built(side, shown(game, (u.id for u in listed)), order.hex, how, secret(game, cost, 0)))


def _hands_faults(listed: list[Unit], order: Build) -> list[Diagnostic]:
    """Return the faults of work by units that are not engineers.

    They need 1 RE in plain Combat Mode in the hex, and may only build a hedgehog or reduce something.
    """
    faults = []
    plain = all(u.facing == "combat" and u.marker == "none" and u.hex == order.hex for u in listed)
    if not plain or total_re(listed) < 1:
        faults.append(
            illegal("E-BUILD-MODE", "4.4.7", Message("ocs.works.1-re-in-plain-combat-mode"), "units")
        )
    if order.work != "hedgehog" and not order.reduce:
        faults.append(
            illegal(
                "E-BUILD-MODE", "4.4.7", Message("ocs.works.only-engineers-build", work=order.work), "work"
            )
        )
    return faults


def in_leg_range(game: Game, u: Unit, hex: str) -> bool:
    """R-11: Return True if a hex is within two steps on foot.

    Zones of control do not matter; enemies and prohibited terrain do.
    """
    world = world_of(game)
    foes = {f.hex for f in units(game, world.enemy(u.owner))}
    reached = {u.hex}
    for _ in range(int(world.numbers["work_range"])):
        reached |= {
            to
            for here in sorted(h for h in reached if h)
            for to in world.beside(here)
            if to not in foes
            and world.step(here, to, "leg", bridged=bridged(game, u.owner, here, to)) is not None
        }
    return hex in reached


def _work_cost(game: Game, order: Build) -> int:
    costs = world_of(game).supply["costs"]
    base = T.of(game).bases.get(order.hex)
    if order.work == "air_base" and base is not None and base.level == 0:
        return int(costs["strip_to_level_1"])
    key = {"air_base": "build_air_base_level", "hedgehog": "build_hedgehog_level", "port": "repair_port_hit"}
    return int(costs[key.get(order.work, "build_air_strip")])


def _work_faults(game: Game, side: str, order: Build) -> list[Diagnostic]:
    t, numbers = T.of(game), world_of(game).numbers
    faults = []
    tracks = {"air_base": t.bases, "strip": t.bases, "hedgehog": t.hedgehogs, "port": t.ports}
    there = tracks[order.work].get(order.hex)  # type: ignore[attr-defined]
    if (there is not None and there.worked) or f"{order.work} {order.hex}" in t.razed:
        faults.append(
            illegal("E-BUILD-ONCE", "4.4.7", Message("ocs.works.worked-on-in-turn", hex=order.hex), "hex")
        )
    if there is not None and there.owner != side:
        faults.append(
            illegal(
                "E-BUILD-MODE",
                "4.4.7",
                Message("ocs.works.owned-by-enemy", work=order.work, hex=order.hex),
                "hex",
            )
        )
    if order.work == "strip" and (
        there is not None or order.reduce or not world_of(game).scenario.get("strips")
    ):
        faults.append(
            illegal("E-BUILD-MODE", "4.4.7", Message("ocs.works.no-air-strip-can-be-built"), "work")
        )
    most = {"air_base": numbers["base_most"], "hedgehog": numbers["hedgehog_most"]}.get(order.work)
    level = getattr(there, "level", 0)
    if order.work == "port":
        hits = getattr(there, "hits", None)
        if (
            hits is None
            or (hits == 0 and not order.reduce)
            or (order.reduce and hits >= numbers["port_hits_most"])
        ):
            faults.append(
                illegal("E-BUILD-MAX", "4.4.7", Message("ocs.works.nothing-to-do", hex=order.hex), "hex")
            )
    elif order.reduce and (there is None or (order.work == "air_base" and level <= 1)):
        faults.append(
            illegal("E-BUILD-MAX", "4.4.7", Message("ocs.works.nothing-to-reduce", hex=order.hex), "hex")
        )
    elif not order.reduce and most is not None and level >= most:
        faults.append(
            illegal("E-BUILD-MAX", "4.4.7", Message("ocs.works.highest-level", work=order.work), "hex")
        )
    return faults


def _finish(t: T, side: str, order: Build) -> None:
    """4.4.7: Apply the result of the work."""
    by = -1 if order.reduce else 1
    if order.work == "air_base":
        old = t.bases.get(order.hex)
        t.bases[order.hex] = (
            replace(old, level=old.level + by, worked=True) if old else Base(side, 1, worked=True)
        )
    elif order.work == "strip":
        t.bases[order.hex] = Base(side, 0, worked=True)
    elif order.work == "port":
        port = t.ports[order.hex]
        t.ports[order.hex] = replace(port, hits=port.hits - by, worked=True)
    else:
        works = t.hedgehogs.get(order.hex)
        level = (works.level if works else 0) + by
        if level:
            t.hedgehogs[order.hex] = Works(side, level, True)
        else:
            del t.hedgehogs[order.hex]
            t.razed = (*t.razed, Message("ocs.works.hedgehog", hex=order.hex))


async def blow(game: Game, side: str, order: Blow) -> None:
    """4.4.11: Blow up T in a hex: a die decides how much of it is destroyed."""
    t = T.of(game)
    dump = t.dumps.get(order.hex)
    loaded = sum(p.load for p in points(game, side, order.hex))
    ground = dump.t if dump is not None and dump.owner == side else 0
    if order.hex in t.blown:
        raise stop("E-BLOW-ONCE", "4.4.11", Message("ocs.works.dump-in-blown-in-phase", hex=order.hex), "hex")
    if not 0 < order.tokens <= ground + loaded:
        raise stop(
            "E-SUP-SHORT",
            "4.4.11",
            Message("ocs.works.supply-there", ground=ground + loaded, hex=order.hex),
            "tokens",
        )
    die = await roll("1d6", "blow", order.hex)
    percent = int(world_of(game).supply["blow"][str(die.total)])
    gone = rnd(Fraction(order.tokens * percent, 100))
    left = gone - take(game, side, order.hex, min(gone, ground))
    for p in points(game, side, order.hex):
        cut = min(left, p.load)
        p.load -= cut
        left -= cut
    t.blown = (*t.blown, order.hex)
    game.emit(DumpBlown(side, order.hex, order.tokens, die, gone))


def threatened(game: Game, side: str) -> list[tuple[str, int]]:
    """Return a side's dumps beside an enemy combat unit and without its own units, with their T."""
    world, foes = world_of(game), {u.hex for u in units(game, world_of(game).enemy(side))}
    return [
        (hex, dump.t)
        for hex, dump in sorted(T.of(game).dumps.items())
        if dump.owner == side and not units(game, side, hex) and any(n in foes for n in world.beside(hex))
    ]


def attack_faults(game: Game, side: str, listed: Sequence[Unit], target: str) -> list[Diagnostic]:
    """4.9.1: Return the faults of an attack, apart from its supply."""
    world, t = world_of(game), T.of(game)
    faults = []
    if target not in world.terrains or not units(game, world.enemy(side), target):
        faults.append(
            illegal("E-CBT-EMPTY", "4.9.1", Message("ocs.beaches.no-enemy-combat-unit", hex=target), "hex")
        )
    if target in t.attacked:
        faults.append(
            illegal("E-CBT-HEX", "4.9.1", Message("ocs.beaches.attacked-in-segment", hex=target), "hex")
        )
    for n, u in enumerate(listed):
        if not u.attack_capable:
            faults.append(
                illegal("E-CBT-CAP", "4.9.1", Message("ocs.walk.cannot-attack", u=u.id), "units", n)
            )
        if u.attacked:
            faults.append(
                illegal("E-CBT-TWICE", "4.9.1", Message("ocs.works.has-attacked", u=u.id), "units", n)
            )
        if t.phase == "G" and u.marker != "exploit" and not u.released:
            faults.append(
                illegal(
                    "E-CBT-CAP",
                    "4.8",
                    Message("ocs.works.may-not-attack-in-exploitation", u=u.id),
                    "units",
                    n,
                )
            )
        if not world.adjacent(u.hex or "", target):
            faults.append(
                illegal(
                    "E-CBT-ADJ", "4.9.1", Message("ocs.moving.not-beside", to=u.id, hex=target), "units", n
                )
            )
        elif not could_enter(game, u, target):
            faults.append(
                illegal(
                    "E-CBT-TERRAIN", "4.9.1", Message("ocs.hauling.hex-closed", to=target, p=u.id), "units", n
                )
            )
    return faults


def could_enter(game: Game, u: Unit, target: str) -> bool:
    """4.9.1: Return True if a unit could enter the target at any cost, by road or bridge too."""
    here = u.hex or ""
    over = bridged(game, u.owner, here, target)
    return (
        world_of(game).step(here, target, u.side.mobility, ground=T.of(game).ground, bridged=over) is not None
    )


async def attack(game: Game, side: str, order: Attack) -> Fight | None:
    """4.9.1: Declare and fight an attack; units without supply are dropped, or it is cancelled (4.9.2)."""
    listed = own_units(game, side, order.units)
    faults = attack_faults(game, side, listed, order.hex)
    if len(set(order.units)) != len(order.units):
        faults.append(illegal("E-CBT-TWICE", "4.9.1", Message("ocs.works.unit-named-twice"), "units"))
    if order.ar is not None and order.ar not in order.units:
        faults.append(illegal("E-AR", "4.9.4", Message("ocs.beaches.does-not-take-part", ar=order.ar), "ar"))
    for n, id in enumerate(order.detach):
        if id not in order.units or (order.advance != "all" and id not in order.advance):
            faults.append(
                illegal("E-BRKD", "4.4.15", Message("ocs.works.does-not-advance", id=id), "detach", n)
            )
        elif fault := fault_of(game, side, id):
            faults.append(illegal("E-BRKD", "4.4.15", fault.message, "detach", n))
    if faults:
        raise Refused(faults)
    bought = plan_attack(game, side, order.units, order.dumps, order.drop_if_short)
    if bought is None:
        raise Refused([unpayable(game, side, order.units, order.dumps, "4.9.2", "units")])
    if not bought.paid:
        game.emit(AttackCancelled(side, order.hex, Message("ocs.works.no-attacker-can-be-supplied")))
        return None
    going = order.units if order.advance == "all" else () if order.advance == "none" else order.advance
    return await fight_it_out(
        game, "regular", side, order.hex, bought, order.ar, going, order.along, order.detach
    )
