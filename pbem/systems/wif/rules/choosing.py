"""4.6: Choice of method and source.

An entry that names none gets the cheapest legal one, the standing order the first allowed one. The
dry run gets every one (11.18).
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
    """Return the payer's sources for a method, by id."""
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
    """Return the plan or refusal for each source of a method that the payer controls.

    Sources that are too far away are left out without a search for longer paths.
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
    results = [r.priced(payer, u, replace(base, via=via, source=s, oos=oos)) for s in near or sources[:1]]
    r.brief = False
    return results


def _within(r: Reorganizer, sources: Sequence[str], u: Unit, rail: bool) -> list[str]:
    """Return the sources from which a path may lead to the unit."""
    if not sources or not r.world.land(u.hex or ""):
        return []
    at = _places(r, sources)
    near = r.supply.paths.near(at.values(), goal_of(u), r.supply.length(u.hex), rail)
    return [s for s, hex in at.items() if hex in near]


def best_source(r: Reorganizer, payer: str, u: Unit, way: Way) -> Plan | Refusal:
    """R-205: Return the best plan of a method.

    The cheapest, then the fewest minor-port slots, the nearest, by id.
    """
    assert way.via is not None
    results = plans(r, payer, u, way.via, oos=way.oos, way=way)
    legal = [p for p in results if isinstance(p, Plan)]
    if legal:
        return min(legal, key=lambda p: (p.cost, *_burden(p.path), p.source))
    refused = [r for r in results if isinstance(r, Refusal)]
    near = [r for r in refused if r.code not in ("E-SOURCE", "E-PATH")]
    return next(
        iter(near or refused),
        Refusal("E-SOURCE", Message("wif.choosing.has-no-source", payer=payer, via=way.via)),
    )


def nearest_source(r: Reorganizer, payer: str, u: Unit, way: Way) -> Way:
    """Return the entry with its nearest source, for a refusal that names the path's length.

    The source is the nearest overland, else one from which the sea can be reached.
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
    """Return the location of each source."""
    counters = r.board.position.counters
    return {s: Unit(r.board, s).place if s in counters else s for s in sources}


def _burden(path: Path | None) -> tuple[int, int]:
    return (0, 0) if path is None else (len(path.slots), path.cost)


def methods(r: Reorganizer, payer: str, u: Unit) -> Iterator[tuple[Via, Plan | Refusal]]:
    """Yield every method with its plan or refusal, for the dry run."""
    for via in r.world.supply["methods"]:
        yield via, r.told(payer, u, _of_method(r, payer, u, via, Way(u.id)))


def _of_method(r: Reorganizer, payer: str, u: Unit, via: Via, way: Way) -> Plan | Refusal:
    """Return the best plan of a method, from `r.known` if it was worked out for this entry."""
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
        result = _of_method(r, payer, u, via, way)
        if isinstance(result, Refusal):
            refused.append(result)
        elif best is None or result.cost < best.cost:
            best = result
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
    """Return the methods, free ones first. The rest cost the same unless a chit halves some."""
    chart: list[Via] = list(r.world.supply["methods"])
    free: list[Via] = [via for via in chart if via == "supply_unit" and r.supply.primary_hqs]
    return [*free, *(via for via in chart if via != "supply_unit")]


def _halving(r: Reorganizer) -> bool:
    """Return True if one method may be cheaper than another."""
    return not r.occasion.final and bool(T.of(r.board).position.tracks.get("chit"))


def automatic(r: Reorganizer, payer: str, order: AutoReorg) -> Iterator[tuple[Plan, bool]]:
    """4.6.18: Serve each unit in order by the first allowed method.

    Yields its plan, and True if it only lost its flag.
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
        legal = [p for p in plans(r, payer, u, via, oos=method == "oos") if isinstance(p, Plan)]
        legal = [p for p in legal if not only or p.source in only]
        for plan in sorted(legal, key=lambda p: (p.path.cost if p.path else 0, p.source)):
            if pool - plan.cost >= order.keep_rp:
                return plan
    return None
