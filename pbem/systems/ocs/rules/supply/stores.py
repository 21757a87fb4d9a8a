"""2.5: Supply on the map by hex: on the ground, on trucks, afloat; taken and put down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rules import Board, Game, dataclass

from ..pieces import Dump, Points, T, craft, points, units, world_of


@dataclass
class Store:
    """The supply in a hex: T that all may use, and organic T by formation."""

    hex: str
    free: int
    organic: dict[str, int]
    afloat: bool = False


def stores(board: Board, side: str) -> Iterator[Store]:
    """2.5: Return all supply of a side by hex, on the ground and loaded."""
    by_hex: dict[str, Store] = {}
    for hex, dump in T.of(board).dumps.items():
        if dump.owner == side:
            by_hex.setdefault(hex, Store(hex, 0, {})).free += dump.t
    for p in points(board, side):
        if p.hex is None or p.hex not in world_of(board).terrains or not p.load:
            continue
        store = by_hex.setdefault(p.hex, Store(p.hex, 0, {}))
        if p.organic_of is None:
            store.free += p.load
        else:
            store.organic[p.organic_of] = store.organic.get(p.organic_of, 0) + p.load
    for c in craft(board, side):
        if c.load and c.hex is not None and c.hex not in by_hex and world_of(board).sea(c.hex):
            by_hex[c.hex] = Store(c.hex, c.load, {}, afloat=True)
        elif c.load and c.hex in by_hex and by_hex[c.hex].afloat:
            by_hex[c.hex].free += c.load
    return iter(by_hex[hex] for hex in sorted(by_hex))


def take(board: Board, side: str, hex: str, t: int, formation: str | None = None) -> int:
    """Take up to `t` T from a hex; return the number taken.

    They come from the ground first, then from points without a formation, then from the formation's trucks.
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
    """Put T on the ground of a hex; return the side that owns them then.

    On an enemy dump without a combat unit of the side they join that dump (R-304), and do not count as fresh
    (R-124).
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
    """Remove T from the ground of a hex, those that are not fresh first."""
    tracks = T.of(game)
    dump = tracks.dumps[hex]
    if dump.t == t:
        del tracks.dumps[hex]
    else:
        tracks.dumps[hex] = replace(dump, t=dump.t - t)
