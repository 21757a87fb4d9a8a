"""Riding by rail, and cutting rails (4.4.3, 4.4.4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import cast

from ..command import Fault
from ..pieces import Board, is_leader, unit, world_of
from ..statics import ZONE
from ..zones import friendly_rail
from .land import Ground


def rail_points(board: Board, side: str) -> int:
    """Rail points a side has left in this cycle."""
    return cast("dict[str, int]", board.position.tracks["rail_points"])[side]


def rail_cost(board: Board, ids: Sequence[str]) -> int:
    """One point for each unit; leaders and HQs ride free with a unit."""
    return sum(1 for id in ids if not is_leader(board, id) and not unit(board, id).is_hq)


def open_rail(board: Board, ground: Ground, side: str, hex: str) -> bool:
    """A friendly uncut rail hex, neither enemy-occupied nor in an enemy zone."""
    return friendly_rail(board, hex, side) and hex not in ground.enemies and hex not in ground.zones


def ride_fault(
    board: Board, ground: Ground, side: str, ids: Sequence[str], path: Sequence[str]
) -> Fault | None:
    """Why a ride is not allowed: E-RAIL-1 start or distance, E-RAIL-2 a hex, E-RAIL-3 points."""
    world = world_of(board)
    start = str(board.position.counters[ids[0]]["hex"])
    most = world.tables.movement["rail"]
    points = rail_cost(board, ids)
    if not points:
        return Fault("E-RAIL-1", "leaders and HQs ride only with a unit", ("units",))
    if not open_rail(board, ground, side, start):
        return Fault("E-RAIL-1", f"{start} is no friendly, uncut rail hex outside enemy zones", ("path",))
    if not 1 <= len(path) <= most:
        return Fault("E-RAIL-1", f"a ride goes over 1-{most} hexsides, not {len(path)}", ("path",))
    here = start
    for n, there in enumerate(path):
        if there not in world.terrain or not world.rail(here, there):
            return Fault("E-RAIL-2", f"no rails lead from {here} to {there}", ("path", n))
        if not open_rail(board, ground, side, there):
            inside = there in ground.zones
            why = "is in an enemy zone" if inside else "is not friendly, uncut and free of enemies"
            return Fault("E-RAIL-2", f"{there} {why}", ("path", n))
        here = there
    left = rail_points(board, side)
    if points > left:
        return Fault("E-RAIL-3", f"the ride costs {points} rail points, {side} has {left}", ("units",))
    return None


def rides(board: Board, ground: Ground, side: str, start: str) -> dict[str, tuple[str, ...]]:
    """Every hex that can be reached by rail, with the way there, nearest first."""
    if not open_rail(board, ground, side, start):
        return {}
    world = world_of(board)
    most = world.tables.movement["rail"]
    found: dict[str, tuple[str, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if len(found[here]) == most:
            continue
        for there in world.rail_lines.get(here, ()):
            if there not in found and open_rail(board, ground, side, there):
                found[there] = (*found[here], there)
                waiting.append(there)
    del found[start]
    return found


def cut_fault(board: Board, ids: Sequence[str], way: Sequence[str], hex: str) -> Fault | None:
    """Why rails cannot be cut in a hex of a move's way, its start included; points are counted elsewhere."""
    world = world_of(board)
    if not any(not is_leader(board, id) and unit(board, id).type in ZONE for id in ids):
        return Fault("E-CUT-1", "only infantry, militia and cavalry cut rails", ("cut",))
    if hex not in way:
        return Fault("E-CUT-1", f"{hex} is not on the way", ("cut",))
    if hex not in world.rail_lines or hex in cast("list[str]", board.position.tracks["rail_cut"]):
        return Fault("E-CUT-1", f"there are no rails to cut in {hex}", ("cut",))
    return None
