"""Counters change: points are lost, stacks move, hexes change hands. Changes the position, tells nothing.

Markers and rosters follow: an entrenchment goes when no infantry or militia of its side is left (4.4.6), a
unit away from its HQ is on its roster no longer (4.3.3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from .pieces import Board, is_leader, mark, unit, units, world_of
from .statics import Data

Owners = dict[str, str]


def garrison_id(side: str, hex: str) -> str:
    """The one garrison unit of a side in a hex (2.3)."""
    return f"GAR-{side}-{hex}"


def add_garrison(board: Board, side: str, hex: str, sp: int) -> str:
    """Garrison points for a hex: all of one side there are one unit."""
    id = garrison_id(side, hex)
    if id in board.position.counters:
        board.position.set(id, sp=unit(board, id).sp + sp)
    else:
        board.position.add(id, {"side": side, "type": "garrison", "sp": sp, "hex": hex})
    return id


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


def move(board: Board, ids: Iterable[str], to: str, *, settle: bool = True) -> list[str]:
    """Put units and leaders of one side into a hex, which they take if they can; gives their ids there.

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
    if any(not is_leader(board, id) and unit(board, id).is_zoc for id in after):
        take_hex(board, side, to)
    if settle and side:
        settle_rosters(board, side)
    return after


def _move_one(board: Board, id: str, fields: Data, to: str) -> str:
    if fields["type"] != "garrison" or fields["hex"] == to:
        board.position.move(id, to)
        return id
    board.position.remove(id)
    new = add_garrison(board, str(fields["side"]), to, int(fields["sp"]))
    kept = {name: fields[name] for name in ("moved", "attacked", "entrained") if name in fields}
    mark(board, new, **kept)
    return new


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
