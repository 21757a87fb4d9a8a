"""Movement search: where a unit can go with what it may spend, and how. Dijkstra over the map's table.

There is one search, and it asks for the cost of each step: what a step costs depends on who moves, on zones
of control that are left and entered, on bridges, on the weather. Where a chart says it all, `StepCosts.step`
is the call-back. A unit reaches a few hundred locations; a second search over costs kept as data was no more
than a tenth faster.

Of several cheapest paths the same one is always found: locations are taken up by cost, then by number, and
each keeps the first neighbour from which it was reached at its cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from pbem.text.dataclass import dataclass

Table = Sequence[Sequence[int]]
Step = Callable[[int, int], int | None]


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a unit can go from `start`, itself included: `costs` by location, cheapest first."""

    start: int
    costs: dict[int, int]
    origins: dict[int, int]

    def __contains__(self, hex: object) -> bool:
        return hex in self.costs

    @property
    def hexes(self) -> tuple[int, ...]:
        """The locations within reach, ascending."""
        return tuple(sorted(self.costs))

    def path_to(self, hex: int) -> tuple[int, ...]:
        """The way from `start` to `hex`, both included. `KeyError` for what is out of reach."""
        path = [hex]
        while path[-1] != self.start:
            path.append(self.origins[path[-1]])
        return tuple(reversed(path))


def reach(
    table: Table,
    start: int,
    limit: int,
    cost: Step,
    *,
    stop: Callable[[int], bool] | None = None,
    first_hex_always: bool = False,
) -> Reach:
    """All locations that can be entered for at most `limit`. `table` is that of the map.

    `cost(origin, target)` is the cost of a step between neighbours, a whole number from 0 up, or None when it
    is prohibited. A hex for which `stop(hex)` holds may be entered but not left, unless it is the start. With
    `first_hex_always` a unit may enter any one neighbour that is not prohibited, at what it costs, even
    beyond the limit, and goes no further.
    """
    size = len(table)
    best: dict[int, int] = {start: 0}
    origins: dict[int, int] = {}
    final: dict[int, int] = {}
    heap = [start]  # cost * size + hex
    while heap:
        spent, hex = divmod(heappop(heap), size)
        if hex in final:
            continue
        final[hex] = spent
        at_start = hex == start
        if not at_start and (spent > limit or (stop is not None and stop(hex))):
            continue
        for target in table[hex]:
            if target in final or (step := cost(hex, target)) is None:
                continue
            if step < 0:
                raise ValueError(f"the step from {hex} to {target} costs {step}")
            total = spent + step
            if total > limit and not (at_start and first_hex_always):
                continue
            if target not in best or total < best[target]:
                best[target], origins[target] = total, hex
                heappush(heap, total * size + target)
    return Reach(start, final, origins)
