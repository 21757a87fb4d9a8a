"""4.10: Barrage of troops, facilities and ships, by artillery, ships, aircraft, coastal guns (4.12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

from pbem.kit.faults import illegal
from pbem.kit.odds import Modifier
from pbem.rules import Board, Game, Message, Refused, dataclass, roll

from ..actions import Fire
from ..bases import lose_plane_step, sink
from ..events.fighting import (
    AircraftChecked,
    Barraged,
    BecameDisorganized,
    FacilityBarraged,
    ShipFiredAt,
    ShipLost,
)
from ..moving import stop
from ..pieces import Ship, T, Unit, maybe_unit, planes, ships, units, world_of
from ..sealing import note_attack
from ..supply.payments import Payment, plan, settle, tell, why_short
from ..supply.reach import Net, available
from ..views import hides, secret, shown
from ..walk import own_units
from ..world import World
from .casualties import loss_order, strike
from .losses import by_free_rule, make_dg
from .strength import hedgehog, hex_terrains, rnd

Data = Any


@dataclass(frozen=True)
class Shot:
    """Weapons that fire: their total strength, kind, and the shifts they cause."""

    side: str
    units: tuple[str, ...]
    by: str
    strength: int
    shifts: tuple[Modifier, ...] = ()
    strategic: bool = False


def band(upper: Sequence[int | None], value: int) -> int:
    """Return the number of the column for a value, by the upper bounds of the columns."""
    return next(n for n, most in enumerate(upper) if most is None or value <= most)


def density(board: Board, hex: str, side: str) -> Fraction:
    """4.10 step 4: Return the RE in the hex; a multi-step unit or one formation counts 3 at most."""
    most = Fraction(world_of(board).numbers["density_cap_re"])
    groups: dict[str, Fraction] = {}
    total = Fraction(0)
    for u in units(board, side, hex):
        if u.formation is not None:
            groups[u.formation] = groups.get(u.formation, Fraction(0)) + u.re
        else:
            total += min(most, u.re) if u.print.multi_step else u.re
    return total + sum((min(most, value) for value in groups.values()), Fraction(0))


def spotted(board: Board, side: str, hex: str) -> bool:
    """Return True if there is a correct spotter: a combat unit of the firing side beside the target."""
    return any(units(board, side, near) for near in world_of(board).beside(hex))


def terrain_shift(world: World, hex: str) -> Modifier | None:
    """Return the shift of the terrain in the hex that gives most cover, or None."""
    chart, rows = world.tables["barrage"]["shifts"], []
    for kind in hex_terrains(world, hex):
        row = world.combat["hex"][kind]["row"]
        if row in ("close", "very_close"):
            rows.append(Modifier(row.replace("_", " "), "4.10", int(chart["close_or_very_close"])))
        if row == "extremely_close":
            rows.append(
                Modifier(Message("ocs.barrage.extremely-close"), "4.10", int(chart["extremely_close"]))
            )
    return min(rows, key=lambda m: m.value, default=None)


def shifts(board: Board, shot: Shot, hex: str) -> list[Modifier]:
    """4.10 step 4: Return the shifts of the column, each with its reason."""
    world = world_of(board)
    chart, enemy = world.tables["barrage"], world.enemy(shot.side)
    own: Data = chart["shifts"]
    re = density(board, hex, enemy)
    dense = next(row["shift"] for row in chart["density"] if row["re_max"] is None or re <= row["re_max"])
    listed = [Modifier(Message("ocs.barrage.density-re", re=re), "4.10", int(dense))]
    if hedgehog(board, hex, enemy):
        listed.append(Modifier("hedgehog", "4.10", int(own["hedgehog_any_level"])))
    if (shield := terrain_shift(world, hex)) is not None:
        listed.append(shield)
    if shot.strategic or not spotted(board, shot.side, hex):
        listed.append(Modifier(Message("ocs.barrage.no-spotter"), "4.10", int(own["no_correct_spotter"])))
    if any(u.marker == "strat" for u in units(board, enemy, hex)):
        listed.append(Modifier("Strat Mode", "4.10", int(own["any_unit_in_strat_mode"])))
    return [m for m in [*listed, *shot.shifts] if m.value]


def reduced(board: Board, shot: Shot, hex: str, code: str) -> str:
    """4.10 steps 5 and 7: Return the code of a result, reduced for weapon, hedgehog and spotter."""
    world = world_of(board)
    if shot.by == "ship":
        return str(world.tables["barrage"]["barrage"]["ship_vs_ground"].get(code, code))
    if code == "q":
        deep = hedgehog(board, hex, world.enemy(shot.side)) >= 3
        unseen = shot.strategic or not spotted(board, shot.side, hex)
        return "D" if deep or shot.by != "artillery" or unseen else "h"
    return code


async def at_troops(game: Game, shot: Shot, hex: str, paid: int = 0) -> None:
    """4.10 steps 4 and 5: Fire at the combat units of a hex."""
    world, enemy = world_of(game), world_of(game).enemy(shot.side)
    note_attack(game, enemy)
    chart = world.tables["barrage"]["barrage"]
    first = band(chart["upper"], shot.strength)
    moved = shifts(game, shot, hex)
    at = max(0, min(len(chart["label"]) - 1, first + sum(m.value for m in moved)))
    dice = await roll("2d6", "barrage", hex)
    half = await roll("1d6", "half", hex)
    code = chart["rows"][str(dice.total)][at]
    worth = reduced(game, shot, hex, code)
    lost = (
        1
        if worth == "h" and half.total >= chart["half_loses_at_least"]
        else int(worth)
        if worth.isdigit()
        else 0
    )
    result = chart["codes"][code] + (
        "" if worth == code else Message("ocs.barrage.counts-as", codes=chart["codes"][worth])
    )
    pool = units(game, enemy, hex)
    wanted = await loss_order(game, enemy, hex, pool, lost) if lost else ()
    ids = by_free_rule(pool, lost, wanted)
    game.emit(
        Barraged(
            shot.side, hex, shown(game, shot.units), shot.by, shot.strength, chart["label"][first],
            chart["label"][at], secret(game, paid, 0), dice, half, result, len(ids), _public(game, moved),
        )
    )  # fmt: skip
    for id in ids:
        strike(game, Unit(game, id), "barrage")
    if worth != "-" and units(game, enemy, hex):
        fresh = make_dg(game, enemy, hex)
        if fresh:
            game.emit(BecameDisorganized(enemy, shown(game, fresh), hex))


def _public(game: Game, moved: Sequence[Modifier]) -> tuple[Modifier, ...]:
    """7.2: Return the shifts to report; with fog, the shift for density does not show the RE."""
    if not hides(game):
        return tuple(moved)
    return tuple(replace(m, name="density") if m.name.startswith("density") else m for m in moved)


async def at_facility(game: Game, shot: Shot, hex: str, target: str, paid: int = 0) -> None:
    """4.10 step 6: Fire at an air base, a port or, from the air, a railroad."""
    world, t = world_of(game), T.of(game)
    chart, enemy = world.tables["barrage"]["facility"], world.enemy(shot.side)
    at = band(chart["upper"], shot.strength)
    die = await roll("1d6", "facility", hex)
    text = chart["rows"][str(die.total)][at]
    body, _, check = text.partition("(")
    hits, needed = int(body.strip("x-") or 0), int(check.rstrip(")") or 0)
    effect = "nothing"
    if target == "trainbusting" and "x" in body:
        t.busted[hex] = shot.side
        effect = Message("ocs.barrage.railroad-cut")
    elif target == "air_base" and (base := t.bases.get(hex)) is not None:
        level = max(1, base.level - hits) if base.level else 0
        effect = f"level {level}"
        t.bases[hex] = replace(base, level=level)
    elif target == "port" and (port := t.ports.get(hex)) is not None:
        t.ports[hex] = replace(port, hits=min(int(world.numbers["port_hits_most"]), port.hits + hits))
        effect = f"{t.ports[hex].hits} hits"
    top = chart["upper"][at]
    label = f"{(chart['upper'][at - 1] or 0) + 1 if at else 0}-{top if top else ''}"
    game.emit(
        FacilityBarraged(
            shot.side, hex, shown(game, shot.units), target, shot.strength, label, secret(game, paid, 0), die,
            text, effect,
        )
    )  # fmt: skip
    for plane in planes(game, enemy, hex) if target == "air_base" and needed else ():
        loss = await roll("1d6", "plane", plane.id)
        hit = loss.total >= needed
        game.emit(AircraftChecked(enemy, plane.id, loss, needed, int(hit)))
        if hit:
            lose_plane_step(plane)


async def at_sea(game: Game, shot: Shot, id: str, doubled: int = 1) -> None:
    """4.12.3, 4.12.5: Fire at a ship, or at a coastal gun as if it were a ship."""
    gun = maybe_unit(game, id)
    if gun is not None:
        await _at_gun(game, shot, gun, doubled)
    else:
        await at_ship(game, shot, Ship(game, id), doubled)


async def _at_gun(game: Game, shot: Shot, gun: Unit, doubled: int) -> None:
    """4.12.5: Fire at a coastal gun; DG has no effect, a step loss eliminates it."""
    chart = world_of(game).tables["barrage"]["barrage"]
    strength, hex = shot.strength * doubled, gun.hex or ""
    first = band(chart["upper"], strength)
    at = max(0, min(len(chart["label"]) - 1, first + sum(m.value for m in shot.shifts)))
    dice, half = await roll("2d6", "naval", gun.id), await roll("1d6", "half", gun.id)
    code = chart["rows"][str(dice.total)][at]
    hit = code.isdigit() or (code == "h" and half.total >= chart["half_loses_at_least"])
    labels = (chart["label"][first], chart["label"][at])
    effect = "eliminated" if hit else "nothing"
    words = chart["codes"][code]
    game.emit(
        ShipFiredAt(
            shot.side, gun.id, hex, shown(game, shot.units), strength, *labels, dice, half, words, effect
        )
    )
    while hit and gun.there:
        strike(game, gun, Message("ocs.barrage.naval-fire"))


async def at_ship(game: Game, shot: Shot, target: Ship, doubled: int = 1) -> None:
    """4.12.3, 4.12.4: Fire at one ship: strength divided by protection, DG, hits."""
    world = world_of(game)
    chart = world.tables["barrage"]["barrage"]
    strength = rnd(Fraction(shot.strength * doubled, max(1, target.hull.protection)))
    first = band(chart["upper"], strength)
    allowed = [m for m in shot.shifts if m.value]
    at = max(0, min(len(chart["label"]) - 1, first + sum(m.value for m in allowed)))
    dice = await roll("2d6", "naval", target.id)
    half = await roll("1d6", "half", target.id)
    code = chart["rows"][str(dice.total)][at]
    hits = (
        int(code)
        if code.isdigit()
        else 1
        if code == "h" and half.total >= chart["half_loses_at_least"]
        else 0
    )
    hex = target.hex or ""
    effect = "nothing"
    if code != "-":
        effect = "DG"
        for _ in range(hits):
            _hit(game, target, hex)
        if target.there:
            if target.dg:
                target.dg = False
                _hit(game, target, hex)
                effect = "hit"
            else:
                target.dg = True
        if hits:
            effect = f"{hits} hits"
    game.emit(
        ShipFiredAt(
            shot.side, target.id, hex, shown(game, shot.units), strength, chart["label"][first],
            chart["label"][at], dice, half,
            chart["codes"][code], effect,
        )
    )  # fmt: skip


def _hit(game: Game, target: Ship, hex: str) -> None:
    if not target.there:
        return
    if target.hits:
        owner = target.owner
        sink(game, target)
        game.emit(ShipLost(owner, target.id, hex, "sunk"))
    else:
        target.hits = 1


Target = tuple[Literal["units", "air_base", "port", "ship"], str, str | None]


def artillery(game: Game, side: str, segment: str) -> list[Unit]:
    """4.7.1, 4.6, 4.8: Return the artillery that may fire in this segment."""
    guns = []
    for u in units(game, side):
        if not u.side.barrage or u.barraged or u.marker == "strat" or u.hex is None:
            continue
        if u.marker == "reserve" or (segment == "all_barrage" and not u.released):
            continue
        guns.append(u)
    return guns


async def fire(game: Game, side: str, segment: str, order: Fire) -> None:
    """4.10: Fire artillery or ships at a hex."""
    sea = {s.id: s for s in ships(game, side)}
    if order.units and all(id in sea for id in order.units):
        await _ships_fire(game, side, segment, order, [sea[id] for id in order.units])
    else:
        await _guns_fire(game, side, segment, order)


def _coastal(game: Game, side: str, hex: str, id: str | None) -> bool:
    """4.12.5: Return True if the id names a coastal gun of the side in the hex, at which ships may fire."""
    u = maybe_unit(game, id)
    return u is not None and u.owner == side and u.hex == hex and "coastal" in u.print.flags


def target_faults(game: Game, side: str, hex: str, target: str, ship: str | None) -> list[Any]:
    """Return the faults of a target: it was fired at in this phase, or is not there."""
    t, enemy = T.of(game), world_of(game).enemy(side)
    faults = []
    if target == "ship" and ship in t.targeted:
        faults.append(
            illegal("E-BRG-HEX", "4.12.3", Message("ocs.barrage.fired-in-phase", ship=ship), "ship")
        )
    if target != "ship" and hex in t.barraged:
        faults.append(illegal("E-BRG-HEX", "4.10", Message("ocs.barrage.barraged-in-phase", hex=hex), "hex"))
    there: dict[str, bool] = {
        "units": bool(units(game, enemy, hex)),
        "air_base": hex in t.bases and t.bases[hex].owner == enemy,
        "port": hex in t.ports and t.ports[hex].owner == enemy,
        "ship": any(s.id == ship for s in ships(game, enemy, hex)) or _coastal(game, enemy, hex, ship),
        "trainbusting": hex in world_of(game).on("railroad"),
    }
    if not there[target]:
        faults.append(
            illegal("E-BRG-RANGE", "4.10", Message("ocs.barrage.no-such-target", hex=hex), "target")
        )
    return faults


@dataclass(frozen=True)
class Salvo:
    """4.10: The strength of firing guns, its cost in T, and the payments."""

    strength: int
    cost: int
    net: Net | None
    payments: tuple[Payment, ...] = ()


def plan_salvo(game: Game, side: str, segment: str, order: Fire) -> Salvo:
    """4.10 steps 1 to 3: Plan a salvo without spending anything. Raises `Refused` with all faults."""
    world, listed = world_of(game), own_units(game, side, order.units)
    coastal = order.target == "ship" and all("coastal" in u.print.flags for u in listed)
    if order.target == "ship" and not coastal:
        raise stop("E-BRG-RANGE", "4.12.5", Message("ocs.barrage.only-coastal-guns-fire-ships"), "target")
    able = {u.id for u in (listed if coastal else artillery(game, side, segment))}
    if segment == "air_naval" and not coastal:
        able = set()
    faults = target_faults(game, side, order.hex, order.target, order.ship)
    for n, u in enumerate(listed):
        if u.barraged or u.id in order.units[:n]:
            faults.append(
                illegal("E-BRG-TWICE", "4.10", Message("ocs.barrage.has-fired", u=u.id), "units", n)
            )
        elif u.id not in able:
            faults.append(
                illegal(
                    "E-BRG-PHASE", "4.10", Message("ocs.barrage.may-not-fire-in-segment", u=u.id), "units", n
                )
            )
        elif not 1 <= world.distance(u.hex or "", order.hex) <= u.print.range:
            faults.append(
                illegal("E-BRG-RANGE", "4.10", Message("ocs.air.out-of-range", hex=order.hex, id=u.id), "hex")
            )
    strength = rnd(sum((gun_strength(u) for u in listed), Fraction(0)))
    if strength < 1:
        faults.append(illegal("E-BRG-ZERO", "4.10", Message("ocs.barrage.they-have-no-strength"), "units"))
    if faults:
        raise Refused(faults)
    if coastal:
        return Salvo(strength, 0, None)
    chart = world.tables["barrage"]["facility" if order.target in ("air_base", "port") else "barrage"]
    cost = int(chart["cost_T"][band(chart["upper"], strength)])
    net = Net(game, side, trace=False)
    return Salvo(strength, cost, net, tuple(plan_barrage(net, listed, cost, order)))


async def _guns_fire(game: Game, side: str, segment: str, order: Fire) -> None:
    salvo = plan_salvo(game, side, segment, order)
    if salvo.net is not None:
        settle(salvo.net, salvo.payments)
        tell(game, side, "barrage", order.hex, salvo.payments)
    for id in order.units:
        Unit(game, id).barraged = True
    _mark_target(T.of(game), order)
    shot = Shot(side, tuple(order.units), "artillery", salvo.strength)
    await _aim(game, shot, order, salvo.cost)


def _mark_target(t: T, order: Fire) -> None:
    """4.10, 4.12.3: Mark the target: it can be barraged once in a phase."""
    if order.target != "ship":
        t.barraged = (*t.barraged, order.hex)
    elif order.ship is not None:
        t.targeted = (*t.targeted, order.ship)


async def _aim(game: Game, shot: Shot, order: Fire, paid: int) -> None:
    if order.target == "units":
        await at_troops(game, shot, order.hex, paid)
    elif order.target == "ship":
        await at_sea(game, shot, order.ship or "")
    else:
        await at_facility(game, shot, order.hex, order.target, paid)


def gun_strength(u: Unit) -> Fraction:
    """Return the barrage strength that shows, halved if DG."""
    value = Fraction(u.side.barrage or 0)
    return value * Fraction(world_of(u.board).combat["strength"]["mode_dg"]) if u.marker == "dg" else value


def plan_barrage(net: Net, listed: Sequence[Unit], cost: int, order: Fire) -> list[Payment]:
    """4.10 step 3: Plan to pay from a dump that all can draw, or an HQ that serves all.

    Raises `Refused`.
    """
    first, formation = listed[0], _own(net, listed, order)
    common = _common(net, listed, organic=formation is not None)
    for hex in common if order.hq is None else ():
        if order.dumps and hex not in order.dumps:
            continue
        near = net.usable(first.hex or "", first, organic=formation is not None, drawn_only=True)
        if available(net, [s for s in near if s.hex == hex], formation) >= cost:
            return plan(net, first.hex or "", cost, first, dumps=(hex,), drawn_only=True) or []
    for hq in _servers(net, listed):
        if order.hq not in (None, hq.id):
            continue
        at, own = hq.hex or "", formation is not None
        payments = plan(net, at, cost, hq, dumps=order.dumps, formation=formation, drawn_only=True, loads=own)
        if payments is not None:
            return [replace(payment, hq=hq.id, to=first.hex or "") for payment in payments]
    named = maybe_unit(net.board, order.hq)
    if named is not None and named.marker == "strat":
        raise stop("E-SUP-HQ-STRAT", "4.10", Message("ocs.barrage.named-in-strat-mode", named=named.id), "hq")
    if order.dumps or not common:
        raise Refused([why_short(net, first.hex or "", cost, first, order.dumps, "4.10", "dumps")])
    raise stop(
        "E-SUP-SHORT", "4.10", Message("ocs.barrage.one-hq-or-dump-must-serve-them", cost=cost), "dumps"
    )


def _own(net: Net, listed: Sequence[Unit], order: Fire) -> str | None:
    """4.0.5: Return the formation of all that fire, if the loads of its organic trucks may be used."""
    own = listed[0].formation
    used = bool(order.dumps) or net.side in T.of(net.board).uses_organic
    return own if used and all(u.formation == own for u in listed) else None


def _common(net: Net, listed: Sequence[Unit], *, organic: bool) -> list[str]:
    """R-104: Return the dumps that all can draw directly, nearest to all together first."""
    costs = [
        {s.hex: s.cost for s in net.usable(u.hex or "", u, organic=organic, drawn_only=True)} for u in listed
    ]
    common = set.intersection(*(set(reach) for reach in costs)) if costs else set()
    return sorted(common, key=lambda hex: (sum(reach[hex] for reach in costs), hex))


def _servers(net: Net, listed: Sequence[Unit]) -> list[Unit]:
    """R-104: Return the HQs that can throw to all, by the cost of throw and draw."""
    ranked: list[tuple[int, str, Unit]] = []
    able = [{hq.id for hq in net.hqs(u)} for u in listed[1:]]
    for hq in net.hqs(listed[0]):
        if any(hq.id not in others for others in able):
            continue
        thrown = [cost[1] for u in listed if (cost := net.throws(hq, u.hex or "")) is not None]
        drawn = [s.cost for s in net.usable(hq.hex or "", hq, drawn_only=True)]
        if len(thrown) == len(listed):
            ranked.append((sum(thrown) + min(drawn, default=0), hq.id, hq))
    return [hq for _, _, hq in sorted(ranked, key=lambda entry: entry[:2])]


def _screened(game: Game, enemy: str, order: Fire, listed: Sequence[Ship]) -> list[Any]:
    """4.12.6: Return the fault of ships that aim at a carrier while another enemy ship is in range."""
    world = world_of(game)
    target = next((s for s in ships(game, enemy) if s.id == order.ship), None)
    if order.target != "ship" or target is None or not target.print.carrier:
        return []
    far = min((s.hull.range for s in listed), default=0)
    near = [
        s.id
        for s in ships(game, enemy)
        if s.id != target.id and world.distance(listed[0].hex or "", s.hex or "") <= far
    ]
    return (
        [
            illegal(
                "E-BRG-RANGE",
                "4.12.6",
                Message("ocs.barrage.screens", near=near[0], target=target.id),
                "ship",
            )
        ]
        if near
        else []
    )


def ship_faults(game: Game, side: str, segment: str, order: Fire, listed: Sequence[Ship]) -> list[Any]:
    """4.12.2: Return all faults of fire by ships."""
    world, t = world_of(game), T.of(game)
    faults = target_faults(game, side, order.hex, order.target, order.ship)
    if segment == "artillery":
        faults.append(
            illegal("E-BRG-PHASE", "4.12.2", Message("ocs.barrage.ships-do-not-fire-in-segment"), "units")
        )
    faults += _screened(game, world.enemy(side), order, listed)
    for s in listed:
        if s.fired or (order.target != "ship" and s.shore_turn == t.turn):
            faults.append(illegal("E-BRG-TWICE", "4.12.2", Message("ocs.barrage.has-fired", u=s.id), "units"))
        if s.hex not in world.terrains or not 1 <= world.distance(s.hex or "", order.hex) <= s.hull.range:
            faults.append(
                illegal(
                    "E-BRG-RANGE", "4.12.2", Message("ocs.air.out-of-range", hex=order.hex, id=s.id), "hex"
                )
            )
    if broadside(game, listed) < 1:
        faults.append(illegal("E-BRG-ZERO", "4.10", Message("ocs.barrage.they-have-no-strength"), "units"))
    return faults


def broadside(game: Game, listed: Sequence[Ship]) -> int:
    """Return the barrage strength of ships together; DG ships count half."""
    half = Fraction(world_of(game).combat["strength"]["mode_dg"])
    return rnd(sum((s.hull.barrage * (half if s.dg else Fraction(1)) for s in listed), Fraction(0)))


async def _ships_fire(game: Game, side: str, segment: str, order: Fire, listed: list[Ship]) -> None:
    faults = ship_faults(game, side, segment, order, listed)
    if faults:
        raise Refused(faults)
    t = T.of(game)
    for s in listed:
        s.fired = True
        if order.target != "ship":
            s.shore_turn = t.turn
    _mark_target(t, order)
    shot = Shot(side, tuple(s.id for s in listed), "ship", broadside(game, listed))
    await _aim(game, shot, order, 0)
