"""Ships: they need no initiative and move once in the free initiative segment (4.4.1)."""

from __future__ import annotations

from typing import cast

from pbem.kit.movement import Reach, reach

from ..command import Fault
from ..pieces import Board, is_leader, is_unit, leader, unit, units, world_of
from ..zones import enemy_occupied, owner
from .model import Sail

PASSAGE = "naval_transport"  # whoever takes a passage goes as far as a transport


def sail_fault(board: Board, side: str, one: Sail) -> Fault | None:
    """Why ships may not sail this way: who they are, then hex by hex."""
    for n, id in enumerate(one.units):
        if (fault := _crew_fault(board, side, id)) is not None:
            return Fault(fault.code, fault.message, ("units", n))
    starts = sorted({str(board.position.counters[id]["hex"]) for id in one.units})
    ships = [unit(board, id) for id in one.units if is_unit(board, id)]
    if len(starts) != 1:
        return Fault("E-MOV-7", "ships that sail together begin in one hex", ("units",))
    world = world_of(board)
    here, guns = starts[0], guarded(board, side)
    harbour = one.path[-1] if one.path and not ships else None
    if not ships and not (is_port(board, side, here) and harbour and is_port(board, side, harbour)):
        return Fault("E-MOV-7", "naval leaders go with ships, or from port to port", ("units",))
    for n, there in enumerate(one.path):
        if there not in world.terrain or not world.adjacent(here, there):
            return Fault("E-MOV-4", f"{there} is not adjacent to {here}", ("path", n))
        if not world.navigable(there) and (there != harbour or n + 1 < len(one.path)):
            return Fault("E-MOV-1", f"no ships can be in {there}", ("path", n))
        if enemy_ships(board, there, side):
            return Fault("E-MOV-3", f"enemy ships are in {there}", ("path", n))
        if n > 0 and here in guns:
            message = f"{here} lies under the guns of a fort, ships end their move there"
            return Fault("E-MOV-6", message, ("path", n))
        here = there
    least = min((each.ma for each in ships), default=world.tables.types[PASSAGE].ma)
    if not 1 <= len(one.path) <= least:
        return Fault("E-MOV-6", f"the way has {len(one.path)} hexes, the ships can go 1-{least}", ("path",))
    return None


def _crew_fault(board: Board, side: str, id: str) -> Fault | None:
    """Ships, and naval leaders with them, of one side, that have not moved."""
    fields = board.position.counters.get(id)
    ours = fields is not None and fields["side"] == side
    if not ours or not ((is_unit(board, id) and unit(board, id).is_naval) or is_sailor(board, id)):
        return Fault("E-MOV-7", f"{id} is no ship of {side}")
    if fields is not None and fields.get("moved"):
        return Fault("E-FREE-3", f"{id} has already moved")
    return None


def is_sailor(board: Board, id: str) -> bool:
    """A naval leader on the map."""
    return is_leader(board, id) and leader(board, id).naval and leader(board, id).on_map


def is_port(board: Board, side: str, hex: str) -> bool:
    """An own settlement, fort or naval base on navigable water or beside it, without enemies (R-104)."""
    world = world_of(board)
    held = owner(board, hex) == side or any(u.type == "naval_base" for u in units(board, side, hex))
    afloat = any(world.navigable(each) for each in (hex, *world.neighbours(hex)))
    return held and afloat and not enemy_occupied(board, hex, side)


def passages(board: Board, side: str, start: str) -> Reach:
    """Every hex that a naval leader without ships can come to from a port; he gets off in ports only."""
    world = world_of(board)
    grid = world.map.grid
    guns, ports = guarded(board, side), ports_of(board, side)

    def step(origin: int, target: int) -> int | None:
        there = grid.number(target)
        if there in ports and not enemy_ships(board, there, side):
            return 1
        return 1 if world.navigable(there) and not enemy_ships(board, there, side) else None

    def stop(hex: int) -> bool:
        return grid.number(hex) in guns or not world.navigable(grid.number(hex))

    return reach(grid.table, grid.index(start), world.tables.types[PASSAGE].ma, step, stop=stop)


def ports_of(board: Board, side: str) -> frozenset[str]:
    """All ports of a side."""
    world = world_of(board)
    bases = {u.hex for u in units(board, side) if u.type == "naval_base"}
    return frozenset(hex for hex in {*world.settlements, *world.forts, *bases} if is_port(board, side, hex))


def enemy_ships(board: Board, hex: str, side: str) -> bool:
    """Whether enemy ships are in a hex; an unknown stack on the water is taken for ships."""
    world = world_of(board)
    there = units(board, world.enemy(side), hex)
    return any(each.is_naval or (not each.known and world.navigable(hex)) for each in there)


def guarded(board: Board, side: str) -> frozenset[str]:
    """Hexes of enemy forts and fortresses that hold strength, and all beside them (ruling R-90)."""
    world = world_of(board)
    enemy = world.enemy(side)
    owners = cast("dict[str, str]", board.position.tracks["fort_owner"])
    armed = [
        hex
        for hex, whose in sorted(owners.items())
        if whose == enemy and any(u.is_land and (u.sp or not u.known) for u in units(board, enemy, hex))
    ]
    return frozenset(near for hex in armed for near in (hex, *world.neighbours(hex)))


def sails(board: Board, side: str, id: str) -> Reach:
    """Every hex that a ship can sail to, and how."""
    world = world_of(board)
    grid = world.map.grid
    here, guns = unit(board, id), guarded(board, side)

    def step(origin: int, target: int) -> int | None:
        there = grid.number(target)
        return 1 if world.navigable(there) and not enemy_ships(board, there, side) else None

    start = grid.index(here.hex)
    return reach(grid.table, start, here.ma, step, stop=lambda hex: grid.number(hex) in guns)
