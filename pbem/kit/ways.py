"""Ways by ids: where one can go and how, and what is wrong with a way that somebody ordered.

    found = ways(world, "0405", cost=lambda one, to: world.march_cost(kind, one, to), limit=kind.move)
    for end, path in found.items(): ...                 # found.cost(end)
    yield from way_faults(world, "0405", move.path, "E-MOV-03", "4.4.1", "path")
    for n, one, to in steps("0405", move.path): ...

    travel = Travel(world, step, limit=kind.move, over=too_far, stop=halted)            # said once, for both
    for end, path in travel.ways("0405").items(): ...
    cost, fault = travel.judged("0405", move.path, "path")
    how_far(world, "0405", cost, limit, "4.4.2").needs("0909")         # also beyond the limit

A way is the tuple of locations entered: the start is not among them. Rule of thumb: say in a `Travel` what a
step costs or what forbids it, list with `ways` and judge with `judged`, so that what is offered and what is
refused cannot differ. Searches for whole armies are `kit.supply`; `kit.paths` is the search behind this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pbem.kit.chart import Chart
from pbem.kit.faults import illegal, unknown
from pbem.kit.paths import ENDLESS, Reached, reach
from pbem.model.reaches import Reach
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message

Way = tuple[str, ...]


class Ways(Mapping[str, Way]):
    """The locations within reach, without the start: location -> the cheapest way there, in map order."""

    def __init__(self, chart: Chart, start: str, reached: Reached) -> None:
        self._chart, self._start, self._found = chart, chart.at(start), reached
        self._ends = [i for i in reached.nodes if i != self._start]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chart.ids(self._ends))

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, end: str) -> Way:
        i = self._chart.index.get(end)
        if i is None or i == self._start or i not in self._found:
            raise KeyError(end)
        return self._chart.ids(self._found.way(i)[1:])

    def cost(self, end: str) -> int:
        """Return the cost of the cheapest way, 0 for the start; `KeyError` for what is out of reach."""
        return self._found.costs[self._chart.at(end)]


def ways(
    chart: Chart,
    start: str,
    cost: Callable[[str, str], int | None],
    limit: int,
    *,
    stop: Callable[[str], bool] | None = None,
    first_hex_always: bool = False,
) -> Ways:
    """Return all locations to enter for at most `limit`; `cost` and `stop` as in `kit.paths.reach`."""
    name = chart.locations
    reached = reach(
        chart.map.table,
        chart.at(start),
        limit,
        lambda at, to: cost(name[at], name[to]),
        stop=None if stop is None else lambda i: stop(name[i]),
        first_hex_always=first_hex_always,
    )
    return Ways(chart, start, reached)


def along(
    chart: Chart, network: str, start: str, may_enter: Callable[[str], bool], limit: int | None = None
) -> Ways:
    """Return all locations that at most `limit` links of a network lead to: rides, roads, straits."""

    def cost(at: str, to: str) -> int | None:
        return 1 if chart.joins(network, at, to) and may_enter(to) else None

    return ways(chart, start, cost, len(chart.locations) if limit is None else limit)


def how_far(
    chart: Chart,
    start: str,
    cost: Callable[[str, str], int | None],
    limit: int,
    rule: str,
    *,
    scale: int = 1,
    stop: Callable[[str], bool] | None = None,
    first_hex_always: bool = False,
) -> Reach:
    """Return how far a counter goes, also beyond `limit`; `cost` and `stop` as in `kit.paths.reach`."""

    def further() -> dict[str, int]:
        reached = ways(chart, start, cost, ENDLESS, stop=stop)
        return {end: reached.cost(end) for end in reached}

    always = first_hex_always and limit > 0
    near = ways(chart, start, cost, limit, stop=stop, first_hex_always=always)
    return Reach(frozenset(near), limit, rule, further, scale)


def nowhere(location: str) -> Diagnostic | None:
    """Return None: no location stops a move."""
    return None


@dataclass(frozen=True)
class Travel:
    """The rules of a move.

    `step` gives the cost of a step or its refusal, `stop` why a move ends in a location. `over` gives the
    refusal of a way that costs more than `limit`.
    """

    chart: Chart
    step: Callable[[str, str], int | Diagnostic]
    limit: int
    over: Callable[[int], Diagnostic]
    stop: Callable[[str], Diagnostic | None] = nowhere
    first_hex_always: bool = False

    def ways(self, start: str) -> Ways:
        """Return the reachable locations and the ways there."""

        def cost(at: str, to: str) -> int | None:
            step_cost = self.step(at, to)
            return None if isinstance(step_cost, Diagnostic) else step_cost

        def stop(location: str) -> bool:
            return self.stop(location) is not None

        always = self.first_hex_always
        return ways(self.chart, start, cost, self.limit, stop=stop, first_hex_always=always)

    def judged(self, start: str, way: Sequence[str], *path: str | int) -> tuple[int, Diagnostic | None]:
        """Return the cost of a way and its first fault.

        A fault of a step has `path` and the step's number, one of the length has `path`.
        """
        spent = 0
        for n, step, to in steps(start, way):
            cost_ = self.step(step, to)
            if isinstance(cost_, Diagnostic):
                return spent, replace(cost_, path=(*path, n))
            if n and (halt := self.stop(step)) is not None:
                return spent, replace(halt, path=(*path, n))
            spent += cost_
        if spent > self.limit and not (self.first_hex_always and len(way) == 1):
            return spent, replace(self.over(spent), path=path)
        return spent, None


def steps(start: str, way: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the steps of a way: the index of the location entered, its origin, the location."""
    for n, (at, to) in enumerate(pairwise((start, *way))):
        yield n, at, to


def way_faults(
    chart: Chart, start: str, way: Sequence[str], code: str, rule: str, *path: str | int
) -> list[Diagnostic]:
    """Return the first impossible step of a way: a location not on the map, or no neighbour.

    What follows such a step makes no sense and is not looked at. An empty way is a fault too.
    """
    if not way:
        return [illegal(code, rule, Message("kit.ways.way-least-one-location-from", start=start), *path)]
    for n, step, to in steps(start, way):
        if to not in chart:
            message = Message("kit.ways.no-location-map", to=to)
            return [unknown(code, rule, message, *path, n, name=to, names=chart.neighbours(step))]
        if to not in chart.neighbours(step):
            message = Message("kit.ways.no-neighbour", to=to, one=step)
            near = Message(
                "kit.ways.from-one-can-go",
                one=step,
                neighbours=", ".join(chart.neighbours(step)) or "nowhere",
            )
            return [illegal(code, rule, message, *path, n, help=near)]
    return []
