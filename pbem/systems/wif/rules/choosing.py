"""4.6: Choice of method and source.

The cheapest legal one for an entry that names none, the first allowed for the standing order, every one for
the dry run (11.18).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.rules import Message

from .carrying import carry
from .entries import AutoReorg, Via, Way
from .paths import Path
from .pieces import T, Unit, maybe_unit
from .plans import Plan, Refusal
from .sources import Who, goal_of, who_of

if TYPE_CHECKING:
    from .reorganize import Reorganizer


def sources_of(r: Reorganizer, payer: str, who: Who, via: str) -> list[str]:
    """Return the payer's sources of the kind that a method needs, by id."""
    if via == "trs":
        return [id for id in r.transports if Unit(r.board, id).owner == payer]
    key = (payer, who, via)
    if key not in r.supply.offers:
        r.supply.offers[key] = _offered(r, payer, who, via)
    return r.supply.offers[key]


def _offered(r: Reorganizer, payer: str, who: Who, via: str) -> list[str]:
    hqs = [hq.id for hq in r.supply.hqs if hq.owner == payer]
    if via in ("hq", "supply_unit"):
        return hqs
    cities = [
        h
        for h in r.world.sites
        if (kind := r.supply.kind(h, who)) is not None
        and (kind == via or (via == "rail" and kind in ("primary", "secondary")))
        and payer in r.supply.payer_of(h, who)
    ]
    return sorted((*cities, *hqs)) if via in ("secondary", "rail") else sorted(cities)


def plans(
    r: Reorganizer, payer: str, u: Unit, via: Via, *, oos: bool = False, way: Way | None = None
) -> list[Plan | Refusal]:
    """Return the plan, or refusal, of each source of a method that the payer controls.

    Those that are too far away are told from without a search for longer paths.
    """
    base = way or Way(u.id)
    if via in ("limited", "at_sea"):
        return [r.priced(payer, u, replace(base, via=via, source=base.source, oos=False))]
    if base.source is not None:
        return [r.priced(payer, u, replace(base, via=via, oos=oos))]
    sources = [s for s in sources_of(r, payer, who_of(u), via) if s != u.id]
    if via == "rail" and r.rail_left(payer) is not None:
        sources = sources[:1]
    near = sources if via == "trs" or oos else _within(r, sources, u, via == "rail")
    r.brief = True
    found = [r.priced(payer, u, replace(base, via=via, source=s, oos=oos)) for s in near or sources[:1]]
    r.brief = False
    return found


def _within(r: Reorganizer, sources: Sequence[str], u: Unit, rail: bool) -> list[str]:
    """Return the sources from which a path may lead to the unit at all."""
    if not sources or not r.world.land(u.hex or ""):
        return []
    at = _places(r, sources)
    near = r.supply.paths.near(at.values(), goal_of(u), r.supply.length(u.hex), rail)
    return [s for s, hex in at.items() if hex in near]


def best_source(r: Reorganizer, payer: str, u: Unit, way: Way) -> Plan | Refusal:
    """R-205: Return the best source of a method.

    The cheapest, then the fewest minor-port slots, the nearest, by id.
    """
    assert way.via is not None
    found = plans(r, payer, u, way.via, oos=way.oos, way=way)
    legal = [p for p in found if isinstance(p, Plan)]
    if legal:
        return min(legal, key=lambda p: (p.cost, *_burden(p.path), p.source))
    refused = [r for r in found if isinstance(r, Refusal)]
    near = [r for r in refused if r.code not in ("E-SOURCE", "E-PATH")]
    return next(
        iter(near or refused),
        Refusal("E-SOURCE", Message("wif.choosing.has-no-source", payer=payer, via=way.via)),
    )


def nearest_source(r: Reorganizer, payer: str, u: Unit, way: Way) -> Way:
    """Return the entry with the nearest source, for a sentence about paths that are too long.

    The nearest overland, else one from which the sea can be reached.
    """
    assert way.via is not None
    at = _places(r, [s for s in sources_of(r, payer, who_of(u), way.via) if s != u.id])
    if not r.world.land(u.hex or "") or not at:
        return way
    rail = way.via == "rail"
    back = r.supply.paths.to(u.place, None, rail)
    overland = [(back[hex], s) for s, hex in at.items() if hex in back]
    if overland:
        return replace(way, source=min(overland)[1])
    by_sea = r.supply.paths.near(at.values(), goal_of(u), None, rail)
    return replace(way, source=next((s for s, hex in at.items() if hex in by_sea), way.source))


def _places(r: Reorganizer, sources: Sequence[str]) -> dict[str, str]:
    """Return the places of sources."""
    counters = r.board.position.counters
    return {s: Unit(r.board, s).place if s in counters else s for s in sources}


def _burden(path: Path | None) -> tuple[int, int]:
    return (0, 0) if path is None else (len(path.slots), path.cost)


def methods(r: Reorganizer, payer: str, u: Unit) -> Iterator[tuple[Via, Plan | Refusal]]:
    """Yield every method with its cost, or why it is illegal, for the dry run."""
    for via in r.world.supply["methods"]:
        yield via, r.told(payer, u, _of_method(r, payer, u, via, Way(u.id)))


def _of_method(r: Reorganizer, payer: str, u: Unit, via: Via, way: Way) -> Plan | Refusal:
    """Return the best that a method offers; known where it was worked out for this very entry already."""
    if r.known is None:
        return _worked_out(r, payer, u, via, way)
    key = (via, way.source, way.ports)
    if key not in r.known:
        r.known[key] = _worked_out(r, payer, u, via, way)
    return r.known[key]


def _worked_out(r: Reorganizer, payer: str, u: Unit, via: Via, way: Way) -> Plan | Refusal:
    if via in ("limited", "at_sea"):
        return r.priced(payer, u, replace(way, via=via, source=None))
    return best_source(r, payer, u, replace(way, via=via, oos=False))


def cheapest(r: Reorganizer, payer: str, u: Unit, way: Way) -> Plan | Refusal:
    """Return the cheapest plan for an entry without a method.

    The fewest points, then the order of the chart, then path and id.
    """
    best: Plan | None = None
    refused: list[Refusal] = []
    for via in _by_cost(r):
        found = _of_method(r, payer, u, via, way)
        if isinstance(found, Refusal):
            refused.append(found)
        elif best is None or found.cost < best.cost:
            best = found
        if best is not None and not _halving(r):
            break
    if best is not None:
        return best
    if way.oos:
        far = best_source(r, payer, u, replace(way, via="primary", oos=True))
        if isinstance(far, Plan):
            return far
    near = [r for r in refused if r.code in ("E-RP", "E-COOP", "E-MINOR", "E-FUEL")]
    near = near or [r for r in refused if r.code not in ("E-SOURCE", "E-ATSEA", "E-TRS", "E-RAIL", "E-PAYER")]
    return next(
        iter(near or refused),
        Refusal("E-SOURCE", Message("wif.choosing.has-no-source", payer=payer, via=u.id)),
    )


def _by_cost(r: Reorganizer) -> list[Via]:
    """Return the methods, what is free first; all others cost the same unless a chit halves something."""
    listed: list[Via] = list(r.world.supply["methods"])
    free: list[Via] = [via for via in listed if via == "supply_unit" and r.supply.primary_hqs]
    return [*free, *(via for via in listed if via != "supply_unit")]


def _halving(r: Reorganizer) -> bool:
    """Return True if some method may be cheaper than another."""
    return not r.occasion.final and bool(T.of(r.board).position.tracks.get("chit"))


def automatic(r: Reorganizer, payer: str, order: AutoReorg) -> Iterator[tuple[Plan, bool]]:
    """4.6.18: Serve each unit in order by the first allowed method.

    Yield its plan, and True if only a flag went.
    """
    for id in order.priority:
        u = maybe_unit(r.board, id)
        if u is None or r.world.side_of[u.owner] != r.side or r.barred(u, Way(id)) is not None:
            continue
        plan = _first_allowed(r, payer, u, order)
        if plan is not None:
            yield plan, carry(r, plan)


def _first_allowed(r: Reorganizer, payer: str, u: Unit, order: AutoReorg) -> Plan | None:
    pool = T.of(r.board).pool.get(payer, 0)
    for method, only in order.allowed():
        via: Via = "primary" if method == "oos" else method
        found = [p for p in plans(r, payer, u, via, oos=method == "oos") if isinstance(p, Plan)]
        found = [p for p in found if not only or p.source in only]
        for plan in sorted(found, key=lambda p: (p.path.cost if p.path else 0, p.source)):
            if pool - plan.cost >= order.keep_rp:
                return plan
    return None
