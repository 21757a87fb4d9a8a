"""Marching: what a hex costs, what is forbidden, how far a stack can go (4.4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.faults import illegal
from pbem.kit.ways import Ways, steps, ways
from pbem.rules import Diagnostic

from ..pieces import Board, left, winter, world_of
from ..statics import TRAINS
from ..zones import alone_hexes, occupied_hexes, zone

RULE = "4.4.2"


@dataclass(frozen=True)
class Ground:
    """What the ground is like for one side at one moment: enemies, their zones, the season.

    `alone` are hexes with enemy leaders or HQs and nobody else, which only combat units enter (R-103).
    """

    enemies: frozenset[str]
    zones: frozenset[str]
    alone: frozenset[str]
    winter: bool

    @classmethod
    def of(cls, board: Board, side: str) -> Ground:
        """The ground as it is now."""
        enemy = world_of(board).enemy(side)
        return cls(occupied_hexes(board, enemy), zone(board, side), alone_hexes(board, enemy), winter(board))


@dataclass(frozen=True)
class Stack:
    """What matters of those that march together: the least allowance, whether a train or a combat unit is
    among them.
    """

    allowance: int
    trains: bool
    troops: bool

    @classmethod
    def of(cls, board: Board, ids: Sequence[str]) -> Stack:
        """Leaders go with any unit, or alone with an allowance of their own."""
        marching = left(board, ids)
        alone = world_of(board).tables.movement["leader"]
        trains, troops = any(u.type in TRAINS for u in marching), any(u.is_combat for u in marching)
        return cls(min((u.row.ma for u in marching), default=alone), trains, troops)


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


def step_fault(board: Board, ground: Ground, stack: Stack, one: str, other: str) -> tuple[str, str] | None:
    """Why a stack may not take a step at all, by E-MOV-1 to E-MOV-5 in this order: code and words."""
    world = world_of(board)
    on_map = other in world.terrain
    if on_map and world.is_sea(other):
        return "E-MOV-1", f"{other} is a sea hex"
    if on_map and world.adjacent(one, other) and world.prohibited(one, other):
        what = world.barrier(one, other).replace("_", " ")
        return "E-MOV-2", f"the hexside between {one} and {other} ({what}) cannot be crossed"
    if other in ground.enemies:
        return "E-MOV-3", f"{other} is enemy-occupied"
    if other in ground.alone and not stack.troops:
        return "E-MOV-3", f"only combat units enter {other}, where an enemy leader or HQ is"
    if not on_map:
        return "E-MOV-4", f"{other} is off the map"
    if not world.adjacent(one, other):
        return "E-MOV-4", f"{other} is not adjacent to {one}"
    if stack.trains and world.terrain[other] in ("forest", "rough") and not world.road(one, other):
        return "E-MOV-5", f"trains enter {other} ({world.terrain[other]}) by road only"
    return None


@dataclass(frozen=True)
class March:
    """A way that was walked on paper: what it costs and the first thing wrong with it."""

    cost: int
    fault: Diagnostic | None
    in_zone: bool


def march(
    board: Board, ground: Ground, stack: Stack, start: str, path: Sequence[str], extra: int = 0
) -> March:
    """Follow a path step by step; `extra` points are spent besides (on rails that are cut)."""
    spent = 0
    for n, here, there in steps(start, path):
        wrong = step_fault(board, ground, stack, here, there)
        if wrong is None and n > 0 and here in ground.zones:
            wrong = "E-MOV-6", f"{here} is in an enemy zone, the move ends there"
        if wrong is not None:
            return March(spent, illegal(wrong[0], RULE, wrong[1], "path", n), here in ground.zones)
        spent += cost(board, ground, here, there)
    one_hex = len(path) == 1 and not extra and stack.allowance >= 1
    fault = None
    if spent + extra > stack.allowance and not one_hex:
        message = f"the move costs {spent + extra}, the allowance is {stack.allowance}"
        fault = illegal("E-MOV-6", RULE, message, "path")
    return March(spent, fault, bool(path) and path[-1] in ground.zones)


def marches(board: Board, ground: Ground, stack: Stack, start: str) -> Ways:
    """Every hex that a stack can march to, and how."""

    def step(one: str, other: str) -> int | None:
        wrong = step_fault(board, ground, stack, one, other)
        return cost(board, ground, one, other) if wrong is None else None

    stop, most = ground.zones.__contains__, stack.allowance
    return ways(world_of(board), start, step, most, stop=stop, first_hex_always=most >= 1)
