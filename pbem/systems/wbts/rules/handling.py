"""Changes of counters: losses, moves, captures.

They change the position and report nothing. Markers and rosters follow: an entrenchment is removed
when no infantry or militia of its side is left (4.4.6), and a unit away from its HQ leaves its
roster (4.3.3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from pbem.kit.control import Control
from pbem.kit.naming import new_id
from pbem.rules import Json, dataclass, maybe

from .pieces import (
    Board,
    Piece,
    Unit,
    has_troops,
    is_unit,
    leader,
    leaders,
    left,
    piece,
    unit,
    units,
    works_at,
    world_of,
)
from .tracks import T
from .zones import alone_hexes, held_hexes


def take_points(u: Unit, sp: int) -> int:
    """Remove strength points from a unit, and with the last point the unit. Return their number.

    This is no loss for victory.
    """
    taken = min(sp, u.sp)
    if taken == u.sp:
        remove(u)
    else:
        u.sp -= taken
    return taken


def lose(u: Unit, sp: int | None = None) -> int:
    """4.8.10: Remove points as a loss, which counts for victory. Without a number all are lost."""
    side, board = u.side, u.board
    taken = take_points(u, u.sp if sp is None else sp)
    T.of(board).losses_sp[side] += taken
    return taken


def remove(gone: Unit) -> None:
    """Take a unit off the map with its supply. The roster and commander of an HQ lose it."""
    board, hex = gone.board, gone.hex
    if gone.is_hq:
        for id in board.position.find(hq=gone.id):
            piece(board, id).hq = None
    gone.remove()
    clear_works(board, hex)


def clear_works(board: Board, hex: str) -> None:
    """4.4.6: Remove an entrenchment without infantry or militia of its side."""
    works = works_at(board, hex)
    if works is not None and not any(u.digs for u in units(board, works.side, hex)):
        works.remove()


def garrison_id(side: str, hex: str) -> str:
    """2.3: Return the id of a side's garrison in a hex.

    A second garrison with other marks gets a number.
    """
    return f"GAR-{side}-{hex}"


def add_garrison(board: Board, side: str, hex: str, sp: int, marks: Collection[str] = ()) -> Unit:
    """Add garrison points to a hex. Points of one side with equal marks are one unit."""
    for other in units(board, side, hex):
        if other.type == "garrison" and set(other.marks) == set(marks):
            other.sp += sp
            return other
    id, number = garrison_id(side, hex), 1
    while id in board.position.counters:
        number += 1
        id = f"{garrison_id(side, hex)}-{number}"
    marked = dict.fromkeys(marks, True)
    return Unit.add(board, id, side=side, type="garrison", sp=sp, hex=hex, **marked)


def join(target: Unit, id: str, sp: int) -> Unit:
    """Add points to a unit of their type, or let them wait beside it until their marks are equal."""
    if not target.marks:
        target.sp += sp
        return target
    same = {"side": target.side, "type": target.type, "hex": target.hex, "state": target.state}
    return Unit.add(target.board, id, sp=sp, joins=target.id, **same)


def merge(board: Board, side: str, *, over: Collection[str] = ()) -> None:
    """Merge points that waited for equal marks. Marks in `over` no longer count.

    The merged unit has such a mark only if both had it.
    """
    for u in units(board, side):
        marks = set(u.marks) - set(over)
        into = next((other for other in _awaited(u) if set(other.marks) - set(over) == marks), None)
        if into is None:
            continue
        if "moved" in over:
            into.moved = into.moved and u.moved
        if "attacked" in over:
            into.attacked = into.attacked and u.attacked
        into.sp += u.sp
        u.remove()


def _awaited(u: Unit) -> list[Unit]:
    """Return units in the hex that these points may join and that have room."""
    if u.type == "garrison":
        stack = units(u.board, u.side, u.hex)
        return [other for other in stack if other.type == "garrison" and other.id < u.id]
    into = maybe(u.board, Unit, u.joins)
    if into is None or into.hex != u.hex:
        u.joins = None
        return []
    return [into] if not into.row.max or into.sp + u.sp <= into.row.max else []


def numbered(board: Board, side: str, kind: str) -> str:
    """Return an id that no counter of a side ever had, such as `D-north-1`."""
    made = T.of(board).made[side]
    return new_id(made, kind, lambda number: f"{kind}-{side}-{number}", board.position.counters)


@dataclass(frozen=True)
class Displaced:
    """A lone leader and the new hex, or `to` None for a capture."""

    leader: str
    start: str
    to: str | None
    hq: str | None


@dataclass(frozen=True)
class Displacements:
    """Lone leaders and HQs of a side that were displaced (4.8.16)."""

    side: str
    leaders: tuple[Displaced, ...] = ()
    hqs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Arrival:
    """R-103: An arrival in a hex: what was taken (R-101), and the leaders and HQs displaced."""

    hex: str
    took: tuple[str, ...] = ()
    displaced: Displacements | None = None


def move(board: Board, ids: Iterable[str], to: str, *, settle: bool = True) -> Arrival:
    """Put units and leaders of one side into a hex, which they take if they can (R-101).

    With `settle` rosters are settled at once. A caller who moves a force in parts does so at the
    end.
    """
    going = [piece(board, id) for id in ids]
    side, origins = going[0].side, {each.hex for each in going}
    after = [_move_one(each, to) for each in going]
    for hex in sorted(origins - {to}):
        clear_works(board, hex)
    owning = any(u.is_zoc for u in left(board, after))
    took = tuple(take_hex(board, side, to)) if owning else ()
    if settle:
        settle_rosters(board, side)
    return Arrival(to, took, drive_off(board, side, [to]) if has_troops(board, after) else None)


def _move_one(going: Piece, to: str) -> str:
    if going.type != "garrison" or going.hex == to:
        going.position.move(going.id, to)
        return going.id
    u = unit(going.board, going.id)
    side, sp, marks = u.side, u.sp, u.marks
    u.remove()
    return add_garrison(u.board, side, to, sp, marks).id


def settle_rosters(board: Board, side: str) -> list[str]:
    """Drop units away from their HQ from its roster (4.3.3), and return their ids."""
    position = board.position
    parted = position.where_any("parted", lambda ids: _parted(position.counters, ids))
    candidates = [*position.find(hex=None), *(id for hex in parted for id in position.at(hex))]
    away = [
        id
        for id in candidates
        if is_unit(board, id)
        and (hq := maybe(board, Unit, unit(board, id).hq)) is not None
        and (hq.side, hq.type) == (side, "hq")
        and position.hex(id) != hq.hex
    ]
    for id in away:
        unit(board, id).hq = None
    return sorted(away)


def _parted(counters: Mapping[str, Mapping[str, Json]], ids: tuple[str, ...]) -> bool:
    """Return True if a counter in a hex belongs to an HQ that is not there."""
    return any(counters[id].get("hq") not in (None, *ids) for id in ids)


def take_hex(board: Board, side: str, hex: str) -> list[str]:
    """Give settlement, fort and rails of a hex to a side. Return those that changed."""
    tracks, world = T.of(board), world_of(board)
    changed: list[str] = []
    for what, there, owners in (
        ("settlement", world.settlements, tracks.settlement_owner),
        ("fort", world.forts, tracks.fort_owner),
        ("rail", world.rail_lines, tracks.rail_owner),
    ):
        if hex in there and Control(owners).take(hex, side) is not None:
            changed.append(what)
    return changed


def drive_off(board: Board, side: str, hexes: Iterable[str]) -> Displacements:
    """R-57, R-103: Displace lone enemy leaders and HQs from hexes that combat units entered."""
    enemy = world_of(board).enemy(side)
    alone = alone_hexes(board, enemy)
    return displace(board, enemy, [hex for hex in hexes if hex in alone])


def displace(board: Board, side: str, hexes: Iterable[str]) -> Displacements:
    """4.8.16: Move lone leaders to the nearest units or capture them, and remove lone HQs.

    Naval leaders are displaced only from hexes without room for ships (R-80).
    """
    listed = sorted(dict.fromkeys(hexes))
    empty = [hex for hex in listed if not any(u.is_combat for u in units(board, side, hex))]
    ashore = [hex for hex in empty if not world_of(board).navigable(hex)]
    lone = [who.id for hex in empty for who in leaders(board, side, hex) if not who.naval or hex in ashore]
    gone = tuple(_displace_one(board, id) for id in lone)
    alone = [u for hex in empty if not leaders(board, side, hex) for u in units(board, side, hex) if u.is_hq]
    for hq in alone:
        remove(hq)
    return Displacements(side, gone, tuple(hq.id for hq in alone))


def _displace_one(board: Board, id: str) -> Displaced:
    who = leader(board, id)
    start, hq = who.hex, maybe(board, Unit, who.hq)
    hq = hq if hq is not None and hq.hex == start else None
    to = refuge(board, id)
    if to is not None:
        move(board, [id, *([hq.id] if hq else [])], to)
    else:
        if hq is not None:
            remove(hq)
        take_off(board, id, "captured")
    return Displaced(id, start, to, hq.id if hq else None)


def refuge(board: Board, id: str) -> str | None:
    """R-26: Return the nearest hex in range with a friendly combat unit, the lowest id of several."""
    who, world = leader(board, id), world_of(board)
    near = [(world.distance(who.hex, hex), hex) for hex in sorted(held_hexes(board, who.side))]
    most = world.tables.numbers["lone_leader_range"]
    return min(((away, hex) for away, hex in near if away <= most), default=(0, None))[1]


def take_off(board: Board, id: str, status: str, return_cycle: int | None = None) -> None:
    """Take a leader off the map: killed, wounded until a cycle, or captured. The HQ stays."""
    board.position.drop(id, "hex", "hq", "moved", "attempted", "active")
    who = leader(board, id)
    who.status, who.return_cycle = status, return_cycle
