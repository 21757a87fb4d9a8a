"""Fuel, construction, blowing dumps, Breakdowns, attacks declared (4.4.5 to 4.4.15, 4.9.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Refused, roll

from .actions import Attack, Blow, Build, Detach, Fuel
from .combat import fight_it_out, pay_attack
from .events.fighting import AttackCancelled
from .events.moving import BreakdownMade, Built, DumpBlown, Fuelled
from .moving import bridged, can_move, stop
from .pieces import Base, T, Unit, Works, maybe_unit, points, total_re, units, world_of
from .reach import Net, available, pay, take
from .strength import rnd
from .walk import own_units

# 4.4.5


def buy_fuel(game: Game, side: str, order: Fuel) -> None:
    """4.4.5 Fuel for a formation from one provider, or for an HQ and the independent units in its throw."""
    if (order.formation is None) == (order.hq is None):
        raise stop("E-FUEL", "4.4.5", "fuel is for a formation or for an HQ")
    if order.hq is not None:
        _fuel_hq(game, side, order)
    else:
        _fuel_formation(game, side, order)


def _fuel_hq(game: Game, side: str, order: Fuel) -> None:
    t, cost = T.of(game), int(world_of(game).supply["costs"]["fuel_hq"])
    hq = maybe_unit(game, order.hq)
    if hq is None or hq.owner != side or not hq.is_hq:
        raise stop("E-FUEL", "4.4.5", f"{order.hq} is no HQ of yours", "hq")
    done = pay(Net(game, side, trace=False), hq.hex or "", cost, hq, dumps=order.dumps)
    if done is None:
        raise stop("E-SUP-SHORT", "4.4.5", "not enough supply in reach", "dumps")
    t.fuelled = (*t.fuelled, hq.id)
    game.emit(Fuelled(side, "hq", (hq.id,), cost, ", ".join(p.hex for p in done)))


def _fuel_formation(game: Game, side: str, order: Fuel) -> None:
    """The provider that reaches most units of the formation, unless one is named."""
    world, net = world_of(game), Net(game, side, trace=False)
    cost, formation = int(world.supply["costs"]["fuel_formation"]), order.formation or ""
    members = [u for id in world.formations.get(formation, ()) if (u := maybe_unit(game, id)) is not None]
    members = [u for u in members if u.owner == side]
    if not members:
        raise stop("E-FUEL", "4.4.5", f"{formation} has no unit on the map", "formation")
    organic = bool(order.dumps)
    served: dict[str, list[str]] = {}
    for u in members:
        for s in net.usable(u.hex or "", u, organic=organic):
            if order.dumps and s.hex not in order.dumps:
                continue
            served.setdefault(s.hq or s.hex, []).append(u.id)
        for hq in net.hqs(u):
            found = net.usable(hq.hex or "", hq, formation=formation, organic=organic)
            if (
                net.throws(hq, u.hex or "") is not None
                and available(net, found)
                and u.id not in served.get(hq.id, ())
            ):
                served.setdefault(hq.id, []).append(u.id)
    if order.provider is not None:
        served = {name: ids for name, ids in served.items() if name == order.provider}
    for name in sorted(served, key=lambda name: (-len(served[name]), name)):
        provider = maybe_unit(game, name)
        where = provider.hex or "" if provider is not None else Unit(game, served[name][0]).hex or ""
        dumps = order.dumps if provider is not None else (name,)
        done = pay(Net(game, side, trace=False), where, cost, provider, dumps=dumps, formation=formation)
        if done is None:
            continue
        for id in sorted(set(served[name])):
            Unit(game, id).fuelled = True
        ids = tuple(sorted(set(served[name])))
        game.emit(Fuelled(side, formation, ids, cost, f"{name}: {', '.join(p.hex for p in done)}"))
        return
    raise stop("E-SUP-SHORT", "4.4.5", "not enough supply in reach", "dumps")


# 4.4.7


def build(game: Game, side: str, order: Build) -> None:
    """4.4.7 One task for units that do not move; the result is there at once."""
    world, t = world_of(game), T.of(game)
    listed = own_units(game, side, order.units)
    worker = listed[0]
    faults = [f for u in listed for f in can_move(game, u)]
    faults += [illegal("E-BUILD-MODE", "4.4.7", f"{u.id} has moved", "units") for u in listed if u.spent]
    if worker.engineer and len(listed) == 1:
        if not in_leg_range(game, worker, order.hex):
            faults.append(
                illegal("E-BUILD-RANGE", "4.4.7", f"{order.hex} is out of reach of {worker.id}", "hex")
            )
    else:
        faults += _hands_faults(listed, order)
    faults += _work_faults(game, side, order)
    if faults:
        raise Refused(faults)
    cost = 0 if order.reduce else _work_cost(game, order)
    if cost:
        done = pay(Net(game, side, trace=False), worker.hex or "", cost, worker, dumps=order.dumps)
        if done is None:
            raise stop("E-SUP-SHORT", "4.4.7", f"{cost} T are not in reach of {worker.id}", "dumps")
    _finish(t, side, order)
    for u in listed:
        u.done = True
    assert world.land(order.hex)
    how = f"{'reduced' if order.reduce else 'built'}: {order.work}"
    game.emit(Built(side, tuple(u.id for u in listed), order.hex, how, cost))


def _hands_faults(listed: list[Unit], order: Build) -> list[Diagnostic]:
    """Units that are no engineers: 1 RE in plain Combat Mode in the hex; a hedgehog, or to reduce."""
    found = []
    plain = all(u.facing == "combat" and u.marker == "none" and u.hex == order.hex for u in listed)
    if not plain or total_re(listed) < 1:
        found.append(illegal("E-BUILD-MODE", "4.4.7", "wanted 1 RE in plain Combat Mode in the hex", "units"))
    if order.work != "hedgehog" and not order.reduce:
        found.append(illegal("E-BUILD-MODE", "4.4.7", f"only engineers build an {order.work}", "work"))
    return found


def in_leg_range(game: Game, u: Unit, hex: str) -> bool:
    """R-11 Within two hexes on foot, zones ignored, not through enemies or closed terrain."""
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
    found = []
    tracks = {"air_base": t.bases, "strip": t.bases, "hedgehog": t.hedgehogs, "port": t.ports}
    there = tracks[order.work].get(order.hex)  # type: ignore[attr-defined]
    if there is not None and there.worked:
        found.append(illegal("E-BUILD-ONCE", "4.4.7", f"{order.hex} was worked on in this turn", "hex"))
    if there is not None and there.owner != side:
        found.append(
            illegal("E-BUILD-MODE", "4.4.7", f"the {order.work} in {order.hex} is the enemy's", "hex")
        )
    if order.work == "strip" and (
        there is not None or order.reduce or not world_of(game).scenario.get("strips")
    ):
        found.append(illegal("E-BUILD-MODE", "4.4.7", "no air strip can be built there", "work"))
    most = {"air_base": numbers["base_most"], "hedgehog": numbers["hedgehog_most"]}.get(order.work)
    level = getattr(there, "level", 0)
    if order.work == "port":
        hits = getattr(there, "hits", None)
        if (
            hits is None
            or (hits == 0 and not order.reduce)
            or (order.reduce and hits >= numbers["port_hits_most"])
        ):
            found.append(illegal("E-BUILD-MAX", "4.4.7", f"nothing to do at {order.hex}", "hex"))
    elif order.reduce and (there is None or (order.work == "air_base" and level <= 1)):
        found.append(illegal("E-BUILD-MAX", "4.4.7", f"nothing to reduce in {order.hex}", "hex"))
    elif not order.reduce and most is not None and level >= most:
        found.append(illegal("E-BUILD-MAX", "4.4.7", f"the {order.work} is at its highest level", "hex"))
    return found


def _finish(t: T, side: str, order: Build) -> None:
    """4.4.7 What the work has done."""
    by = -1 if order.reduce else 1
    if order.work == "air_base":
        old = t.bases.get(order.hex)
        t.bases[order.hex] = (
            replace(old, level=old.level + by, worked=True) if old else Base(side, 1, worked=True)
        )
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


# 4.4.11


async def blow(game: Game, side: str, order: Blow) -> None:
    """4.4.11 Blow up part of what lies in a hex: the die says how much of it goes."""
    t = T.of(game)
    dump = t.dumps.get(order.hex)
    loaded = sum(p.load for p in points(game, side, order.hex))
    ground = dump.t if dump is not None and dump.owner == side else 0
    if dump is not None and dump.blown:
        raise stop("E-BLOW-ONCE", "4.4.11", f"the dump in {order.hex} was blown in this phase", "hex")
    if not 0 < order.tokens <= ground + loaded:
        raise stop("E-SUP-SHORT", "4.4.11", f"there are {ground + loaded} T in {order.hex}", "tokens")
    die = await roll("1d6", "blow", order.hex)
    percent = int(world_of(game).supply["blow"][str(die.total)])
    gone = rnd(Fraction(order.tokens * percent, 100))
    for p in points(game, side, order.hex):
        p.load, gone_here = max(0, p.load - max(0, gone - ground)), 0
        assert gone_here == 0
    take(game, side, order.hex, min(gone, ground))
    left = t.dumps.get(order.hex)
    if left is not None:
        t.dumps[order.hex] = replace(left, blown=True)
    game.emit(DumpBlown(side, order.hex, order.tokens, die, gone))


# 4.4.15


def detach(game: Game, side: str, order: Detach) -> None:
    """4.4.15 A Breakdown from the scenario's pool takes a step of its division."""
    pool = world_of(game).oob[side].get("breakdowns", ())
    parent = maybe_unit(game, order.parent)
    if parent is None or parent.owner != side or not parent.print.multi_step or parent.steps < 2:
        raise stop("E-BRKD", "4.4.15", f"{order.parent} cannot leave a step behind", "parent")
    if parent.print.category != "other" or parent.done:
        raise stop("E-BRKD", "4.4.15", f"{order.parent} may not detach now", "parent")
    free = [row for row in pool if maybe_unit(game, row["id"]) is None and int(row["ar"]) <= parent.print.ar]
    if not free:
        raise stop("E-BRKD", "4.4.15", "no Breakdown is left in the pool", "parent")
    row = free[0]
    parent.lost += 1
    made = Unit.add(
        game, row["id"], owner=side, kind="breakdown", hex=parent.hex, printed=dict(row),
        facing=parent.facing, marker=parent.marker,
        internal=parent.internal, oos=parent.oos, parent=parent.id, start=parent.start,
    )  # fmt: skip
    game.emit(BreakdownMade(side, parent.id, made.id, parent.hex or ""))


# 4.9.1


def attack_faults(game: Game, side: str, listed: Sequence[Unit], target: str) -> list[Diagnostic]:
    """4.9.1 Everything against an attack but its supply."""
    world, t = world_of(game), T.of(game)
    found = []
    if target not in world.terrains or not units(game, world.enemy(side), target):
        found.append(illegal("E-CBT-EMPTY", "4.9.1", f"no enemy combat unit in {target}", "hex"))
    if target in t.attacked:
        found.append(illegal("E-CBT-HEX", "4.9.1", f"{target} was attacked in this segment", "hex"))
    for n, u in enumerate(listed):
        if not u.attack_capable:
            found.append(illegal("E-CBT-CAP", "4.9.1", f"{u.id} cannot attack", "units", n))
        if u.attacked:
            found.append(illegal("E-CBT-TWICE", "4.9.1", f"{u.id} has attacked", "units", n))
        if t.phase == "G" and u.marker != "exploit" and not u.released:
            found.append(illegal("E-CBT-CAP", "4.8", f"{u.id} may not attack in Exploitation", "units", n))
        if not world.adjacent(u.hex or "", target):
            found.append(illegal("E-CBT-ADJ", "4.9.1", f"{u.id} is not beside {target}", "units", n))
        elif not could_enter(game, u, target):
            found.append(illegal("E-CBT-TERRAIN", "4.9.1", f"{target} is closed to {u.id}", "units", n))
    return found


def could_enter(game: Game, u: Unit, target: str) -> bool:
    """4.9.1 Roads and bridges count; ALL is no bar."""
    here = u.hex or ""
    over = bridged(game, u.owner, here, target)
    return (
        world_of(game).step(here, target, u.side.mobility, ground=T.of(game).ground, bridged=over) is not None
    )


async def attack(game: Game, side: str, order: Attack) -> None:
    """4.9.1 Declare and fight an attack; what cannot be paid is dropped, or cancels it (4.9.2)."""
    listed = own_units(game, side, order.units)
    faults = attack_faults(game, side, listed, order.hex)
    if len(set(order.units)) != len(order.units):
        faults.append(illegal("E-CBT-TWICE", "4.9.1", "a unit is named twice", "units"))
    if order.ar is not None and order.ar not in order.units:
        faults.append(illegal("E-AR", "4.9.4", f"{order.ar} does not take part", "ar"))
    if faults:
        raise Refused(faults)
    tried = pay_attack(game.copy(), side, order.units, order.dumps, order.drop_if_short)
    if tried is None:
        raise stop("E-SUP-SHORT", "4.9.2", "not enough supply for the attack", "units")
    if not tried[0]:
        game.emit(AttackCancelled(side, order.hex, "no attacker can be supplied"))
        return
    going = order.units if order.advance == "all" else () if order.advance == "none" else order.advance
    await fight_it_out(
        game, "regular", side, order.hex, order.units, order.ar, order.dumps, order.drop_if_short, going
    )
