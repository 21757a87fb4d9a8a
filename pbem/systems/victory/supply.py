"""Supply lines (rule 4.8.4): who can trace to what.

A supply line is a chain of adjacent hexes with at most two off-road land steps. Roads and the sea between
friendly ports cost nothing; enemies and foreign bases bar the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from pbem.kit.supply import supply_net

from .blocks import (
    Board,
    Unit,
    enemy_occupied,
    foreign_base,
    friendly_base,
    friendly_port,
    units,
    world_of,
)


def step_cost(board: Board, player: str) -> Callable[[str, str], int | None]:
    """What a step of a supply line costs: 0, 1, or None when there is none (4.8.4)."""
    world = world_of(board)
    infantry = world.types["IN"]
    ports = {h: friendly_port(board, player, h) for h in world.bases}

    def cost(one: str, to: str) -> int | None:
        if world.is_sea(one) or world.is_sea(to):
            return 0 if all(world.is_sea(h) or ports.get(h, False) for h in (one, to)) else None
        if world.road(one, to):
            return 0
        return 1 if world.enterable(infantry, to) else None

    return cost


def barred(board: Board, player: str, hex: str) -> bool:
    """Whether no supply line may enter a hex: enemies there, or a foreign base (4.8.4)."""
    return enemy_occupied(board, player, hex) or foreign_base(board, player, hex)


class Lines:
    """All supply lines of a side to some goals, in the position as it was when this was made."""

    def __init__(self, board: Board, player: str, goals: Iterable[str]) -> None:
        world = world_of(board)
        grid = self._grid = world.map.grid
        names = [grid.number(i) for i in range(len(grid.table))]
        shut = [barred(board, player, h) if h in world.terrain else True for h in names]
        price = step_cost(board, player)
        self._net = supply_net(
            grid.table,
            sorted(grid.index(g) for g in goals),
            lambda one, to: price(names[one], names[to]),
            limit=world.numbers.supply_off_road_steps,
            blocked=lambda hex: shut[hex],
        )

    def reach(self, hex: str) -> bool:
        """Whether a line runs from a hex to one of the goals; a goal reaches itself."""
        return self._grid.index(hex) in self._net

    def cost(self, hex: str) -> int | None:
        """Off-road steps of the cheapest line, None when there is none."""
        return self._net.cost(self._grid.index(hex))

    def path(self, hex: str) -> tuple[str, ...] | None:
        """The chain of hexes from a hex to its goal, both included; None when there is none."""
        found = self._net.trace(self._grid.index(hex))
        return None if found is None else self._grid.numbers(found.chain)


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
            goals = [b for b in supply_bases(board, block.owner) if b not in without]
            lines[team] = Lines(board, block.owner, goals)
        if not lines[team].reach(block.hex):
            lost.append(block)
    return lost
