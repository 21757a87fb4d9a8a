"""4.6.3: Effects of a legal entry: points are paid, limits counted, the unit turns up (11.18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.rules import Message

from .entries import Way
from .pieces import T, Unit, maybe_unit
from .plans import Plan, Refusal

if TYPE_CHECKING:
    from .reorganize import Reorganizer


def carry(r: Reorganizer, plan: Plan) -> bool:
    """Carry out a plan. Return True if the unit was shattered and only lost its flag."""
    o, t = r.occasion, T.of(r.board)
    t.pool[plan.payer] = t.pool.get(plan.payer, 0) - plan.cost
    o.count("spent", plan.via, plan.cost)
    if plan.isolated and t.iso_used.get(plan.source) is None:
        t.iso_used[plan.source] = o.id
    if plan.repair:
        t.damaged = tuple(h for h in t.damaged if f"port:{h}" != plan.unit)
        if plan.source in r.board.position.counters:
            o.note("served", plan.source)
        r.supply.stale()
        return False
    _count(r, plan)
    u = Unit(r.board, plan.unit)
    if plan.fuel or plan.exact_fuel:
        t.fuel[u.owner] = t.fuel.get(u.owner, 0) - plan.fuel
        o.count("fuel_sum", u.owner, plan.exact_fuel)
    o.note("reorganized", u.id)
    return turn_up(r, u)


def turn_up(r: Reorganizer, u: Unit) -> bool:
    """Turn a unit face-up, or take the flag from a shattered one, and return True for a flag."""
    if u.shattered:
        u.shattered = False
        t = T.of(r.board)
        t.cleared = (*t.cleared, u.id)
        if u.print.headquarters:
            r.supply.stale()
        return True
    u.face = "up"
    if u.type == "SUPPLY":
        r.supply.stale()
    return False


def _count(r: Reorganizer, plan: Plan) -> None:
    """Count what a plan uses of the limits."""
    o, u = r.occasion, Unit(r.board, plan.unit)
    for port in plan.path.slots if plan.path else ():
        o.count("slots", port, 1)
    if plan.via == "rail":
        t = T.of(r.board)
        t.rail_left[plan.payer] = t.rail_left.get(plan.payer, 0) - 1
    by_unit = plan.source in r.board.position.counters
    if plan.via in ("primary", "rail") and not by_unit and not plan.counts:
        if u.print.oil and u.print.arm in ("land", "air"):
            o.count("oil", plan.source, 1)
        if u.print.corps:
            o.count("corps", plan.source, 1)
    if plan.via == "secondary" or (plan.via == "rail" and plan.counts):
        o.count("secondary", plan.source, plan.counts)
    if plan.via == "limited":
        o.count("limited", plan.source, 1)
    if by_unit and plan.via in ("hq", "secondary", "rail"):
        o.count("half_sum", plan.source, plan.exact)
    if by_unit and plan.via in ("secondary", "rail"):
        o.note("served", plan.source)
    if plan.via == "hq":
        o.count("hq", plan.source, plan.counts)
        o.note("flipped", plan.source)
        Unit(r.board, plan.source).face = "down"
    if plan.via == "supply_unit":
        o.count("hq_supply", plan.source, plan.counts)
    if plan.via == "trs":
        o.note("dispensed", plan.source)
        Unit(r.board, plan.source).face = "down"


def activate(r: Reorganizer, payer: str, way: Way) -> str | Refusal:
    """4.6.13: Activate a supply unit. Return the id of its headquarters, now a primary source."""
    depot = maybe_unit(r.board, way.activate)
    if depot is None or depot.type != "SUPPLY" or depot.owner != payer or depot.down or depot.active:
        return Refusal(
            "E-PROVIDER", Message("wif.carrying.no-face-up-supply-unit", activate=way.activate, payer=payer)
        )
    here = [hq for hq in r.supply.hqs if hq.hex == depot.hex and r.world.cooperate(hq.owner, payer)]
    hqs = [hq for hq in here if way.hq in (None, hq.id)]
    if not hqs:
        return Refusal("E-SOURCE", Message("wif.carrying.no-such-headquarters", hex=depot.hex))
    depot.active = hqs[0].id
    r.supply.stale()
    return hqs[0].id
