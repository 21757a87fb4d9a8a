"""4.3.3: Command spans: the counters that a leader may name, and faults of a segment's names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from pbem.kit.faults import illegal, under
from pbem.rules import Board, Diagnostic, Message, Name, dataclass

from ..chain import chain
from ..pieces import Leader, leader, leaders, own_leader, own_unit, units, world_of
from ..tracks import T
from .forces import able, commanded_hq, commands_army, in_range, modified

RULE = "4.3.3"


@dataclass(frozen=True)
class Span:
    """The units and leaders that one leader commands besides the roster.

    `release` are units that leave the roster of their HQ.
    """

    leader: Name
    units: tuple[Name, ...] = ()
    leaders: tuple[Name, ...] = ()
    release: tuple[Name, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.units, *self.leaders)


Spans = tuple[Span, ...]
Longer = tuple[str, Span, str]
"""A counter that may be named too, the span with that name, and words."""


def specify(board: Board, listed: Spans) -> None:
    """Write the spans of a segment into the track, and take released units off their rosters."""
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
    """Return the spans of a side's own leaders as an order."""
    mine = {who.id for who in leaders(board, side)}
    track = T.of(board).spans
    return tuple(
        Span(who, tuple(named.get("units", ())), tuple(named.get("leaders", ())))
        for who, named in track.items()
        if who in mine
    )


class Names:
    """The names of one segment, span by span, each unit and leader once.

    The board does not change meanwhile, so the names open to a leader are looked up once.
    """

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side = board, side
        self.reached = chain(board, side)
        self.named: dict[str, str] = {}
        self.given: list[str] = []
        self._first: dict[str, list[Longer]] = {}

    def take(self, span: Span) -> None:
        """Add a span. No other leader can name its units and leaders."""
        if self._leader_fault(span) is None:
            self.given.append(span.leader)
        for id in span.names:
            self.named.setdefault(id, span.leader)

    def give_back(self, span: Span) -> None:
        """Remove a span that a longer one replaces."""
        self.given.remove(span.leader)
        self.named = {id: who for id, who in self.named.items() if who != span.leader}

    def faults(self, span: Span) -> Iterator[Diagnostic]:
        """Yield all faults of a span, by E-SPAN codes."""
        if (wrong := self._leader_fault(span)) is not None:
            yield wrong
            return
        who = leader(self.board, span.leader)
        for n, id in enumerate(span.release):
            if self._no_roster(id):
                yield illegal(
                    "E-SPAN-4", RULE, Message("wbts.spans.no-roster", id=id, side=self.side), "release", n
                )
        before = dict(self.named)
        for section, ids in (("units", span.units), ("leaders", span.leaders)):
            for n, id in enumerate(ids):
                fault = self._unit_fault(who, span, id) if section == "units" else leader_fault(who, id)
                yield from under([fault] if fault else [], section, n)
                if id in before:
                    message = Message("wbts.spans.named", id=id, before=before[id], who=who.id)
                    yield illegal("E-SPAN-2", RULE, message, section, n)
                before.setdefault(id, who.id)
        values = modified(who, self.reached)
        if len(span.names) > values.span:
            why = f" ({', '.join(values.reasons)})" if values.reasons else ""
            message = Message(
                "wbts.spans.names-more-than-command-span",
                who=who.id,
                named=len(span.names),
                span=values.span,
                why=why,
            )
            yield illegal("E-SPAN-1", RULE, message)

    def legal(self, span: Span) -> Span | None:
        """Return a span without illegal names. If it is too small the last names go."""
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
            return illegal(
                "E-SPAN-3",
                RULE,
                Message("wbts.spans.no-leader", leader=span.leader, side=self.side),
                "leader",
            )
        if not who.on_map:
            return illegal("E-SPAN-3", RULE, Message("wbts.spans.not-on-map", who=who.id), "leader")
        if who.id in self.given:
            return illegal("E-SPAN-2", RULE, Message("wbts.spans.given-two-spans", who=who.id), "leader")
        return None

    def _no_roster(self, id: str) -> bool:
        unit = own_unit(self.board, self.side, id)
        return unit is None or unit.hq is None

    def _unit_fault(self, who: Leader, span: Span, id: str) -> Diagnostic | None:
        """R-61: Return the first reason, by code, why a leader cannot name a unit."""
        named, hq = own_unit(self.board, self.side, id), commanded_hq(who)
        if named is None or not named.known:
            return illegal(
                "E-SPAN-3", RULE, Message("wbts.selection.no-unit-of-on-map", id=id, side=who.side)
            )
        if not in_range(who, id):
            reach = (
                Message("wbts.spans.his-hex-or-beside") if hq is not None else Message("wbts.spans.his-hex")
            )
            message = Message("wbts.spans.out-of-range", id=id, hex=named.hex, who=who.id, reach=reach)
            return illegal("E-SPAN-3", RULE, message)
        if named.is_static:
            return illegal(
                "E-SPAN-9", RULE, Message("wbts.spans.which-nobody-commands", id=id, row=named.row.name)
            )
        if named.is_naval or named.is_hq:
            return illegal("E-SPAN-9", RULE, Message("wbts.spans.ships-and-hqs-not-named-by-own", id=id))
        if hq is not None and hq.key == "corps" and named.type == "cavalry":
            message = Message(
                "wbts.spans.commands-infantry-corps-and-cannot-command-cavalry", who=who.id, id=id
            )
            return illegal("E-SPAN-7", RULE, message)
        if hq is not None and hq.key == "cavalry_corps" and named.type not in ("cavalry", "supply_train"):
            message = Message("wbts.spans.commands-cavalry-corps", who=who.id, id=id)
            return illegal("E-SPAN-8", RULE, message)
        if named.hq is not None and id not in span.release:
            return illegal("E-SPAN-4", RULE, Message("wbts.spans.roster", id=id, hq=named.hq))
        return None

    def longer(self, last: Span | None) -> Iterator[tuple[Span, str]]:
        """Yield the last span with one more name, or the first name of another leader."""
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
        """Return the leaders who can name others, and how many."""
        return [(who, modified(who, self.reached).span) for who in able(self.board, self.side)]

    def _names(self, who: Leader, base: Span) -> Iterator[Longer]:
        """Yield the counters that a leader can also name, each with the longer span.

        Units come before leaders.
        """
        hq = commanded_hq(who)
        near = [who.hex, *(world_of(self.board).neighbours(who.hex) if hq is not None else ())]
        candidates = [] if base.leaders else [u for hex in near for u in units(self.board, self.side, hex)]
        for u in sorted(candidates, key=lambda u: u.id):
            longer, left = replace(base, units=(*base.units, u.id)), None
            if u.hq is not None and (hq is None or u.hq != hq.id):
                longer, left = replace(longer, release=(*base.release, u.id)), u.hq
            text = Message("wbts.spans.commands", who=who.id, named=u.id, left=left)
            if self._unit_fault(who, longer, u.id) is None:
                yield u.id, longer, text
        others = (
            [w for hex in near for w in leaders(self.board, self.side, hex)] if commands_army(who) else []
        )
        for other in sorted(others, key=lambda w: w.id):
            if leader_fault(who, other.id) is None:
                longer = replace(base, leaders=(*base.leaders, other.id))
                yield other.id, longer, Message("wbts.spans.commands", who=who.id, named=other.id, left=None)


def leader_fault(who: Leader, id: str) -> Diagnostic | None:
    """Return the fault of a leader who names a leader, or None."""
    other = own_leader(who.board, who.side, id)
    if other is None or not other.on_map or id == who.id:
        return illegal(
            "E-SPAN-3", RULE, Message("wbts.spans.no-other-leader-of-on-map", id=id, side=who.side)
        )
    if not commands_army(who):
        return illegal("E-SPAN-5", RULE, Message("wbts.spans.commands-no-army-hq-and-so", who=who.id))
    if not in_range(who, id):
        return illegal(
            "E-SPAN-3", RULE, Message("wbts.spans.leader-out-of-range", id=id, hex=other.hex, who=who.id)
        )
    if commands_army(other) and other.stars >= who.stars:
        message = Message("wbts.spans.commands-army-and-has-as-many-stars", id=id, who=who.id)
        return illegal("E-SPAN-6", RULE, message)
    return None
