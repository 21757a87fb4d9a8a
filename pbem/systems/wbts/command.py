"""Command: modified values, ranges, rosters, spans and forces (4.3.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pbem.rules import Diagnostic, Name

from .chain import chain
from .pieces import Board, Leader, Unit, is_leader, is_unit, leader, unit, units, world_of


@dataclass(frozen=True)
class Span:
    """What one leader commands besides his roster: units, leaders; and who leaves the roster of its HQ."""

    leader: Name
    units: tuple[Name, ...] = ()
    leaders: tuple[Name, ...] = ()
    release: tuple[Name, ...] = ()


@dataclass(frozen=True)
class Modified:
    """A leader's values as they count now, and why they differ from what is printed."""

    initiative: int
    span: int
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fault:
    """What is wrong with one part of an order: a code of 4.13, the words, where."""

    code: str
    message: str
    path: tuple[str | int, ...] = ()

    def diagnostic(self, rule: str, *before: str | int) -> Diagnostic:
        """The same as a diagnostic, below a path."""
        return Diagnostic(self.code, self.message, family="illegal", path=(*before, *self.path), rule=rule)


def commanded_hq(board: Board, leader_id: str) -> Unit | None:
    """The HQ a leader commands: it must be where he is."""
    who = leader(board, leader_id)
    if who.hq is None or not who.on_map or who.hq not in board.position.counters:
        return None
    hq = unit(board, who.hq)
    return hq if hq.hex == who.hex else None


def modified(board: Board, leader_id: str, on_chain: Collection[str] | None = None) -> Modified:
    """4.3.3: three-star rules with a floor of 1, then the chain of supply with a floor of 0 (R-13).

    `on_chain` saves computing the chain of supply again for each of many leaders.
    """
    who, hq = leader(board, leader_id), commanded_hq(board, leader_id)
    initiative, span = who.initiative, who.span
    reasons: list[str] = []
    if hq is not None and who.stars == 3:
        army = hq.key == "army"
        if army or (hq.key == "cavalry_corps" and not who.cavalry):
            initiative, span = max(1, initiative - 1), max(1, span - 1)
            reasons.append("three stars with an army" if army else "three stars, no cavalryman, with cavalry")
    reached = on_chain if on_chain is not None else chain(board, who.side)
    if who.hex not in reached:
        initiative, span = max(0, initiative - 1), max(0, span - 1)
        reasons.append("not on the chain of supply")
    return Modified(initiative, span, tuple(reasons))


def roster(board: Board, hq_id: str) -> list[str]:
    """The units on the roster of an HQ, by id."""
    return [id for id in board.position.find(hq=hq_id) if is_unit(board, id)]


def command_range(board: Board, leader_id: str) -> int:
    """Hexes a leader's command reaches: 1 with an HQ, else 0."""
    return 1 if commanded_hq(board, leader_id) is not None else 0


def in_range(board: Board, leader_id: str, id: str) -> bool:
    """Whether a unit or leader is near enough to be commanded."""
    here, there = leader(board, leader_id).hex, str(board.position.counters[id].get("hex") or "")
    if not here or not there:
        return False
    return here == there or (command_range(board, leader_id) == 1 and world_of(board).adjacent(here, there))


def spans(board: Board) -> dict[str, dict[str, list[str]]]:
    """What leaders command in this segment, by leader."""
    return cast("dict[str, dict[str, list[str]]]", board.position.tracks["spans"])


def named_by(board: Board, leader_id: str, limit: int | None = None) -> tuple[list[str], list[str]]:
    """Units and leaders a leader has named; beyond `limit` the last named are left out (4.5)."""
    span = spans(board).get(leader_id, {})
    named = [(id, False) for id in span.get("units", [])] + [(id, True) for id in span.get("leaders", [])]
    kept = [(id, is_led) for id, is_led in named if id in board.position.counters]
    kept = kept if limit is None else kept[:limit]
    return [id for id, is_led in kept if not is_led], [id for id, is_led in kept if is_led]


def force(board: Board, leader_id: str, limit: int | None = None) -> tuple[str, ...]:
    """A leader's force: he, his HQ and its roster, whom he named, and the forces of leaders he named.

    `limit` is his span where it has shrunk since he named them; it does not shrink those of subordinates.
    """
    found: dict[str, bool] = {}
    _gather(board, leader_id, limit, found)
    return tuple(found)


def _gather(board: Board, leader_id: str, limit: int | None, found: dict[str, bool]) -> None:
    if leader_id in found or not leader(board, leader_id).on_map:
        return
    found[leader_id] = True
    hq = commanded_hq(board, leader_id)
    if hq is not None:
        found[hq.id] = True
        found.update(dict.fromkeys(roster(board, hq.id), True))
    named, subordinates = named_by(board, leader_id, limit)
    found.update(dict.fromkeys(named, True))
    for other in subordinates:
        _gather(board, other, None, found)


# legality of spans


def span_faults(board: Board, side: str, listed: tuple[Span, ...]) -> list[Fault]:
    """Everything wrong with the spans of one command segment, by E-SPAN codes; paths begin with the index."""
    reached = chain(board, side) if listed else frozenset()
    seen: dict[str, str] = {}
    faults: list[Fault] = []
    for n, span in enumerate(listed):
        faults += [
            Fault(f.code, f.message, (n, *f.path)) for f in _one_span(board, side, span, reached, seen)
        ]
    return faults


def _one_span(
    board: Board, side: str, span: Span, reached: Collection[str], seen: dict[str, str]
) -> Iterator[Fault]:
    if not is_leader(board, span.leader) or leader(board, span.leader).side != side:
        yield Fault("E-SPAN-3", f"{span.leader} is no leader of {side}", ("leader",))
        return
    who = leader(board, span.leader)
    if not who.on_map or f"span of {who.id}" in seen:
        what = "is not on the map" if not who.on_map else "is given two spans"
        yield Fault("E-SPAN-3" if not who.on_map else "E-SPAN-2", f"{who.id} {what}", ("leader",))
        return
    seen[f"span of {who.id}"] = who.id
    values = modified(board, who.id, reached)
    yield from _releases(board, side, span)
    for n, id in enumerate(span.units):
        if (fault := unit_fault(board, who, span, id)) is not None:
            yield Fault(fault.code, fault.message, ("units", n))
        yield from _named_twice(seen, who.id, id, ("units", n))
    for n, id in enumerate(span.leaders):
        if (fault := leader_fault(board, who, id)) is not None:
            yield Fault(fault.code, fault.message, ("leaders", n))
        yield from _named_twice(seen, who.id, id, ("leaders", n))
    count = len(span.units) + len(span.leaders)
    if count > values.span:
        why = f" ({', '.join(values.reasons)})" if values.reasons else ""
        yield Fault("E-SPAN-1", f"{who.id} names {count}, his command span is {values.span}{why}")


def _named_twice(seen: dict[str, str], who: str, id: str, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if id in seen:
        yield Fault("E-SPAN-2", f"{id} is named by {seen[id]} and by {who}", path)
    seen.setdefault(id, who)


def _releases(board: Board, side: str, span: Span) -> Iterator[Fault]:
    for n, id in enumerate(span.release):
        on_it = is_unit(board, id) and unit(board, id).side == side and unit(board, id).hq is not None
        if not on_it:
            yield Fault("E-SPAN-4", f"{id} is on no roster of {side}", ("release", n))


def unit_fault(board: Board, who: Leader, span: Span, id: str) -> Fault | None:
    """Why a leader cannot name a unit: first reason by the order of the codes."""
    if not is_unit(board, id) or unit(board, id).side != who.side or not unit(board, id).known:
        return Fault("E-SPAN-3", f"{id} is no unit of {who.side} on the map")
    named = unit(board, id)
    if not in_range(board, who.id, id):
        reach = "in his hex or beside it" if command_range(board, who.id) else "in his hex"
        return Fault("E-SPAN-3", f"{id} in {named.hex} is out of range of {who.id}, who commands {reach}")
    hq = commanded_hq(board, who.id)
    if named.is_static:
        return Fault("E-SPAN-9", f"{id} is a {named.row.name}, which nobody commands")
    if named.is_naval or named.is_hq:
        return Fault("E-SPAN-9", f"{id}: ships and HQs are not named by their own")
    if hq is not None and hq.key == "corps" and named.type == "cavalry":
        return Fault("E-SPAN-7", f"{who.id} commands an infantry corps and cannot command the cavalry {id}")
    if hq is not None and hq.key == "cavalry_corps" and named.type not in ("cavalry", "supply_train"):
        return Fault(
            "E-SPAN-8", f"{who.id} commands a cavalry corps: cavalry and supply trains only, not {id}"
        )
    if named.hq is not None and id not in span.release:
        return Fault("E-SPAN-4", f"{id} is on the roster of {named.hq}")
    return None


def leader_fault(board: Board, who: Leader, id: str) -> Fault | None:
    """Why a leader cannot name a leader."""
    if (
        not is_leader(board, id)
        or leader(board, id).side != who.side
        or not leader(board, id).on_map
        or id == who.id
    ):
        return Fault("E-SPAN-3", f"{id} is no other leader of {who.side} on the map")
    hq = commanded_hq(board, who.id)
    if hq is None or hq.key != "army":
        return Fault("E-SPAN-5", f"{who.id} commands no army HQ and so no leaders")
    if not in_range(board, who.id, id):
        return Fault("E-SPAN-3", f"{id} in {leader(board, id).hex} is out of range of {who.id}")
    other = commanded_hq(board, id)
    if other is not None and other.key == "army" and leader(board, id).stars >= who.stars:
        return Fault("E-SPAN-6", f"{id} commands an army and has as many stars as {who.id}, or more")
    return None


def legal_spans(board: Board, side: str, listed: tuple[Span, ...]) -> tuple[Span, ...]:
    """What is left of spans when illegal names are dropped; the last named go where the span is too small."""
    reached = chain(board, side)
    seen: dict[str, str] = {}
    kept: list[Span] = []
    for span in listed:
        bare = Span(span.leader)
        if any(_one_span(board, side, bare, reached, dict(seen))):
            continue
        release = tuple(
            id
            for n, id in enumerate(span.release)
            if not any(fault.path == ("release", n) for fault in _releases(board, side, span))
        )
        who = leader(board, span.leader)
        trimmed = Span(span.leader, (), (), release)
        named = [id for id in span.units if id not in seen and unit_fault(board, who, trimmed, id) is None]
        led = [id for id in span.leaders if id not in seen and leader_fault(board, who, id) is None]
        most = modified(board, who.id, reached).span
        named = list(dict.fromkeys(named))[:most]
        led = list(dict.fromkeys(led))[: max(0, most - len(named))]
        seen[f"span of {who.id}"] = who.id
        seen.update(dict.fromkeys([*named, *led], who.id))
        kept.append(Span(span.leader, tuple(named), tuple(led), release))
    return tuple(kept)


def as_track(listed: tuple[Span, ...]) -> dict[str, Any]:
    """Spans as the track keeps them."""
    return {
        s.leader: {"units": list(s.units), "leaders": list(s.leaders)} for s in listed if s.units or s.leaders
    }


def from_track(track: Mapping[str, Mapping[str, list[str]]]) -> tuple[Span, ...]:
    """The spans of the track as an order."""
    return tuple(
        Span(who, tuple(s.get("units", [])), tuple(s.get("leaders", []))) for who, s in track.items()
    )


def able(board: Board, side: str) -> list[Leader]:
    """Land leaders of a side on the map, by id."""
    from .pieces import leaders

    return [each for each in leaders(board, side) if not each.naval]


def roster_room(board: Board, hq_id: str) -> int:
    """How many more units fit on the roster of an HQ."""
    return unit(board, hq_id).row.capacity - len(roster(board, hq_id))


def roster_faults(board: Board, side: str) -> Iterator[str]:
    """Rosters that are over capacity, hold the wrong type, or are not where their HQ is."""
    for hq in units(board, side):
        if not hq.is_hq:
            continue
        members = [unit(board, id) for id in roster(board, hq.id)]
        if len(members) > hq.row.capacity:
            yield f"{hq.id} has {len(members)} units on its roster, at most {hq.row.capacity}"
        for each in members:
            if each.hex != hq.hex:
                yield f"{each.id} is on the roster of {hq.id}, which is in {hq.hex}, not {each.hex}"
            if hq.key == "cavalry_corps" and each.type != "cavalry":
                yield f"{each.id} ({each.type}) cannot be on the roster of {hq.id}"
