"""2.5 Supply on the map by hex: on the ground, on trucks, afloat; taken and put down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rules import Board, Game, dataclass

from ..pieces import Dump, Points, T, craft, points, units, world_of


@dataclass
class Store:
    """The supply in a hex: T anybody may use, and that on organic trucks by formation."""

    hex: str
    free: int
    organic: dict[str, int]
    afloat: bool = False


def stores(board: Board, side: str) -> Iterator[Store]:
    """2.5: Return all supply of a side, by hex: on the ground and loaded."""
    found: dict[str, Store] = {}
    for hex, dump in T.of(board).dumps.items():
        if dump.owner == side:
            found.setdefault(hex, Store(hex, 0, {})).free += dump.t
    for p in points(board, side):
        if p.hex is None or p.hex not in world_of(board).terrains or not p.load:
            continue
        store = found.setdefault(p.hex, Store(p.hex, 0, {}))
        if p.organic_of is None:
            store.free += p.load
        else:
            store.organic[p.organic_of] = store.organic.get(p.organic_of, 0) + p.load
    for c in craft(board, side):
        if c.load and c.hex is not None and c.hex not in found and world_of(board).sea(c.hex):
            found[c.hex] = Store(c.hex, c.load, {}, afloat=True)
        elif c.load and c.hex in found and found[c.hex].afloat:
            found[c.hex].free += c.load
    return iter(found[hex] for hex in sorted(found))


def take(board: Board, side: str, hex: str, t: int, formation: str | None = None) -> int:
    """Take up to t T from a hex, and return how much was taken.

    From the ground, then loads of plain points, then the organic trucks of the formation.
    """
    tracks, left = T.of(board), t
    dump = tracks.dumps.get(hex)
    if dump is not None and dump.owner == side:
        paid = min(left, dump.t)
        left -= paid
        _put(tracks, hex, Dump(dump.owner, dump.t - paid, max(0, min(dump.fresh, dump.t - paid))))
    carriers: list[Points] = [p for p in points(board, side, hex) if p.organic_of in (None, formation)]
    for p in sorted(carriers, key=lambda p: (p.organic_of is not None, p.id)):
        paid = min(left, p.load)
        if paid:
            p.load -= paid
            left -= paid
    for c in craft(board, side, hex) if world_of(board).sea(hex) else ():
        paid = min(left, c.load)
        c.load, left = c.load - paid, left - paid
    return t - left


def _put(tracks: T, hex: str, dump: Dump) -> None:
    if dump.t > 0:
        tracks.dumps[hex] = dump
    else:
        del tracks.dumps[hex]


def give(board: Board, side: str, hex: str, t: int, *, fresh: bool = False) -> str:
    """Put T on the ground of a hex, and return the side that has them then.

    On an enemy dump that no combat unit of the side stands on they join it (R-304); what is captured so is
    not fresh (R-124).
    """
    tracks = T.of(board)
    old = tracks.dumps.get(hex)
    owner = side if old is None or old.owner == side or units(board, side, hex) else old.owner
    if t <= 0:
        return owner
    old = old if old is not None and old.owner == owner else Dump(owner, 0)
    tracks.dumps[hex] = Dump(owner, old.t + t, old.fresh + (t if fresh and owner == side else 0))
    return owner


def take_from_ground(game: Game, hex: str, t: int) -> None:
    """Remove T from the ground, those first that are not fresh."""
    tracks = T.of(game)
    dump = tracks.dumps[hex]
    if dump.t == t:
        del tracks.dumps[hex]
    else:
        tracks.dumps[hex] = replace(dump, t=dump.t - t)
