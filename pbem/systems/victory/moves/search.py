"""Searching the map for the ends of a move: hexes in reach with the cheapest way to each."""

from __future__ import annotations

from collections.abc import Callable

from pbem.kit.movement import reach

from ..world import World


def ways(
    world: World,
    start: str,
    cost: Callable[[str, str], int | None],
    limit: int,
    stop: Callable[[str], bool] | None = None,
    *,
    minimum_move: bool = False,
) -> dict[str, tuple[str, ...]]:
    """Hex -> cheapest path from the start (both included) within a cost limit, by number; without the start.

    `cost` is that of a step, None where there is none; a path goes no further from a hex where `stop` holds.
    With `minimum_move` any single step that has a cost is in reach (4.4.2).
    """
    grid = world.map
    names = [grid.number(i) for i in range(len(grid.table))]
    found = reach(
        grid.table,
        grid.index(start),
        limit,
        lambda one, to: cost(names[one], names[to]),
        stop=None if stop is None else lambda hex: stop(names[hex]),
        first_hex_always=minimum_move,
    )
    return {names[h]: tuple(names[i] for i in found.path_to(h)) for h in found.hexes if names[h] != start}
