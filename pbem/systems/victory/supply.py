"""Supply lines (rule 4.8.4): who can trace to what.

A supply line is a chain of adjacent hexes with at most two off-road land steps. Roads and the sea between
friendly ports cost nothing; enemies and foreign bases bar the way. The search runs backwards from the
goals, once for all units of a side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable

from .blocks import (
    Board,
    Unit,
    enemy_occupied,
    foreign_base,
    friendly_base,
    friendly_port,
    side_units,
    units,
    world_of,
)


def step_cost(board: Board, player: str) -> Callable[[str, str], int | None]:
    """What a step of a supply line costs: 0, 1, or None when there is none (4.8.4)."""
    world = world_of(board)
    infantry = world.types["IN"]

    def cost(one: str, to: str) -> int | None:
        if world.is_sea(one) or world.is_sea(to):
            land = [h for h in (one, to) if not world.is_sea(h)]
            return 0 if all(friendly_port(board, player, h) for h in land) else None
        if world.road(one, to):
            return 0
        return 1 if world.enterable(infantry, to) else None

    return cost


def barred(board: Board, player: str, hex: str) -> bool:
    """Whether no supply line may enter a hex: enemies there, or a foreign base (4.8.4)."""
    return enemy_occupied(board, player, hex) or foreign_base(board, player, hex)


class Lines:
    """All supply lines of a side to some goals, in the position as it is now."""

    def __init__(self, board: Board, player: str, goals: Iterable[str]) -> None:
        world = world_of(board)
        self.goals = tuple(sorted({*goals}))
        self.cost: dict[str, int] = {}
        self._next: dict[str, str] = {}
        limit, price = world.numbers.supply_off_road_steps, step_cost(board, player)
        shut = {h: barred(board, player, h) for h in world.hexes}
        self.cost = dict.fromkeys(self.goals, 0)
        queue = deque(self.goals)
        while queue:
            to = queue.popleft()
            if shut[to]:
                continue
            for one in world.neighbours(to):
                step = price(one, to)
                if step is None or self.cost[to] + step > limit:
                    continue
                total = self.cost[to] + step
                if total < self.cost.get(one, limit + 1):
                    self.cost[one], self._next[one] = total, to
                    queue.append(one) if step else queue.appendleft(one)

    def reach(self, hex: str) -> bool:
        """Whether a line runs from a hex to one of the goals; a goal reaches itself."""
        return hex in self.cost

    def path(self, hex: str) -> tuple[str, ...] | None:
        """The chain of hexes from a hex to its goal, both included; None when there is none."""
        if hex not in self.cost:
            return None
        chain = [hex]
        while chain[-1] in self._next:
            chain.append(self._next[chain[-1]])
        return tuple(chain)


def traces_to(board: Board, player: str, start: str, goal: str) -> bool:
    """Whether a supply line of the player's side runs from one hex to another (4.3.2, 4.8.2, 4.10.3)."""
    return Lines(board, player, [goal]).reach(start)


def supply_bases(board: Board, player: str) -> list[str]:
    """Every friendly base, by number (4.8.1)."""
    return [h for h in sorted(world_of(board).bases) if friendly_base(board, player, h)]


def exempt(block: Unit) -> bool:
    """Blocks that never need supply: naval, SU, RS, aircraft aboard a carrier (4.8.1)."""
    return block.cls in ("naval", "logistic") or (block.cls == "air" and block.aboard is not None)


def out_of_supply(board: Board, without: Collection[str] = ()) -> list[Unit]:
    """Blocks that cannot trace to a supply base, by id; ``without``: bases not counted (4.8.1)."""
    lines: dict[tuple[str, ...], Lines] = {}
    world = world_of(board)
    lost = []
    for block in units(board):
        if exempt(block):
            continue
        team = world.side(block.owner)
        if team not in lines:
            lines[team] = Lines(
                board, block.owner, [b for b in supply_bases(board, block.owner) if b not in without]
            )
        if not lines[team].reach(block.hex):
            lost.append(block)
    return lost


def in_supply_of(board: Board, player: str, hex: str) -> list[Unit]:
    """Blocks of the side that can trace a line to a hex, by id (feeding, 4.8.2)."""
    lines = Lines(board, player, [hex])
    return [u for u in side_units(board, player) if lines.reach(u.hex)]
