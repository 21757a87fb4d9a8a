"""The path search of all systems: nodes reached from some starts, their costs and the ways to them.

    found = search({start: 0}, rows.__getitem__, len(rows), limit=10)   # rows: node -> {beside it: cost}
    found.costs.get(end), found.way(end)
    reach(world.map.table, start, 10, cost=lambda one, to: ...)         # costs that depend on who moves

A node is a location of the map as an integer. Where a path carries a state besides the place (tolls paid,
stretches of road used), the state is a label, a whole number from 0 up, and the node is
`label * places + place`; `labels` says how many there are. A smaller label must never be worse: a place that
was reached with one label is entered again only with a smaller one.

Costs are whole numbers from 0 up. Two figures (units committed, then points) are one number, or the first is
the label. To search backwards hand over the rows that lead to each node (`turned`) and begin at the goals.
What nobody passes through is a row without entries; a place that is on no map (a sea that joins ports) is a
node of its own. Where no cost counts, `flood` is enough.

Of several cheapest ways the same one is always found: nodes are taken up by cost, then by number, and each
keeps the first node from which it was reached at its cost. `Reached.first_way` chooses by another order.

Each node is taken up once and each step out of it is looked at once. `kit.supply` answers for whole maps by
sets of locations, `kit.retreats` lists every way of a few hexes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, TypeVar

from pbem.text.dataclass import dataclass

Table = Sequence[Sequence[int]]
Row = Mapping[int, int]
Rows = Callable[[int], Row]
Step = Callable[[int, int], int | None]
L = TypeVar("L", bound=Hashable)
ENDLESS = 1 << 60  # more than any path costs


@dataclass(frozen=True, slots=True)
class Reached:
    """The result of a search from `starts`: `costs` by node, cheapest first, and the origins."""

    starts: Mapping[int, int]
    costs: dict[int, int]
    origins: dict[int, int]

    def __contains__(self, node: object) -> bool:
        return node in self.costs

    @property
    def nodes(self) -> tuple[int, ...]:
        """Return the nodes within reach, ascending."""
        return tuple(sorted(self.costs))

    def way(self, end: int) -> tuple[int, ...]:
        """Return the way from a start to a node, both included. `KeyError` for what is out of reach."""
        if end not in self.costs:
            raise KeyError(end)
        path = [end]
        while path[-1] in self.origins:
            path.append(self.origins[path[-1]])
        return tuple(reversed(path))

    def first_way(self, end: int, rows: Rows, back: Rows, rank: Callable[[int], Any]) -> tuple[int, ...]:
        """Return the cheapest way to a node that comes first where nodes are compared by `rank` one by one.

        `rows` are those of the search, `back` those that lead to each node. Looks only at nodes on some
        cheapest way to `end`: it goes back over these, then forward, always to the first that it may.
        """
        costs, on_the_way, waiting = self.costs, {end}, [end]
        while waiting:
            to = waiting.pop()
            for origin, step in back(to).items():
                if origin not in on_the_way and origin in costs and costs[origin] + step == costs[to]:
                    if to in rows(origin):
                        on_the_way.add(origin)
                        waiting.append(origin)
        here = min(
            (
                origin
                for origin, cost in self.starts.items()
                if origin in on_the_way and cost == costs[origin]
            ),
            key=rank,
        )
        path, left = [here], list[Iterator[int]]()
        on_the_way.discard(here)
        while path[-1] != end:
            if len(left) < len(path):
                row, spent = rows(path[-1]), costs[path[-1]]
                left.append(iter(sorted((to for to in row if costs.get(to) == spent + row[to]), key=rank)))
            onward = next((to for to in left[-1] if to in on_the_way), None)
            if onward is None:  # a dead end that only leads back to the path
                path.pop()
                left.pop()
            else:
                path.append(onward)
                on_the_way.discard(onward)
        return tuple(path)


def search(
    starts: Mapping[int, int],
    rows: Callable[[int], Any],
    places: int,
    *,
    cost: Step | None = None,
    limit: int | None = None,
    labels: int = 1,
    until: Callable[[int], bool] | None = None,
) -> Reached:
    """Return all nodes reached for at most `limit` from `starts`, which each have a first cost.

    `rows(node)` has the nodes beside a node, each with the cost of the step to it. With `cost` it has just
    the nodes: `cost(node, to)` says what a step costs, None that it is prohibited. The search ends with the
    first node for which `until` holds.
    """
    nodes = places * labels
    most = ENDLESS if limit is None else limit + 1
    best, origins, costs, lowest = dict(starts), dict[int, int](), dict[int, int](), dict[int, int]()
    heap = [spent * nodes + node for node, spent in best.items()]
    heapify(heap)
    known, now = best.get, 0
    while heap:
        spent, node = divmod(heappop(heap), nodes)
        if node in costs:
            continue
        if spent < now:
            raise ValueError(f"the step to {node} costs {spent - costs[origins[node]]}")
        if labels > 1:
            label, place = divmod(node, places)
            if lowest.get(place, labels) <= label:
                continue
            lowest[place] = label
        costs[node] = now = spent
        if until is not None and until(node):
            break
        row = rows(node)
        for to in row:
            if to in costs:
                continue
            step = row[to] if cost is None else cost(node, to)
            if step is None:
                continue
            total = spent + step
            if total < known(to, most):
                best[to], origins[to] = total, node
                heappush(heap, total * nodes + to)
    return Reached(starts, costs, origins)


def reach(
    table: Table,
    start: int,
    limit: int,
    cost: Step,
    *,
    stop: Callable[[int], bool] | None = None,
    first_hex_always: bool = False,
) -> Reached:
    """Return all locations that a unit can enter for at most `limit`. `table` is that of the map.

    `cost(origin, target)` is the cost of a step between neighbours, None when it is prohibited. A hex for
    which `stop(hex)` holds may be entered but not left, unless it is the start. With `first_hex_always` a
    unit may enter any one neighbour that is not prohibited, at what it costs, even beyond the limit, and goes
    no further.
    """

    def beside(hex: int) -> Sequence[int]:
        return () if hex != start and stop is not None and stop(hex) else table[hex]

    rows = table.__getitem__ if stop is None else beside
    match = search({start: 0}, rows, len(table), cost=cost, limit=limit)
    if first_hex_always:
        dear = [
            (step, to) for to in table[start] if to not in match and (step := cost(start, to)) is not None
        ]
        for step, to in sorted(dear):
            match.costs[to], match.origins[to] = step, start
    return match


def turned(rows: Iterable[Row]) -> list[dict[int, int]]:
    """Return the rows that lead to each node: {node it is reached from: cost}."""
    listed = list(rows)
    back: list[dict[int, int]] = [{} for _ in listed]
    for origin, row in enumerate(listed):
        for to, step in row.items():
            back[to][origin] = step
    return back


def flood(
    starts: Iterable[L], beside: Callable[[L], Iterable[L]], far: int | None = None
) -> dict[L, L | None]:
    """Return the nodes reached in at most `far` steps, nearest first, each with its origin.

    None for `far` means any number, and the starts have the origin None. Nodes may be anything: ids of
    locations, counters.
    """
    origins: dict[L, L | None] = dict.fromkeys(starts)
    front, gone = list(origins), 0
    while front and (far is None or gone < far):
        later: list[L] = []
        for here in front:
            for to in beside(here):
                if to not in origins:
                    origins[to] = here
                    later.append(to)
        front, gone = later, gone + 1
    return origins


def entered(before_of: Mapping[L, L | None], end: L) -> tuple[L, ...]:
    """Return the nodes that are entered on the way of a flood to a node; none for a start."""
    path: list[L] = []
    here, before = end, before_of[end]
    while before is not None:
        path.append(here)
        here, before = before, before_of[before]
    return tuple(reversed(path))
