"""Marching: what a hex costs, what is forbidden, how far a stack can go (4.4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kit.faults import illegal
from pbem.kit.ways import Travel
from pbem.rules import Diagnostic, Message, dataclass

from ..pieces import Board, left, winter, world_of
from ..statics import TRAINS
from ..zones import alone_hexes, occupied_hexes, zone

RULE = "4.4.2"


@dataclass(frozen=True)
class Ground:
    """The ground for one side at one moment: enemies, their zones, the season.

    `alone` are hexes with enemy leaders or HQs and nobody else, which only combat units enter (R-103).
    """

    enemies: frozenset[str]
    zones: frozenset[str]
    alone: frozenset[str]
    winter: bool

    @classmethod
    def of(cls, board: Board, side: str) -> Ground:
        """Return the ground as it is now."""
        enemy = world_of(board).enemy(side)
        return cls(occupied_hexes(board, enemy), zone(board, side), alone_hexes(board, enemy), winter(board))


@dataclass(frozen=True)
class Stack:
    """The relevant values of a marching stack: least allowance, and whether it has trains or combat units."""

    allowance: int
    trains: bool
    troops: bool

    @classmethod
    def of(cls, board: Board, ids: Sequence[str]) -> Stack:
        """Return the stack of these counters; leaders go with any unit, or alone with their own allowance."""
        marching = left(board, ids)
        alone = world_of(board).tables.movement["leader"]
        trains, troops = any(u.type in TRAINS for u in marching), any(u.is_combat for u in marching)
        return cls(min((u.row.ma for u in marching), default=alone), trains, troops)


def cost(board: Board, ground: Ground, one: str, other: str) -> int:
    """Return movement points for a step between adjacent land hexes, legal or not."""
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
    """E-MOV-1 to E-MOV-5: Return why a stack may not take a step at all, in this order: code and words."""
    world = world_of(board)
    on_map = other in world.terrain
    if on_map and world.is_sea(other):
        return "E-MOV-1", Message("wbts.land.sea-hex", other=other)
    if on_map and world.adjacent(one, other) and world.prohibited(one, other):
        what = world.barrier(one, other).replace("_", " ")
        return "E-MOV-2", Message("wbts.land.hexside-between", one=one, other=other, what=what)
    if other in ground.enemies:
        return "E-MOV-3", Message("wbts.cleanup.enemy-occupied", hex=other)
    if other in ground.alone and not stack.troops:
        return "E-MOV-3", Message("wbts.land.only-combat-units-enter", other=other)
    if not on_map:
        return "E-MOV-4", Message("wbts.land.off-map", other=other)
    if not world.adjacent(one, other):
        return "E-MOV-4", Message("wbts.land.not-adjacent", other=other, one=one)
    if stack.trains and world.terrain[other] in ("forest", "rough") and not world.road(one, other):
        return "E-MOV-5", Message("wbts.land.trains-enter", other=other, terrain=world.terrain[other])
    return None


def marching(board: Board, ground: Ground, stack: Stack, extra: int = 0) -> Travel:
    """Return the rules of a stack's march: at least one hex, none onward from an enemy zone.

    `extra` points are spent besides (to cut rails).
    """

    def step(one: str, other: str) -> int | Diagnostic:
        wrong = step_fault(board, ground, stack, one, other)
        return illegal(wrong[0], RULE, wrong[1]) if wrong else cost(board, ground, one, other)

    def stop(hex: str) -> Diagnostic | None:
        message = Message("wbts.land.enemy-zone", hex=hex)
        return illegal("E-MOV-6", RULE, message) if hex in ground.zones else None

    def over(spent: int) -> Diagnostic:
        message = Message("wbts.land.move-costs", spent=spent + extra, allowance=stack.allowance)
        return illegal("E-MOV-6", RULE, message)

    always = stack.allowance >= 1 and not extra
    return Travel(world_of(board), step, stack.allowance - extra, over, stop, always)
