"""Supply lines (rule 4.8.4): who can trace to what.

A supply line is a chain of adjacent hexes with at most two off-road land steps. Roads and the sea between
friendly ports cost nothing; enemies and foreign bases bar the way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.kit.costs import StepCosts
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


def step_costs(board: Board, player: str) -> StepCosts:
    """What a step of a supply line costs: nothing by road, by sea and into or out of a friendly port; 1 off
    the road; there is none over other coasts (4.8.4)."""
    world = world_of(board)
    chart, infantry = world.map, world.types["IN"]
    sea = {i for i in chart.hexes if world.is_sea(chart.number(i))}
    ports = {chart.index(h) for h in world.bases if friendly_port(board, player, h)}
    open_ground = {i for i in chart.hexes if i in sea or world.enterable(infantry, chart.number(i))}
    steps: dict[tuple[int, int], int | None] = {
        step: 0 for a, b in chart.links("road") for step in ((a, b), (b, a))
    }
    for land in chart.hexes:
        for near in chart.neighbours(land) if land not in sea else ():
            if near in sea:
                steps[land, near] = steps[near, land] = 0 if land in ports else None
    entry = [(0 if i in sea else 1) if i in open_ground else None for i in range(len(chart.table))]
    return StepCosts(chart, entry, steps)


def barred(board: Board, player: str, hex: str) -> bool:
    """Whether no supply line may enter a hex: enemies there, or a foreign base (4.8.4)."""
    return enemy_occupied(board, player, hex) or foreign_base(board, player, hex)


class Lines:
    """All supply lines of a side to some goals, in the position as it was when this was made."""

    def __init__(self, board: Board, player: str, goals: Iterable[str]) -> None:
        world = world_of(board)
        chart = self._map = world.map
        shut = {chart.index(h) for h in world.hexes if barred(board, player, h)}
        limit = world.numbers.supply_off_road_steps
        sources = [chart.index(goal) for goal in goals]
        self._net = supply_net(step_costs(board, player), sources, limit=limit, closed=shut)

    def reach(self, hex: str) -> bool:
        """Whether a line runs from a hex to one of the goals; a goal reaches itself."""
        return self._map.index(hex) in self._net

    def cost(self, hex: str) -> int | None:
        """Off-road steps of the cheapest line, None when there is none."""
        return self._net.cost(self._map.index(hex))

    def path(self, hex: str) -> tuple[str, ...] | None:
        """The chain of hexes from a hex to its goal, both included; None when there is none."""
        found = self._net.trace(self._map.index(hex))
        return None if found is None else self._map.numbers(found.chain)


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
