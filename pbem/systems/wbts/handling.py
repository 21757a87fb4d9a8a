"""Counters change: points are lost, stacks move, hexes change hands. Changes the position, tells nothing.

Markers and rosters follow: an entrenchment goes when no infantry or militia of its side is left (4.4.6), a
unit away from its HQ is on its roster no longer (4.3.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from .pieces import Board, Unit, is_leader, is_unit, mark, unit, units, world_of
from .statics import Data

Owners = dict[str, str]
MARKS = ("moved", "attacked", "entrained")


@dataclass(frozen=True)
class Arrival:
    """Who came into a hex, by the ids they have there, and what of it became theirs (R-101)."""

    hex: str
    ids: tuple[str, ...]
    took: tuple[str, ...] = ()


def garrison_id(side: str, hex: str) -> str:
    """The garrison unit of a side in a hex (2.3); a second one with other marks has a number behind it."""
    return f"GAR-{side}-{hex}"


def marks_of(here: Unit) -> dict[str, bool]:
    """What tells points that have moved, attacked or ridden from those that have not (R-102)."""
    return {name: True for name in MARKS if here.fields.get(name)}


def add_garrison(board: Board, side: str, hex: str, sp: int, marks: Mapping[str, bool] | None = None) -> str:
    """Garrison points for a hex: those of one side with equal marks are one unit there (2.3, R-102)."""
    for other in units(board, side, hex):
        if other.type == "garrison" and marks_of(other) == (marks or {}):
            board.position.set(other.id, sp=other.sp + sp)
            return other.id
    id, number = garrison_id(side, hex), 1
    while id in board.position.counters:
        number += 1
        id = f"{garrison_id(side, hex)}-{number}"
    fields: dict[str, Any] = {"side": side, "type": "garrison", "sp": sp, "hex": hex, **(marks or {})}
    board.position.add(id, fields)
    return id


def join(board: Board, id: str, fields: Data, into: str) -> str:
    """Points join a unit of their type, or wait beside it until their marks are equal (R-102)."""
    marks = {name: True for name in MARKS if fields.get(name)}
    target = unit(board, into)
    if marks_of(target) == marks:
        board.position.set(into, sp=target.sp + int(fields["sp"]))
        return into
    board.position.add(id, {**fields, "joins": into})
    return id


def merge(board: Board, side: str, *, over: Iterable[str] = ()) -> None:
    """Points that waited for equal marks merge; marks in `over` count for nothing any more (R-102).

    What they had not both, they have not together.
    """
    spent = tuple(over)
    for each in units(board, side):
        if not is_unit(board, each.id):
            continue
        into = _awaited(board, each)
        if into is None or _but(marks_of(each), spent) != _but(marks_of(into), spent):
            continue
        points = each.sp
        mark(
            board, into.id, **{name: bool(into.fields.get(name) and each.fields.get(name)) for name in spent}
        )
        board.position.remove(each.id)
        board.position.set(into.id, sp=into.sp + points)


def _but(marks: Mapping[str, bool], spent: Iterable[str]) -> dict[str, bool]:
    return {name: there for name, there in marks.items() if name not in spent}


def _awaited(board: Board, each: Unit) -> Unit | None:
    """The unit that these points are to merge with: where it is still beside them and has room."""
    if each.type == "garrison":
        same = [u for u in units(board, each.side, each.hex) if u.type == "garrison" and u.id < each.id]
        return same[0] if same else None
    into = each.fields.get("joins")
    if into is None:
        return None
    if not is_unit(board, into) or unit(board, into).hex != each.hex:
        mark(board, each.id, joins=None)
        return None
    most = each.row.max
    return unit(board, into) if not most or unit(board, into).sp + each.sp <= most else None


def take_points(board: Board, id: str, sp: int) -> int:
    """Strength points go from a unit, which goes with its last one; gives how many. No loss for victory."""
    here = unit(board, id)
    taken = min(sp, here.sp)
    if taken == here.sp:
        remove(board, id)
    else:
        board.position.set(id, sp=here.sp - taken)
    return taken


def lose(board: Board, id: str, sp: int) -> int:
    """The same as a loss, which counts for victory (4.8.10)."""
    side = unit(board, id).side
    taken = take_points(board, id, sp)
    losses = cast("dict[str, int]", board.position.tracks["losses_sp"])
    losses[side] += taken
    return taken


def destroy(board: Board, id: str) -> int:
    """A unit is lost with all it has; its points count as losses."""
    lost = lose(board, id, unit(board, id).sp)
    return lost


def remove(board: Board, id: str) -> None:
    """Take a unit off the map, with its supply; an HQ's roster and commander lose it."""
    gone = unit(board, id)
    hex, was_hq = gone.hex, gone.is_hq
    board.position.remove(id)
    if was_hq:
        for other in board.position.find(hq=id):
            mark(board, other, hq=None)
    clear_marker(board, hex)


def clear_marker(board: Board, hex: str) -> None:
    """An entrenchment without infantry or militia of its side is gone (4.4.6)."""
    id = f"ENT-{hex}"
    fields = board.position.counters.get(id)
    if fields is None:
        return
    there = units(board, str(fields["side"]), hex)
    if not any(each.type in ("infantry", "militia") or not each.known for each in there):
        board.position.remove(id)


def move(board: Board, ids: Iterable[str], to: str, *, settle: bool = True) -> Arrival:
    """Put units and leaders of one side into a hex, which they take if they can (R-101).

    With `settle` rosters are looked over at once; who moves a force in several parts does so at the end.
    """
    after: list[str] = []
    origins: list[str] = []
    side = ""
    for id in ids:
        fields = board.position.counters[id]
        side = str(fields["side"])
        origins.append(str(fields["hex"]))
        after.append(_move_one(board, id, fields, to))
    for hex in sorted(set(origins) - {to}):
        clear_marker(board, hex)
    owning = any(not is_leader(board, id) and unit(board, id).is_zoc for id in after)
    took = tuple(take_hex(board, side, to)) if owning else ()
    if settle and side:
        settle_rosters(board, side)
    return Arrival(to, tuple(after), took)


def _move_one(board: Board, id: str, fields: Data, to: str) -> str:
    if fields["type"] != "garrison" or fields["hex"] == to:
        board.position.move(id, to)
        return id
    board.position.remove(id)
    marks = {name: True for name in MARKS if fields.get(name)}
    return add_garrison(board, str(fields["side"]), to, int(fields["sp"]), marks)


def settle_rosters(board: Board, side: str) -> list[str]:
    """Drop from rosters whoever is not in the hex of his HQ (4.3.3); gives who was dropped."""
    dropped: list[str] = []
    counters = board.position.counters
    for each in units(board, side):
        if each.hq is not None and (each.hq not in counters or counters[each.hq]["hex"] != each.hex):
            mark(board, each.id, hq=None)
            dropped.append(each.id)
    return dropped


def take_hex(board: Board, side: str, hex: str) -> dict[str, str]:
    """Settlement, fort and rails of a hex become a side's own; gives what changed: `{settlement: hex}`."""
    tracks = board.position.tracks
    world = world_of(board)
    changed: dict[str, str] = {}
    for what, there in (
        ("settlement", hex in world.settlements),
        ("fort", hex in world.forts),
        ("rail", hex in world.rail_lines),
    ):
        owners = cast(Owners, tracks[f"{what}_owner"])
        if there and owners.get(hex) != side:
            owners[hex] = side
            changed[what] = hex
    return changed


def spend_supply(board: Board, id: str, points: int) -> None:
    """Supply points leave a depot, train or army HQ."""
    left = unit(board, id).supply - points
    assert left >= 0, f"{id} has not got {points} supply points"
    mark(board, id, supply=left)


def add_supply(board: Board, id: str, points: int) -> None:
    """Supply points go into a depot, train or army HQ."""
    mark(board, id, supply=unit(board, id).supply + points)


def release(board: Board, id: str) -> None:
    """Take a unit off its roster."""
    mark(board, id, hq=None)
