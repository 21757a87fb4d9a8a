"""4.3.3: Modified values, ranges, rosters and forces of leaders."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.rules import Message, counters, dataclass, maybe

from ..chain import chain
from ..pieces import Board, Leader, Unit, leader, leaders, piece, units, world_of
from ..tracks import T


@dataclass(frozen=True)
class Modified:
    """A leader's present values, and the reasons why they differ from the printed ones."""

    initiative: int
    span: int
    reasons: tuple[str, ...] = ()


def able(board: Board, side: str) -> list[Leader]:
    """Return land leaders of a side on the map, by id."""
    return [who for who in leaders(board, side) if not who.naval]


def commanded_hq(who: Leader) -> Unit | None:
    """Return the HQ that a leader commands, which must be in the same hex, or None."""
    hq = maybe(who.board, Unit, who.hq)
    return hq if hq is not None and who.on_map and hq.hex == who.hex else None


def commands_army(who: Leader) -> bool:
    hq = commanded_hq(who)
    return hq is not None and hq.is_army


def modified(who: Leader, on_chain: Collection[str] | None = None) -> Modified:
    """4.3.3: Return modified values.

    First come the three-star rules (minimum 1), then the chain of supply (minimum 0, R-13).
    `on_chain` spares computing the chain for each of many leaders.
    """
    hq, initiative, span = commanded_hq(who), who.initiative, who.span
    reasons: list[str] = []
    if hq is not None and who.stars == 3:
        if hq.is_army or (hq.key == "cavalry_corps" and not who.cavalry):
            initiative, span = max(1, initiative - 1), max(1, span - 1)
            reasons.append(
                Message("wbts.forces.three-stars-with-army")
                if hq.is_army
                else Message("wbts.forces.three-stars")
            )
    if who.hex not in (chain(who.board, who.side) if on_chain is None else on_chain):
        initiative, span = max(0, initiative - 1), max(0, span - 1)
        reasons.append(Message("wbts.forces.not-on-chain-of-supply"))
    return Modified(initiative, span, tuple(reasons))


def in_range(who: Leader, id: str) -> bool:
    """Return True if a leader can command a counter: in the hex, or beside it with an HQ."""
    hex = piece(who.board, id).hex
    if not who.hex or not hex:
        return False
    beside = commanded_hq(who) is not None and world_of(who.board).adjacent(who.hex, hex)
    return who.hex == hex or beside


def roster(hq: Unit) -> list[Unit]:
    """Return the units on the roster of an HQ, by id."""
    return counters(hq.board, Unit, hq=hq.id)


def force(who: Leader, limit: int | None = None) -> tuple[str, ...]:
    """4.3.3: Return a leader's force.

    It is the leader, HQ and roster, named units, and the forces of named leaders. `limit` is a span
    that has shrunk since the names were given. The last names are left out (4.5). It does not
    shrink the spans of subordinates.
    """
    members: dict[str, bool] = {}
    _gather(who, limit, members)
    return tuple(members)


def _gather(who: Leader, limit: int | None, members: dict[str, bool]) -> None:
    if who.id in members or not who.on_map:
        return
    members[who.id] = True
    hq = commanded_hq(who)
    if hq is not None:
        members[hq.id] = True
        members.update(dict.fromkeys((u.id for u in roster(hq)), True))
    span = T.of(who.board).spans.get(who.id, {})
    named = [(id, False) for id in span.get("units", ())] + [(id, True) for id in span.get("leaders", ())]
    named = [(id, led) for id, led in named if id in who.position.counters][:limit]
    members.update(dict.fromkeys((id for id, led in named if not led), True))
    for id, led in named:
        if led:
            _gather(leader(who.board, id), None, members)


def roster_faults(board: Board, side: str) -> Iterator[str]:
    """Yield faults of rosters: over capacity, of the wrong type, or away from their HQ."""
    for hq in units(board, side):
        if not hq.is_hq:
            continue
        members = roster(hq)
        if len(members) > hq.row.capacity:
            yield Message(
                "wbts.forces.has-units-on-roster", hq=hq.id, count=len(members), capacity=hq.row.capacity
            )
        for u in members:
            if u.hex != hq.hex:
                yield Message("wbts.forces.roster", each=u.id, hq=hq.id, hex=hq.hex, hex_2=u.hex)
            if hq.key == "cavalry_corps" and u.type != "cavalry":
                yield Message("wbts.forces.cannot-be-on-roster", each=u.id, type=u.type, hq=hq.id)
