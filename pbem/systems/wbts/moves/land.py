"""Marching: what a hex costs, what is forbidden, how far a stack can go (4.4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.movement import Reach, reach

from ..command import Fault
from ..pieces import Board, is_leader, unit, winter, world_of
from ..statics import TRAINS
from ..zones import alone_hexes, occupied_hexes, zone


@dataclass(frozen=True)
class Ground:
    """What the ground is like for one side at one moment: enemies, their zones, the season.

    `alone` are hexes with enemy leaders or HQs and nobody else, which only combat units enter (R-103).
    """

    enemies: frozenset[str]
    zones: frozenset[str]
    winter: bool
    alone: frozenset[str] = frozenset()

    @classmethod
    def of(cls, board: Board, side: str) -> Ground:
        """The ground as it is now."""
        world = world_of(board)
        enemy = world.enemy(side)
        return cls(occupied_hexes(board, enemy), zone(board, side), winter(board), alone_hexes(board, enemy))


@dataclass(frozen=True)
class Stack:
    """What matters of those that march together: the least allowance, whether a train or a combat unit is
    among them.
    """

    allowance: int
    trains: bool
    troops: bool = True

    @classmethod
    def of(cls, board: Board, ids: Sequence[str]) -> Stack:
        """Leaders go with any unit, or alone with an allowance of their own."""
        marching = [unit(board, id) for id in ids if not is_leader(board, id)]
        alone = world_of(board).tables.movement["leader"]
        least = min((each.ma for each in marching), default=alone)
        trains = any(each.type in TRAINS for each in marching)
        return cls(least, trains, any(each.is_combat for each in marching))


def cost(board: Board, ground: Ground, one: str, other: str) -> int:
    """Movement points for a step between adjacent land hexes, whatever may forbid it."""
    world = world_of(board)
    table, crossing = world.tables.movement, world.crossing(one, other)
    leaving = table["leave_zone"] if one in ground.zones else 0
    if world.road(one, other):
        return leaving + (table["ferry_road"] if crossing == "ferry" else table["road"])
    points = leaving + world.tables.terrain_cost[world.terrain[other]]
    if crossing == "ferry":
        points += table["ferry"]
    elif world.river_like(one, other) and crossing == "none":
        points += table["river_winter"] if ground.winter else table["river"]
    return points


def step_fault(board: Board, ground: Ground, stack: Stack, one: str, other: str) -> Fault | None:
    """Why a stack may not take a step at all, by E-MOV-1 to E-MOV-5 in this order."""
    world = world_of(board)
    on_map = other in world.terrain
    if on_map and world.is_sea(other):
        return Fault("E-MOV-1", f"{other} is a sea hex")
    if on_map and world.adjacent(one, other) and world.prohibited(one, other):
        what = world.barrier(one, other).replace("_", " ")
        return Fault("E-MOV-2", f"the hexside between {one} and {other} ({what}) cannot be crossed")
    if other in ground.enemies:
        return Fault("E-MOV-3", f"{other} is enemy-occupied")
    if other in ground.alone and not stack.troops:
        return Fault("E-MOV-3", f"only combat units enter {other}, where an enemy leader or HQ is")
    if not on_map:
        return Fault("E-MOV-4", f"{other} is off the map")
    if not world.adjacent(one, other):
        return Fault("E-MOV-4", f"{other} is not adjacent to {one}")
    if stack.trains and world.terrain[other] in ("forest", "rough") and not world.road(one, other):
        return Fault("E-MOV-5", f"trains enter {other} ({world.terrain[other]}) by road only")
    return None


@dataclass(frozen=True)
class March:
    """A way that was walked on paper: what it costs and the first thing wrong with it."""

    cost: int
    fault: Fault | None
    in_zone: bool


def march(
    board: Board, ground: Ground, stack: Stack, start: str, path: Sequence[str], extra: int = 0
) -> March:
    """Follow a path step by step; `extra` points are spent besides (on rails that are cut)."""
    here, spent = start, 0
    for n, there in enumerate(path):
        fault = step_fault(board, ground, stack, here, there)
        if fault is not None:
            return March(spent, Fault(fault.code, fault.message, ("path", n)), False)
        if n > 0 and here in ground.zones:
            message = f"{here} is in an enemy zone, the move ends there"
            return March(spent, Fault("E-MOV-6", message, ("path", n)), True)
        spent += cost(board, ground, here, there)
        here = there
    one_hex = len(path) == 1 and not extra and stack.allowance >= 1
    if spent + extra > stack.allowance and not one_hex:
        message = f"the move costs {spent + extra}, the allowance is {stack.allowance}"
        return March(spent, Fault("E-MOV-6", message, ("path",)), here in ground.zones)
    return March(spent, None, bool(path) and here in ground.zones)


def marches(board: Board, ground: Ground, stack: Stack, start: str) -> Reach:
    """Every hex that a stack can march to, and how. Hexes are integers of the map's grid."""
    world = world_of(board)
    grid = world.map.grid
    numbers = {grid.index(hex): hex for hex in world.within(start, max(1, stack.allowance))}

    def step(origin: int, target: int) -> int | None:
        one, other = numbers[origin], numbers.get(target)
        if other is None or step_fault(board, ground, stack, one, other) is not None:
            return None
        return cost(board, ground, one, other)

    def stop(hex: int) -> bool:
        return numbers[hex] in ground.zones

    begin = grid.index(start)
    return reach(grid.table, begin, stack.allowance, step, stop=stop, first_hex_always=stack.allowance >= 1)


def by_hex(ids: Sequence[str], board: Board) -> dict[str, list[str]]:
    """Units and leaders by the hex they stand in, hexes in order."""
    found: dict[str, list[str]] = {}
    for id in ids:
        found.setdefault(str(board.position.counters[id]["hex"]), []).append(id)
    return dict(sorted(found.items()))
