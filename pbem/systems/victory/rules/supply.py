"""Supply lines (4.8.4), unsupplied blocks (4.8.1), and the yield of cities (4.10.1, `city_supply`).

A supply line is a chain of adjacent hexes with at most two off-road land steps. Roads, and the sea between
friendly ports, cost nothing. Enemies and foreign bases block it, as do unknown blocks in a player's view.
There, hexes of unseen enemies are open.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.costs import StepCosts
from pbem.kit.supply import supply_net
from pbem.rules import Board, Game, Overlay

from .blocks import Block
from .sides import Side, controller, sides_of
from .world import world_of


def step_costs(side: Side) -> StepCosts:
    """4.8.4: Return the costs of a supply line's steps.

    Steps by road, by sea and through friendly ports cost 0, others on land 1. Other coasts cannot be crossed.
    """
    world, chart, infantry = side.world, side.world.map, side.world.types["IN"]
    sea = {i for i in chart.hexes if world.is_sea(chart.number(i))}
    ports = {chart.index(h) for h in world.bases if side.friendly_port(h)}
    open_ground = {
        i for i in chart.hexes if i in sea or world.ground[chart.number(i)].cost(infantry) is not None
    }
    steps: dict[tuple[int, int], int | None] = {
        step: 0 for a, b in chart.links("road") for step in ((a, b), (b, a))
    }
    for land in chart.hexes:
        for near in chart.neighbours(land) if land not in sea else ():
            if near in sea:
                steps[land, near] = steps[near, land] = 0 if land in ports else None
    entry = [(0 if i in sea else 1) if i in open_ground else None for i in range(len(chart.table))]
    return StepCosts(chart, entry, steps)


class Lines:
    """All supply lines of a side to some goals, in the position when this was made."""

    def __init__(self, side: Side, goals: Iterable[str]) -> None:
        world, chart = side.world, side.world.map
        self._map = chart
        shut = {chart.index(h) for h in world.hexes if side.enemy_in(h) or side.foreign_base(h)}
        limit = world.numbers.supply_off_road_steps
        sources = [chart.index(goal) for goal in goals]
        self._net = supply_net(step_costs(side), sources, limit=limit, closed=shut)

    def reach(self, hex: str) -> bool:
        """Return True if a line runs from a hex to a goal; a goal reaches itself."""
        return self._map.index(hex) in self._net

    def cost(self, hex: str) -> int | None:
        """Return the off-road steps of the cheapest line from a hex, or None."""
        return self._net.cost(self._map.index(hex))

    def path(self, hex: str) -> tuple[str, ...] | None:
        """Return the hexes of the line from a hex to its goal, both included, or None."""
        trace = self._net.trace(self._map.index(hex))
        return None if trace is None else self._map.numbers(trace.chain)


def exempt(block: Block) -> bool:
    """4.8.1: Return True for blocks that never need supply: naval, SU, RS, aircraft aboard."""
    return block.cls in ("naval", "logistic") or (block.cls == "air" and block.aboard is not None)


def unsupplied(board: Board, city_supply: bool) -> list[Block]:
    """4.8.1: Return all unsupplied blocks by id; with `city_supply`, isolated cities supply only a few."""
    hungry: dict[str, Block] = {}
    alone: list[tuple[str, Side]] = []
    for side in sides_of(board):
        isolated = isolated_cities(board, side.player) if city_supply else []
        alone += [(city, side) for city in isolated]
        lines = Lines(side, [b for b in side.bases() if b not in isolated])
        hungry |= {u.id: u for u in side.units() if not exempt(u) and not lines.reach(u.hex)}
    for city, side in sorted(alone, key=lambda pair: pair[0]):
        for id in _fed_by(side, city, hungry):
            del hungry[id]
    return [hungry[id] for id in sorted(hungry)]


def _fed_by(side: Side, city: str, hungry: dict[str, Block]) -> list[str]:
    """R-68: Return the blocks that an isolated city supplies: as many as its PP, nearest first, by id."""
    world, lines = side.world, Lines(side, [city])
    near = [u for u in side.units() if u.id in hungry and lines.reach(u.hex)]
    near.sort(key=lambda u: (world.distance(u.hex, city), u.id))
    return [u.id for u in near[: world.bases[city].pp]]


def cities_in_touch(board: Board, player: str, city: str) -> list[str]:
    """4.10.1: Return the other friendly cities to which a city can trace a supply line, by number."""
    side = Side(board, player)
    return [c for c in side.cities() if c != city and Lines(side, [c]).reach(city)]


def isolated_cities(board: Board, player: str) -> list[str]:
    """4.10.1: Return the friendly cities that can trace to no other friendly city (`city_supply`)."""
    return [c for c in Side(board, player).cities() if not cities_in_touch(board, player, c)]


def city_yield(board: Board, city: str, city_supply: bool) -> int:
    """4.10.1: Return the PP that a city gives its controller this game turn, 0 without a controller."""
    who, base = controller(board, city), world_of(board).bases[city]
    if who is None or not base.city:
        return 0
    return min(base.pp, len(cities_in_touch(board, who, city))) if city_supply else base.pp


def supply_overlays(board: Game) -> list[Overlay]:
    """Return overlays of supply: each side's supplied hexes, and each player's unsupplied blocks.

    A side is listed under its first player. Unknown blocks of a view are left out.
    """
    lines = {side.player: Lines(side, side.bases()) for side in sides_of(board)}
    hexes = world_of(board).hexes
    overlays = [Overlay("supply", player, tuple(filter(net.reach, hexes))) for player, net in lines.items()]
    hungry: dict[str, list[str]] = {}
    for block in unsupplied(board, bool(board.options["city_supply"])):
        hungry.setdefault(block.owner, []).append(block.id)
    overlays += [Overlay("unsupplied", owner, (), counters=tuple(ids)) for owner, ids in hungry.items()]
    return overlays
