"""Options besides plain moves, fire and attacks: transport, construction, ships, releases.

Each is tried on a copy of the board, so that every option offered is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from pbem.kit.paths import entered, flood
from pbem.kit.ways import ways
from pbem.rules import Game, Message, Part, Points

from ..actions import (
    Action,
    Assault,
    Blow,
    Build,
    Combine,
    Detach,
    Embark,
    Extend,
    Fire,
    Fuel,
    Haul,
    HaulStep,
    Land,
    Mission,
    Move,
    Naval,
    Overrun,
    Rail,
    Regroup,
    Release,
    Ship,
    Stand,
    Step,
)
from ..allowances import movement_allowance
from ..bases import bases_of
from ..consolidation import pairs
from ..drops import plan_of
from ..moving import bridged, can_move, fuelled, holds_enemy_things, trainbusted, unit_ways
from ..pieces import Craft, T, Unit, craft, extenders, planes, points, ships, units, world_of
from ..pieces import Points as Carriers
from ..pieces import Ship as Vessel
from ..supply.trace import port_capacity, rail_heads, settled
from ..works import in_leg_range
from ..world import ALL
from ..zones import Ground

if TYPE_CHECKING:
    from .loop import Acting

Offer = tuple[Action, str, Points]
Offers = Iterator[Offer]


def legal(d: Acting, offers: Iterable[Offer]) -> Offers:
    """Yield the offers that are legal on the present board."""
    for offer in offers:
        if not d.faults(Part("actions", offer[0])):
            yield offer


def hq_fuel(d: Acting, of: str | None) -> Offers:
    """Yield fuel for HQs, which serves independent units in their throw."""
    for hq in units(d.game, d.player):
        if hq.is_hq and d.concerns(of, hq.id) and hq.hex in world_of(d.game).terrains:
            order = Fuel(hq=hq.id)
            yield from legal(
                d, [(Action(fuel=order), Message("ocs.loop.fuel", name=hq.id), Points((hq.id,)))]
            )


def overruns(d: Acting, of: str | None) -> Offers:
    """Yield overruns by stacks and single units of each enemy hex in reach, by the cheapest path."""
    world = world_of(d.game)
    foes = sorted({u.hex or "" for u in units(d.game, world.enemy(d.player)) if u.hex in world.terrains})
    for hex in sorted({u.hex or "" for u in units(d.game, d.player) if u.hex in world.terrains}):
        able = [u for u in units(d.game, d.player, hex) if _overruns(d, u)]
        groups = [able, *([u] for u in able)] if len(able) > 1 else [able]
        for group in groups:
            if not group or not any(d.concerns(of, u.id) for u in group):
                continue
            slow = min(group, key=lambda u: (movement_allowance(u), u.id))
            free = slow.marker == "reserve"
            far = {path[-1]: (cost, path) for path, cost in unit_ways(d.game, slow, released=free)}
            near = {hex: (Fraction(0), ()), **far}
            for target in foes:
                paths = [near[n] for n in world.beside(target) if n in near]
                if paths:
                    yield from legal(d, [_overrun(d.game, group, min(paths)[1], target)])


def _overruns(d: Acting, u: Unit) -> bool:
    if d.segment != "movement" and u.marker == "reserve":
        return u.side.strength is not None
    return not can_move(d.game, u) and u.attack_capable and u.marker in ("none", "exploit")


def _overrun(game: Game, group: list[Unit], way: tuple[str, ...], target: str) -> Offer:
    ids = tuple(u.id for u in group)
    fuel = None if all(fuelled(game, u) for u in group) else "single"
    step = Step(to=way, overrun=Overrun(target))
    order = Move(ids, steps=(step,), fuel=fuel, release=any(u.marker == "reserve" for u in group))  # type: ignore[arg-type]
    return (
        Action(move=order),
        Message("ocs.offers.overrun", ids=tuple(ids), target=target),
        Points(ids, way=way, end=target, kind="attack"),
    )


def strat_moves(d: Acting, of: str | None) -> Offers:
    """Yield changes to Strat Mode, and Strat moves to villages, cities, own dumps and HQs."""
    world, t = world_of(d.game), T.of(d.game)
    wanted = {hex for hex, dump in t.dumps.items() if dump.owner == d.player}
    wanted |= {hex for hex in world.terrains if settled(d.game, hex)}
    wanted |= {u.hex or "" for u in units(d.game, d.player) if u.is_hq}
    for u in units(d.game, d.player):
        if not d.concerns(of, u.id) or u.hex not in world.terrains or can_move(d.game, u):
            continue
        if u.marker != "strat":
            stand = Action(stand=Stand((u.id,), "move", "strat"))
            yield from legal(d, [(stand, Message("ocs.offers.stands-move-strat", u=u.id), Points((u.id,)))])
            continue
        fuel = None if fuelled(d.game, u) else "single"
        for path, cost in unit_ways(d.game, u):
            if path[-1] in wanted:
                move = Move((u.id,), path, fuel=fuel)  # type: ignore[arg-type]
                where = Points((u.id,), way=path, cost=(("MP", -int(-cost // 1)),))
                yield from legal(
                    d,
                    [
                        (
                            Action(move=move),
                            Message("ocs.loop.moves", u=u.id, hex=path[-1], fuel=False, released=False),
                            where,
                        )
                    ],
                )


def works(d: Acting, of: str | None) -> Offers:
    """Yield work on hedgehogs, air bases and ports: by engineers within two hexes, by others in their hex."""
    t = T.of(d.game)
    for u in units(d.game, d.player):
        if not d.concerns(of, u.id) or u.hex not in world_of(d.game).terrains or can_move(d.game, u):
            continue
        if u.engineer:
            sites = [(u.hex or "", "hedgehog"), (u.hex or "", "air_base"), (u.hex or "", "strip")]
            sites += [(hex, "port") for hex in sorted(t.ports) if hex in world_of(d.game).terrains]
            sites = [site for site in sites if site[0] == u.hex or in_leg_range(d.game, u, site[0])]
        else:
            sites = [(u.hex or "", "hedgehog")] if u.re >= 1 and u.marker == "none" else []
        for hex, work in sites:
            for reduce in (False, True):
                order = Build((u.id,), work, hex, reduce)  # type: ignore[arg-type]
                words = f"{u.id} {'reduces' if reduce else 'builds'} {work.replace('_', ' ')} {hex}"
                yield from legal(d, [(Action(build=order), words, Points((u.id,), end=hex))])


def hauls(d: Acting, of: str | None) -> Offers:
    """Yield moves of points, with or without loads, and Reserve for organic trucks."""
    t = T.of(d.game)
    for p in points(d.game, d.player):
        if not d.concerns(of, p.id) or p.hex not in world_of(d.game).terrains or p.done or p.rode:
            continue
        if t.phase != "C" and p.marker != "reserve":
            continue
        free = t.phase != "C"
        dump = t.dumps.get(p.hex or "")
        loadable = dump.t - dump.fresh if dump is not None and dump.owner == d.player else 0
        most = min(p.capacity - p.load, loadable)
        trips: list[tuple[tuple[HaulStep, ...], tuple[str, ...], str]] = []
        if most:
            trips.append(((HaulStep(load=most),), (), Message("ocs.offers.loads-t", p=p.id, t=most)))
        if p.load:
            trips.append(
                ((HaulStep(unload=p.load),), (), Message("ocs.offers.unloads-t", p=p.id, load=p.load))
            )
        for path in _points_ways(d.game, p):
            plain = Action(haul=Haul((p.id,), path, release=free))
            offer = (
                plain,
                Message("ocs.loop.moves", u=p.id, hex=path[-1], fuel=False, released=False),
                Points((p.id,), way=path),
            )
            yield from legal(d, [offer]) if t.simulcast else [offer]
            if p.organic_of is None and _unloads_at(d.game, d.player, path[-1]):
                if p.load:
                    brings = HaulStep(to=path, unload=p.load)
                    trips.append(
                        ((brings,), path, Message("ocs.offers.brings-t", p=p.id, load=p.load, path=path[-1]))
                    )
                if most:
                    brings = HaulStep(to=path, unload=p.load + most)
                    trips.append(
                        (
                            (HaulStep(load=most), brings),
                            path,
                            Message("ocs.offers.brings-t", p=p.id, load=p.load + most, path=path[-1]),
                        )
                    )
        for steps, path, words in trips:
            order = Haul((p.id,), steps=steps, release=free)
            yield from legal(d, [(Action(haul=order), words, Points((p.id,), way=path))])
        if p.organic_of is not None and t.phase == "C" and p.marker == "none":
            order = Haul((p.id,), reserve=True)
            yield from legal(
                d, [(Action(haul=order), Message("ocs.offers.into-reserve", p=p.id), Points((p.id,)))]
            )


def _unloads_at(game: Game, side: str, hex: str) -> bool:
    t = T.of(game)
    owned = (t.dumps.get(hex), t.ports.get(hex), t.bases.get(hex))
    return bool(units(game, side, hex)) or any(
        facility is not None and facility.owner == side for facility in owned
    )


def _points_ways(game: Game, p: Carriers) -> Iterator[tuple[str, ...]]:
    """Yield the cheapest path to each hex that points can reach."""
    world, t, ground = world_of(game), T.of(game), Ground(game, p.owner)
    limit = int((Fraction(p.ma, 2 if t.phase == "E" else 1) - p.spent) * world.scale)

    def cost(a: str, b: str) -> int | None:
        if ground.enemy_in(b) or not world.land(b) or holds_enemy_things(game, p.owner, b):
            return None
        step = world.step(a, b, p.mobility, ground=t.ground, bridged=bridged(game, p.owner, a, b))
        if step is None or step == ALL:
            return None
        return step + (world.scale if trainbusted(game, p.owner, b, p.mobility) else 0)

    stop = ground.open_zoc if p.mobility == "truck" else None
    yield from ways(world, p.hex or "", cost, limit, stop=stop).values()


def regroups(d: Acting, of: str | None) -> Offers:
    """Yield ways to combine or divide points of one type in one hex."""
    listed = [p for p in points(d.game, d.player) if p.hex in world_of(d.game).terrains and not p.done]
    for n, p in enumerate(listed):
        if not d.concerns(of, p.id):
            continue
        if p.points > 1:
            order = Regroup((p.id,), (1, p.points - 1))
            yield from legal(
                d,
                [
                    (
                        Action(regroup=order),
                        Message("ocs.offers.leaves-1-point-behind", p=p.id),
                        Points((p.id,)),
                    )
                ],
            )
        for other in listed[n + 1 :]:
            if (other.hex, other.type, other.organic_of) == (p.hex, p.type, p.organic_of):
                order = Regroup((p.id, other.id), (p.points + other.points,))
                words = Message("ocs.offers.and-together", p=p.id, other=other.id)
                yield from legal(d, [(Action(regroup=order), words, Points((p.id, other.id)))])


def rails(d: Acting, of: str | None) -> Offers:
    """Yield units, and T on the ground, to send by rail to each hex that trains reach."""
    world, t = world_of(d.game), T.of(d.game)
    heads = rail_heads(d.game, d.player, cargo=True)
    cap = int(world.oob[d.player].get("rail_cap", 0)) * world.point_T - t.rail_used
    if cap <= 0:
        return
    origins = {*heads, *t.arrived, *(u.hex or "" for u in units(d.game, d.player) if u.entrained)}
    for start in sorted(origins & set(world.on("railroad"))):
        paths = [path for end, path in sorted(_rail_ways(d.game, d.player, start).items()) if end in heads]
        for u in units(d.game, d.player, start):
            if d.concerns(of, u.id) and (u.facing, u.marker) == ("move", "none"):
                for path in paths:
                    order = Rail(path, units=(u.id,))
                    words = Message("ocs.offers.by-rail", u=u.id, path=path[-1])
                    yield from legal(d, [(Action(rail=order), words, Points((u.id,), way=path))])
        dump = t.dumps.get(start)
        load = min(int(cap), dump.t - dump.fresh) if dump is not None and dump.owner == d.player else 0
        if load > 0 and of in (None, start):
            for path in paths:
                order = Rail(path, tokens=load, origin=start)
                words = Message("ocs.offers.t-by-rail", load=load, start=start, path=path[-1])
                yield from legal(d, [(Action(rail=order), words, Points(way=path, cost=(("T", load),)))])


def _rail_ways(game: Game, side: str, start: str) -> dict[str, tuple[str, ...]]:
    """Return the shortest rail path to each hex, around enemies, their zones and foreign settlements."""
    world, t, ground = world_of(game), T.of(game), Ground(game, side)

    def beside(here: str) -> Iterator[str]:
        for to in world.linked("railroad", here):
            closed = ground.enemy_in(to) or to in ground.zoc
            if not closed and not (settled(game, to) and t.control.get(to) != side):
                yield to

    reached = flood([start], beside)
    return {end: entered(reached, end) for end in reached if end != start}


def cargoes(d: Acting, of: str | None) -> Offers:
    """Yield T and units to ship from port to port."""
    world, t = world_of(d.game), T.of(d.game)
    cap = int(world.oob[d.player].get("sea_cap", 0)) * world.point_T - t.sea_used
    own = [hex for hex, port in sorted(t.ports.items()) if port.owner == d.player]
    if cap <= 0:
        return
    for start in own:
        dump = t.dumps.get(start)
        endless = world.boxes.get(start, {}).get("supplies") == "infinite"
        there = int(cap) if endless else dump.t - dump.fresh if dump is not None else 0
        for to in own:
            room = min(port_capacity(d.game, hex) - t.ports[hex].used for hex in (start, to))
            load = min(there, int(cap), int(room))
            if to != start and load > 0 and of in (None, start, to):
                order = Ship(to, start, tokens=load)
                words = Message("ocs.offers.t-by-sea", load=load, start=start, to=to)
                yield from legal(d, [(Action(ship_cargo=order), words, Points(end=to, cost=(("T", load),)))])
            for u in units(d.game, d.player, start) if to != start else ():
                if d.concerns(of, u.id):
                    order = Ship(to, start, units=(u.id,))
                    words = Message("ocs.offers.by-sea", u=u.id, to=to)
                    yield from legal(
                        d, [(Action(ship_cargo=order), words, Points((u.id,), end=to, kind="move"))]
                    )


def extenders_(d: Acting, of: str | None) -> Offers:
    """Yield Extenders to form of five points, to turn back into points, or to collapse."""
    size = int(world_of(d.game).numbers["extender_points"])
    for p in points(d.game, d.player):
        if p.points == size and p.organic_of is None and d.concerns(of, p.id):
            order = Extend(form=(p.id,))
            yield from legal(
                d, [(Action(extender=order), Message("ocs.offers.becomes-extender", p=p.id), Points((p.id,)))]
            )
    for e in extenders(d.game, d.player):
        if d.concerns(of, e.id):
            listed = (
                (Extend(revert=e.id), Message("ocs.offers.becomes-points-again", extender=e.id)),
                (Extend(collapse=e.id), Message("ocs.offers.collapses", extender=e.id)),
            )
            for order, words in listed:
                yield from legal(d, [(Action(extender=order), words, Points((e.id,)))])


def breakdowns(d: Acting, of: str | None) -> Offers:
    if not world_of(d.game).oob[d.player].get("breakdowns"):
        return
    for u in units(d.game, d.player):
        if u.print.multi_step and d.concerns(of, u.id):
            order = Detach(u.id)
            yield from legal(
                d,
                [
                    (
                        Action(breakdown=order),
                        Message("ocs.offers.leaves-step-behind", u=u.id),
                        Points((u.id,)),
                    )
                ],
            )


def combined(d: Acting, of: str | None) -> Offers:
    """4.3.5: Yield combinations of reduced aircraft."""
    for order in pairs(d.game, d.player):
        both = (order.unit, order.removed or "")
        if of is None or of in both:
            words = Message("ocs.offers.become-one", first=both[0], second=both[1])
            yield from legal(d, [(Action(combine=Combine(both)), words, Points(both))])


def blown(d: Acting, of: str | None) -> Offers:
    """Yield each of the side's dumps, to blow up whole."""
    for hex, dump in sorted(T.of(d.game).dumps.items()):
        if dump.owner == d.player and of in (None, hex):
            order = Blow(hex, dump.t)
            words = Message("ocs.offers.blow-t", t=dump.t, hex=hex)
            yield from legal(d, [(Action(blow=order), words, Points(end=hex, cost=(("T", dump.t),)))])


def releases(d: Acting, of: str | None) -> Offers:
    """4.6, 4.8: Yield units to release from Reserve without a move."""
    for u in units(d.game, d.player):
        if u.marker == "reserve" and d.concerns(of, u.id):
            order = Release((u.id,))
            yield from legal(
                d, [(Action(release=order), Message("ocs.offers.released", u=u.id), Points((u.id,)))]
            )


def flights(d: Acting, of: str | None) -> Offers:
    """Yield transfers of aircraft, loads of T and units by air, and planned drops."""
    t, bases = T.of(d.game), sorted(bases_of(d.game, d.player))
    for p in planes(d.game, d.player):
        if not p.active or p.flew or not d.concerns(of, p.id):
            continue
        loads: list[tuple[str, Mission, str]] = []
        for hex in bases:
            if hex != p.hex:
                loads.append(
                    (hex, Mission("transfer", (p.id,), hex), Message("ocs.offers.transfers", p=p.id, hex=hex))
                )
        if p.print.capacity[0]:
            dump = t.dumps.get(p.hex or "")
            most = min(int(2 * p.capacity), dump.t - dump.fresh) if dump and dump.owner == d.player else 0
            for hex in bases if most > 0 else ():
                if hex != p.hex:
                    order = Mission("transport", (p.id,), hex, tokens=most)
                    loads.append((hex, order, Message("ocs.offers.flies-t", p=p.id, most=most, hex=hex)))
            for u in units(d.game, d.player, p.hex):
                loads += [
                    (
                        hex,
                        Mission("transport", (p.id,), hex, units=(u.id,)),
                        Message("ocs.offers.flies-unit", p=p.id, u=u.id, hex=hex),
                    )
                    for hex in bases
                    if hex != p.hex
                ]
                if (plan := plan_of(d.game, u.id)) is not None and plan.turn <= t.turn:
                    order = Mission("drop", (p.id,), plan.hex, units=(u.id,))
                    loads.append((plan.hex, order, Message("ocs.offers.drops", p=p.id, u=u.id, hex=plan.hex)))
        for hex, order, words in loads:
            yield from legal(d, [(Action(air=order), words, Points((p.id,), end=hex, kind="move"))])


def raids(d: Acting, of: str | None) -> Offers:
    """Yield barrages of bases, ports and ships by aircraft, guns and ships; trainbusting."""
    world, t = world_of(d.game), T.of(d.game)
    enemy = world.enemy(d.player)
    targets: list[tuple[str, str, str | None]] = []
    targets += [(hex, "air_base", None) for hex, base in sorted(t.bases.items()) if base.owner == enemy]
    targets += [
        (hex, "port", None)
        for hex, port in sorted(t.ports.items())
        if port.owner == enemy and hex in world.terrains
    ]
    targets += [(s.hex or "", "ship", s.id) for s in ships(d.game, enemy) if s.hex in world.terrains]
    flown = d.segment != "artillery"
    for p in planes(d.game, d.player) if flown else ():
        if not p.active or p.flew or not p.wing.barrage or not d.concerns(of, p.id):
            continue
        rails = sorted(h for h in world.on("railroad") if t.control.get(h) == enemy and h not in t.busted)
        listed = [Mission("barrage", (p.id,), hex, target, ship) for hex, target, ship in targets]  # type: ignore[arg-type]
        listed += [Mission("trainbusting", (p.id,), hex) for hex in rails]
        for order in listed:
            words = Message(
                "ocs.loop.flies",
                plane=p.id,
                hex=order.hex,
                mission=order.kind if order.kind == "trainbusting" else order.target,
            )
            yield from legal(
                d,
                [(Action(air=order), words.replace("_", " "), Points((p.id,), end=order.hex, kind="attack"))],
            )
    guns = [u.id for u in units(d.game, d.player) if u.side.barrage or "coastal" in u.print.flags]
    for id in [*guns, *(s.id for s in ships(d.game, d.player))]:
        for hex, target, ship in targets if d.concerns(of, id) else ():
            shot = Fire((id,), hex, target, ship)  # type: ignore[arg-type]
            words = Message("ocs.offers.fires", id=id, hex=hex, ship=ship or target.replace("_", " "))
            yield from legal(d, [(Action(fire=shot), words, Points((id,), end=hex, kind="attack"))])


def voyages(d: Acting, of: str | None) -> Offers:
    """Yield moves of ships and Landing Craft, by the shortest path."""
    world = world_of(d.game)
    most = int(world.tables["ships"]["movement"]["move_per_phase"])
    listed: list[Vessel | Craft] = [*ships(d.game, d.player), *craft(d.game, d.player)]
    for s in listed:
        if not d.concerns(of, s.id) or s.hex is None or s.spent >= most:
            continue
        for path in _sea_ways(d.game, d.player, s.hex, most - int(s.spent), afloat=isinstance(s, Craft)):
            order = Naval((s.id,), path)
            yield from legal(
                d,
                [
                    (
                        Action(naval=order),
                        Message("ocs.offers.sails", s=s.id, path=path[-1]),
                        Points((s.id,), way=path),
                    )
                ],
            )


def _sea_ways(game: Game, side: str, start: str, far: int, *, afloat: bool) -> Iterator[tuple[str, ...]]:
    world, t = world_of(game), T.of(game)
    first = (
        sorted(world.shore)
        if start in world.boxes and afloat
        else world.beside(start)
        if start in world.terrains
        else ()
    )

    def wet(to: str) -> bool:
        port = t.ports.get(to)
        return world.sea(to) or (port is not None and port.owner == side)

    reached = flood([start], lambda here: filter(wet, first if here == start else world.beside(here)), far)
    yield from (entered(reached, end) for end in reached if end != start)


def landings(d: Acting, of: str | None) -> Offers:
    """4.12.7: Yield loads for Landing Craft in their port or box, and landings of their cargo."""
    world = world_of(d.game)
    for c in craft(d.game, d.player):
        if not d.concerns(of, c.id) or c.hex is None or c.done:
            continue
        for u in units(d.game, d.player, c.hex):
            order = Embark((c.id,), (u.id,))
            yield from legal(
                d,
                [
                    (
                        Action(embark=order),
                        Message("ocs.offers.goes-aboard", u=u.id, c=c.id),
                        Points((c.id, u.id)),
                    )
                ],
            )
        full = Embark((c.id,), tokens=c.capacity - c.load)
        if full.tokens > 0:
            yield from legal(
                d,
                [
                    (
                        Action(embark=full),
                        Message("ocs.offers.loads-t", p=c.id, t=full.tokens),
                        Points((c.id,)),
                    )
                ],
            )
        coasts = [c.hex, *(world.beside(c.hex) if c.hex in world.terrains else ())]
        aboard = tuple(id for id, fields in sorted(c.cargo.items()) if fields["kind"] != "transport")
        for hex in coasts if aboard or c.load else ():
            for shore in (Land((c.id,), hex, aboard), Land((c.id,), hex, tokens=c.load)):
                if shore.units or shore.tokens:
                    words = Message(
                        "ocs.offers.lands",
                        c=c.id,
                        units=", ".join(shore.units) or f"{shore.tokens} T",
                        hex=hex,
                    )
                    yield from legal(d, [(Action(land=shore), words, Points((c.id,), end=hex, kind="move"))])


def assaults(d: Acting, of: str | None) -> Offers:
    """4.12.7: Yield assaults by units aboard on coasts beside their craft."""
    world = world_of(d.game)
    for c in craft(d.game, d.player):
        aboard = tuple(id for id, fields in sorted(c.cargo.items()) if fields["kind"] != "transport")
        if not aboard or c.hex not in world.terrains or not d.concerns(of, c.id):
            continue
        for hex in world.beside(c.hex or ""):
            if units(d.game, world.enemy(d.player), hex):
                order = Assault((c.id,), hex, aboard)
                words = Message("ocs.offers.assault-beach", aboard=tuple(aboard), hex=hex)
                yield from legal(d, [(Action(assault=order), words, Points((c.id,), end=hex, kind="attack"))])


MOVEMENT = (
    strat_moves, hq_fuel, overruns, works, hauls, regroups, rails, cargoes, extenders_, breakdowns, blown,
    flights, voyages, landings, combined,
)  # fmt: skip
BY_SEGMENT = {
    "movement": MOVEMENT,
    "reaction": (hq_fuel, overruns, releases, hauls, breakdowns, blown, flights, voyages, combined),
    "exploitation": (hq_fuel, overruns, releases, hauls, breakdowns, blown, flights, voyages, combined),
    "air_naval": (raids, combined),
    "artillery": (raids, combined),
    "all_barrage": (raids, releases, combined),
    "combat": (assaults, releases, combined),
}
