"""4.4.2: Marching: costs, prohibitions, reach."""

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

    `alone` are hexes with only enemy leaders or HQs, which only combat units enter (R-103).
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
    """The values of a marching stack: least allowance, and whether it has trains or combat units."""

    allowance: int
    trains: bool
    troops: bool

    @classmethod
    def of(cls, board: Board, ids: Sequence[str]) -> Stack:
        """Return the stack of these counters. Leaders alone have their own allowance."""
        marching = left(board, ids)
        alone = world_of(board).tables.movement["leader"]
        trains, troops = any(u.type in TRAINS for u in marching), any(u.is_combat for u in marching)
        return cls(min((u.row.ma for u in marching), default=alone), trains, troops)


def cost(board: Board, ground: Ground, start: str, other: str) -> int:
    """Return movement points for a step between adjacent land hexes, legal or not."""
    world = world_of(board)
    table, crossing = world.tables.movement, world.crossing(start, other)
    leaving = table["leave_zone"] if start in ground.zones else 0
    if world.road(start, other):
        return leaving + (table["ferry_road"] if crossing == "ferry" else table["road"])
    points = leaving + world.tables.terrain_cost[world.terrain[other]]
    if crossing == "ferry":
        points += table["ferry"]
    elif world.river_like(start, other) and crossing == "none":
        points += table["river_winter"] if ground.winter else table["river"]
    return points


def step_fault(board: Board, ground: Ground, stack: Stack, start: str, other: str) -> tuple[str, str] | None:
    """E-MOV-1 to E-MOV-5: Return the first fault of a step, as code and message, or None."""
    world = world_of(board)
    on_map = other in world.terrain
    if on_map and world.is_sea(other):
        return "E-MOV-1", Message("wbts.land.sea-hex", other=other)
    if on_map and world.adjacent(start, other) and world.prohibited(start, other):
        what = world.barrier(start, other).replace("_", " ")
        return "E-MOV-2", Message("wbts.land.hexside-between", one=start, other=other, what=what)
    if other in ground.enemies:
        return "E-MOV-3", Message("wbts.cleanup.enemy-occupied", hex=other)
    if other in ground.alone and not stack.troops:
        return "E-MOV-3", Message("wbts.land.only-combat-units-enter", other=other)
    if not on_map:
        return "E-MOV-4", Message("wbts.land.off-map", other=other)
    if not world.adjacent(start, other):
        return "E-MOV-4", Message("wbts.land.not-adjacent", other=other, one=start)
    if stack.trains and world.terrain[other] in ("forest", "rough") and not world.road(start, other):
        return "E-MOV-5", Message("wbts.land.trains-enter", other=other, terrain=world.terrain[other])
    return None


def marching(board: Board, ground: Ground, stack: Stack, extra: int = 0) -> Travel:
    """Return the rules of a stack's march: at least one hex, and a stop in enemy zones.

    `extra` points are spent besides to cut rails.
    """

    def step(start: str, other: str) -> int | Diagnostic:
        wrong = step_fault(board, ground, stack, start, other)
        return illegal(wrong[0], RULE, wrong[1]) if wrong else cost(board, ground, start, other)

    def stop(hex: str) -> Diagnostic | None:
        message = Message("wbts.land.enemy-zone", hex=hex)
        return illegal("E-MOV-6", RULE, message) if hex in ground.zones else None

    def over(spent: int) -> Diagnostic:
        message = Message("wbts.land.move-costs", spent=spent + extra, allowance=stack.allowance)
        return illegal("E-MOV-6", RULE, message)

    always = stack.allowance >= 1 and not extra
    return Travel(world_of(board), step, stack.allowance - extra, over, stop, always)
