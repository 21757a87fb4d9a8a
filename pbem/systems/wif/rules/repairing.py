"""4.6.7: Repair of damaged ports."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.rules import Message

from .choosing import sources_of
from .entries import Way
from .paths import Goal, NoPath
from .pieces import T, controller, held_by, maybe_unit, port_damaged
from .plans import Plan, Refusal
from .sources import Who

if TYPE_CHECKING:
    from .reorganize import Reorganizer


def repair(r: Reorganizer, payer: str, way: Way, hex: str) -> Plan | Refusal:
    """4.6.7: Plan the repair of a damaged port. It counts as a unit of its controller (R-107)."""
    port, power = r.world.sites.get(hex), controller(r.board, hex)
    if port is None or port.port is None or power is None or not held_by(r.board, hex, r.side):
        return Refusal("E-UNIT", Message("wif.repairing.no-port-of-side", hex=hex))
    if not port_damaged(r.board, hex):
        return Refusal("E-FACEUP", Message("wif.repairing.port-not-damaged", hex=hex))
    if way.via is None or way.source is None:
        return _best_repair(r, payer, way, power)
    who, source = Who(power, None), way.source
    hq = maybe_unit(r.board, source)
    if hq is None and source not in r.world.index:
        return Refusal("E-SOURCE", Message("wif.drafting.no-source", source=source))
    owners = (hq.owner,) if hq is not None else r.supply.payer_of(source, who)
    if payer not in owners:
        return Refusal("E-PAYER", Message("wif.reorganize.does-not-control", payer=payer, source=source))
    if not r.world.cooperate(power, payer):
        return Refusal("E-COOP", Message("wif.battle.does-not-cooperate", owner=power, power=payer))
    if way.via not in ("primary", "secondary"):
        return Refusal("E-SOURCE", Message("wif.repairing.port-not-repaired-via", via=way.via))
    if hq is not None:
        refused = (
            r.secondary_hq(hq, None)
            if way.via == "secondary"
            else Refusal("E-SOURCE", Message("wif.repairing.no-primary-city", source=source))
        )
        if refused is not None:
            return refused
    elif r.supply.kind(source, who) != way.via:
        return Refusal("E-SOURCE", Message("wif.repairing.not-source-for-port", source=source, via=way.via))
    at = hq.place if hq is not None else source
    if not r.supply.source_in_supply(source, at, who):
        return Refusal("E-SUPPLY", Message("wif.reorganize.not-in-supply", hex=source))
    isolated = r.isolation(source, who) if way.via == "primary" else False
    if isinstance(isolated, Refusal):
        return isolated
    limit = r.supply.length(hex)
    path = r.find(payer, at, Goal(hex, repair=True), way, limit, False)
    if isinstance(path, NoPath):
        return r.no_path(path, hex)
    cost = int(r.world.turn["repair"][port.port])
    have = T.of(r.board).pool.get(payer, 0)
    if cost > have:
        return Refusal("E-RP", Message("wif.reorganize.has-rps-left", payer=payer, have=have, cost=cost))
    return Plan(
        payer,
        f"port:{hex}",
        way.via,
        source,
        cost,
        replace(path, slots=()),
        limit,
        isolated=isolated,
        repair=True,
    )


def _best_repair(r: Reorganizer, payer: str, way: Way, power: str) -> Plan | Refusal:
    refused: Refusal | None = None
    for via in ("primary", "secondary") if way.via is None else (way.via,):
        for source in sources_of(r, payer, Who(power, None), via):
            plan = r.judge(payer, replace(way, via=via, source=source))
            if isinstance(plan, Plan):
                return plan
            refused = refused or plan
    return refused or Refusal("E-SOURCE", Message("wif.choosing.has-no-source", payer=payer, via=way.unit))
