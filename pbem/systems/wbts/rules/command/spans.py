"""Command spans: whom a leader may name, and what is wrong with the names of a segment (4.3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from pbem.kit.faults import illegal, under
from pbem.rules import Board, Diagnostic, Name, dataclass

from ..chain import chain
from ..pieces import Leader, leader, leaders, own_leader, own_unit, units, world_of
from ..tracks import T
from .forces import able, commanded_hq, commands_army, in_range, modified

RULE = "4.3.3"


@dataclass(frozen=True)
class Span:
    """What one leader commands besides his roster: units, leaders; and who leaves the roster of its HQ."""

    leader: Name
    units: tuple[Name, ...] = ()
    leaders: tuple[Name, ...] = ()
    release: tuple[Name, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.units, *self.leaders)


Spans = tuple[Span, ...]
Longer = tuple[str, Span, str]
"""Who may be named besides, the span with that name, words."""


def specify(board: Board, listed: Spans) -> None:
    """Write the spans of a segment into the track and take the released off their rosters."""
    track = T.of(board).spans
    for span in listed:
        for id in span.release:
            unit = own_unit(board, leader(board, span.leader).side, id)
            assert unit is not None
            unit.hq = None
        track.pop(span.leader, None)
        if span.names:
            track[span.leader] = {"units": span.units, "leaders": span.leaders}


def specified(board: Board, side: str) -> Spans:
    """The spans of a side's own leaders as an order."""
    mine = {each.id for each in leaders(board, side)}
    track = T.of(board).spans
    return tuple(
        Span(who, tuple(named.get("units", ())), tuple(named.get("leaders", ())))
        for who, named in track.items()
        if who in mine
    )


class Names:
    """The names of one segment as they are given, span by span: each unit and leader once. The board stays as
    it is meanwhile, so that whom a leader may name first is looked for once."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side = board, side
        self.reached = chain(board, side)
        self.named: dict[str, str] = {}
        self.given: list[str] = []
        self._first: dict[str, list[Longer]] = {}

    def take(self, span: Span) -> None:
        """A span is given: whom it names nobody else can name."""
        if self._leader_fault(span) is None:
            self.given.append(span.leader)
        for id in span.names:
            self.named.setdefault(id, span.leader)

    def give_back(self, span: Span) -> None:
        """A span is replaced by a longer one."""
        self.given.remove(span.leader)
        self.named = {id: who for id, who in self.named.items() if who != span.leader}

    def faults(self, span: Span) -> Iterator[Diagnostic]:
        """Everything wrong with a span, by E-SPAN codes."""
        if (wrong := self._leader_fault(span)) is not None:
            yield wrong
            return
        who = leader(self.board, span.leader)
        for n, id in enumerate(span.release):
            if self._no_roster(id):
                yield illegal("E-SPAN-4", RULE, f"{id} is on no roster of {self.side}", "release", n)
        before = dict(self.named)
        for section, ids in (("units", span.units), ("leaders", span.leaders)):
            for n, id in enumerate(ids):
                found = self._unit_fault(who, span, id) if section == "units" else leader_fault(who, id)
                yield from under([found] if found else [], section, n)
                if id in before:
                    message = f"{id} is named by {before[id]} and by {who.id}"
                    yield illegal("E-SPAN-2", RULE, message, section, n)
                before.setdefault(id, who.id)
        values = modified(who, self.reached)
        if len(span.names) > values.span:
            why = f" ({', '.join(values.reasons)})" if values.reasons else ""
            message = f"{who.id} names {len(span.names)}, his command span is {values.span}{why}"
            yield illegal("E-SPAN-1", RULE, message)

    def legal(self, span: Span) -> Span | None:
        """What is left of a span without illegal names; the last named go where the span is too small."""
        if self._leader_fault(span) is not None:
            return None
        who = leader(self.board, span.leader)
        kept = Span(span.leader, release=tuple(id for id in span.release if not self._no_roster(id)))
        most = modified(who, self.reached).span
        units = [id for id in dict.fromkeys(span.units) if not self.named.get(id)]
        units = [id for id in units if self._unit_fault(who, kept, id) is None][:most]
        led = [id for id in dict.fromkeys(span.leaders) if not self.named.get(id)]
        led = [id for id in led if leader_fault(who, id) is None][: most - len(units)]
        return replace(kept, units=tuple(units), leaders=tuple(led))

    def _leader_fault(self, span: Span) -> Diagnostic | None:
        who = own_leader(self.board, self.side, span.leader)
        if who is None:
            return illegal("E-SPAN-3", RULE, f"{span.leader} is no leader of {self.side}", "leader")
        if not who.on_map:
            return illegal("E-SPAN-3", RULE, f"{who.id} is not on the map", "leader")
        if who.id in self.given:
            return illegal("E-SPAN-2", RULE, f"{who.id} is given two spans", "leader")
        return None

    def _no_roster(self, id: str) -> bool:
        unit = own_unit(self.board, self.side, id)
        return unit is None or unit.hq is None

    def _unit_fault(self, who: Leader, span: Span, id: str) -> Diagnostic | None:
        """Why a leader cannot name a unit: first reason by the order of the codes (R-61)."""
        named, hq = own_unit(self.board, self.side, id), commanded_hq(who)
        if named is None or not named.known:
            return illegal("E-SPAN-3", RULE, f"{id} is no unit of {who.side} on the map")
        if not in_range(who, id):
            reach = "in his hex or beside it" if hq is not None else "in his hex"
            message = f"{id} in {named.hex} is out of range of {who.id}, who commands {reach}"
            return illegal("E-SPAN-3", RULE, message)
        if named.is_static:
            return illegal("E-SPAN-9", RULE, f"{id} is a {named.row.name}, which nobody commands")
        if named.is_naval or named.is_hq:
            return illegal("E-SPAN-9", RULE, f"{id}: ships and HQs are not named by their own")
        if hq is not None and hq.key == "corps" and named.type == "cavalry":
            message = f"{who.id} commands an infantry corps and cannot command the cavalry {id}"
            return illegal("E-SPAN-7", RULE, message)
        if hq is not None and hq.key == "cavalry_corps" and named.type not in ("cavalry", "supply_train"):
            message = f"{who.id} commands a cavalry corps: cavalry and supply trains only, not {id}"
            return illegal("E-SPAN-8", RULE, message)
        if named.hq is not None and id not in span.release:
            return illegal("E-SPAN-4", RULE, f"{id} is on the roster of {named.hq}")
        return None

    def longer(self, last: Span | None) -> Iterator[tuple[Span, str]]:
        """One name more for the last span (it stays the last), or the first of a leader without a span."""
        for who, most in self._able:
            base = last if last is not None and last.leader == who.id else None
            if (base is None and who.id in self.given) or len(base.names if base else ()) >= most:
                continue
            if base is None and who.id not in self._first:
                self._first[who.id] = list(self._names(who, Span(who.id)))
            for id, span, text in self._names(who, base) if base else self._first[who.id]:
                if id not in self.named:
                    yield span, text

    @cached_property
    def _able(self) -> list[tuple[Leader, int]]:
        """Who can name others, and how many."""
        return [(who, modified(who, self.reached).span) for who in able(self.board, self.side)]

    def _names(self, who: Leader, base: Span) -> Iterator[Longer]:
        """Whom a leader can name besides: units before leaders, each with the longer span."""
        hq = commanded_hq(who)
        near = [who.hex, *(world_of(self.board).neighbours(who.hex) if hq is not None else ())]
        here = [] if base.leaders else [u for hex in near for u in units(self.board, self.side, hex)]
        for each in sorted(here, key=lambda u: u.id):
            longer, text = replace(base, units=(*base.units, each.id)), f"{who.id} commands {each.id}"
            if each.hq is not None and (hq is None or each.hq != hq.id):
                longer = replace(longer, release=(*base.release, each.id))
                text += f", released from {each.hq}"
            if self._unit_fault(who, longer, each.id) is None:
                yield each.id, longer, text
        others = (
            [w for hex in near for w in leaders(self.board, self.side, hex)] if commands_army(who) else []
        )
        for other in sorted(others, key=lambda w: w.id):
            if leader_fault(who, other.id) is None:
                longer = replace(base, leaders=(*base.leaders, other.id))
                yield other.id, longer, f"{who.id} commands {other.id}"


def leader_fault(who: Leader, id: str) -> Diagnostic | None:
    """Why a leader cannot name a leader."""
    other = own_leader(who.board, who.side, id)
    if other is None or not other.on_map or id == who.id:
        return illegal("E-SPAN-3", RULE, f"{id} is no other leader of {who.side} on the map")
    if not commands_army(who):
        return illegal("E-SPAN-5", RULE, f"{who.id} commands no army HQ and so no leaders")
    if not in_range(who, id):
        return illegal("E-SPAN-3", RULE, f"{id} in {other.hex} is out of range of {who.id}")
    if commands_army(other) and other.stars >= who.stars:
        message = f"{id} commands an army and has as many stars as {who.id}, or more"
        return illegal("E-SPAN-6", RULE, message)
    return None
