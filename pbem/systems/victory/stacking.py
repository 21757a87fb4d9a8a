"""Stack limits, airbases, and changes to blocks: moving, steps, elimination, new blocks (2.6, 4.4.12)."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from .holding import friendly_base
from .unit import Board, Unit, mark, side_units, unit, units, world_of
from .world import Class


def stack_limit(board: Board, hex: str, cls: Class) -> int:
    """How many blocks of a class one side may have in a hex."""
    world, n = world_of(board), world_of(board).numbers
    if cls == "air":
        return n.stack_air
    if cls == "logistic":
        return n.stack_logistic
    if cls == "naval":
        return n.stack_naval_port if world.is_port(hex) else n.stack_naval_sea
    return n.stack_ground_city if world.is_city(hex) else n.stack_ground_open


def stack_room(
    board: Board, player: str, hex: str, code: str, count: int = 1, ignore: Collection[str] = ()
) -> bool:
    """Whether ``count`` more blocks of a type fit beside those of the side already there (2.6)."""
    cls = world_of(board).types[code].cls
    there = [u for u in side_units(board, player, hex) if u.cls == cls and u.id not in ignore]
    return len(there) + count <= stack_limit(board, hex, cls)


def passengers(board: Board, carrier: str) -> list[Unit]:
    """Air blocks aboard a carrier, by id."""
    if carrier not in board.position.counters:
        return []
    return [u for u in units(board, hex=unit(board, carrier).hex) if u.aboard == carrier]


def landing(
    board: Board, player: str, air: Unit, hex: str, carrier: str | None = None
) -> tuple[bool, str | None]:
    """Where an air block may come down in a hex (4.4.12): (possible, carrier id or None for the ground).

    A friendly base comes first, then the carrier with the lowest id, then an engineer that has not moved;
    a named carrier is taken instead. Room is judged without the block itself.
    """
    if not stack_room(board, player, hex, air.type, ignore=(air.id,)):
        return False, None
    decks = [
        u.id
        for u in side_units(board, player, hex)
        if u.cls == "naval"
        and u.known
        and u.kind.has("airbase")
        and air.kind.has("carrier")
        and len([p for p in passengers(board, u.id) if p.id != air.id])
        < world_of(board).numbers.air_on_carrier
    ]
    if carrier is not None:
        return carrier in decks, carrier if carrier in decks else None
    if friendly_base(board, player, hex):
        return True, None
    if decks:
        return True, decks[0]
    return _engineer_room(board, player, air, hex), None


def _engineer_room(board: Board, player: str, air: Unit, hex: str) -> bool:
    there = side_units(board, player, hex)
    fields = [u for u in there if u.cls == "ground" and u.known and u.kind.has("airbase") and not u.moved]
    guests = [u for u in there if u.cls == "air" and u.aboard is None and u.id != air.id]
    return len(guests) < len(fields) * world_of(board).numbers.air_on_engineer


def airbases(
    board: Board, air: Unit, centre: str, radius: int, without: Collection[str] = ()
) -> list[tuple[str, str | None]]:
    """Where an air block may land within a radius, as (hex, carrier): nearest, then by number (4.4.12)."""
    world = world_of(board)
    found = []
    for hex in world.within(centre, radius):
        if hex in without:
            continue
        possible, deck = landing(board, air.owner, air, hex)
        if possible:
            found.append((world.distance(centre, hex), hex, deck))
    return [(hex, deck) for _, hex, deck in sorted(found, key=lambda f: f[:2])]


def on_airbase(board: Board, air: Unit) -> bool:
    """Whether an air block stands on an airbase where it is (4.4.12, 4.6.10)."""
    if air.aboard is not None and air.aboard in board.position.counters:
        return True
    return friendly_base(board, air.owner, air.hex) or _engineer_room(board, air.owner, air, air.hex)


# changing blocks


def relocate(board: Board, id: str, hex: str) -> None:
    """Put a block into a hex; what is aboard goes with it. No rule is checked here."""
    for guest in passengers(board, id):
        board.position.move(guest.id, hex)
    board.position.move(id, hex)


def eliminate(board: Board, id: str) -> None:
    """Take a block off the map into its owner's pool (2.4); aircraft it carried stay in the hex."""
    lost = unit(board, id)
    for guest in passengers(board, id):
        mark(board, guest.id, aboard=None)
    pools = cast("dict[str, dict[str, int]]", board.position.tracks.setdefault("pool", {}))
    pool = pools.setdefault(lost.owner, {})
    pool[lost.type] = pool.get(lost.type, 0) + 1
    board.position.remove(id)


def lose_step(board: Board, id: str) -> bool:
    """One step off a block; True when that eliminated it (4.6.7, 4.7.1, 4.8.3)."""
    block = unit(board, id)
    left = block.kind.less(block.cv)
    if left == 0:
        eliminate(board, id)
        return True
    board.position.set(id, cv=left)
    return False


def gain_step(board: Board, id: str) -> bool:
    """One step more; False, and nothing done, at full strength (4.10.3)."""
    block = unit(board, id)
    more = block.kind.more(block.cv)
    if more is None:
        return False
    board.position.set(id, cv=more)
    return True


def pool_of(board: Board, player: str) -> dict[str, int]:
    """Blocks a player has off the map, by type."""
    pools = cast("dict[str, dict[str, int]]", board.position.tracks.get("pool", {}))
    return dict(pools.get(player, {}))


def place_new(board: Board, player: str, code: str, cv: int, hex: str) -> str:
    """A block from the pool onto the map; its new id. Ids are never used twice (4.10.3, 4.10.6)."""
    tracks = board.position.tracks
    pool = cast("dict[str, dict[str, int]]", tracks["pool"])[player]
    assert pool.get(code, 0) > 0, f"no {code} in the pool of {player}"
    pool[code] -= 1
    if not pool[code]:
        del pool[code]
    made = cast("dict[str, dict[str, int]]", tracks.setdefault("made", {})).setdefault(player, {})
    made[code] = made.get(code, 0) + 1
    id = f"{world_of(board).prefix(player)}-{code}{made[code]}"
    board.position.add(id, {"owner": player, "type": code, "cv": cv, "hex": hex})
    return id
