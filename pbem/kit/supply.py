"""Supply trace: which locations can reach a source of supply, how dearly, and along which chain.

A chain leads from the unit to the source. Its steps cost what a `StepCosts` says, which has the map, its
roads and its terrain as data; what changes with every move, the locations that enemies close, is handed over
as a set. No location of a chain after the first may be closed: a unit that is in a closed hex itself can
still be supplied, and a closed source supplies only who is on it.

The search runs once for all units, backwards from all sources, and over all locations of a kind at once: on a
map of 200 x 200 hexes it costs a tenth of one that asks for the cost of each step, and does not grow with the
number of units. That is why rules have no other: where the cost of a step depends on the position (a port
that is open, a bridge that is blown), make the `StepCosts` anew. Chains in several links (units to dumps,
dumps to sources; by rail, then on foot) are one net for each link; a source that is reached at a cost already
starts with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from pbem.kit.costs import Lanes, StepCosts
from pbem.kit.hexsets import members, pack, unpack
from pbem.text.dataclass import dataclass

Sources = Iterable[int] | Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Trace:
    """A supply line: the `chain` of locations from unit to source, and what each of its steps costs."""

    chain: tuple[int, ...]
    steps: tuple[int, ...]

    @property
    def cost(self) -> int:
        return sum(self.steps)

    @property
    def source(self) -> int:
        return self.chain[-1]


class SupplyNet:
    """The locations in supply from a set of sources, made by `supply_net`.

    `sources` has the cost with which each begins, `reached` all locations in supply as one set
    (`kit.hexsets`).
    """

    def __init__(
        self,
        steps: StepCosts,
        sources: Mapping[int, int],
        levels: list[tuple[int, int]],
        closed: Collection[int],
        outwards: bool,
    ) -> None:
        self.sources = sources
        self.reached = 0
        for _, level in levels:
            self.reached |= level
        self._steps, self._levels, self._closed, self._outwards = steps, levels, closed, outwards

    def __contains__(self, i: object) -> bool:
        """Return True if a unit in this location is supplied."""
        return isinstance(i, int) and bool(self._flags[i >> 3] >> (i & 7) & 1)

    def cost(self, i: int) -> int | None:
        """Return the cost of the cheapest chain from a location, or None if the limit allows none."""
        return self.costs.get(i)

    @cached_property
    def costs(self) -> dict[int, int]:
        """Return the cost of the cheapest chain from every location in supply, cheapest first."""
        return {i: cost for cost, level in self._levels for i in unpack(level)}

    @cached_property
    def _flags(self) -> bytes:
        return self.reached.to_bytes(len(self._steps.table) // 8 + 1, "little")

    def trace(self, i: int) -> Trace | None:
        """Return the supply line of a unit here: of the cheapest chains one with the fewest steps.

        Where that leaves a choice, the chain turns to the first neighbour in the order of the map's table.
        """
        if i not in self:
            return None
        came: dict[int, int] = {i: i}
        queue = deque([i])
        while queue:
            here = queue.popleft()
            if self.sources.get(here) == self.costs[here]:
                return self._trace(here, came)
            for there in self._steps.table[here]:
                if there in came or there in self._closed:
                    continue
                step = self._steps.step(there, here) if self._outwards else self._steps.step(here, there)
                if step is not None and self.costs.get(there) == self.costs[here] - step:
                    came[there] = here
                    queue.append(there)
        raise AssertionError(f"{self._steps.ground.number(i)} has a cost but no chain")

    def _trace(self, source: int, came: Mapping[int, int]) -> Trace:
        chain = [source]
        while came[chain[-1]] != chain[-1]:
            chain.append(came[chain[-1]])
        chain.reverse()
        return Trace(tuple(chain), tuple(self.costs[a] - self.costs[b] for a, b in pairwise(chain)))


def supply_net(
    steps: StepCosts,
    sources: Sources,
    *,
    limit: int | None = None,
    closed: Collection[int] = frozenset(),
    outwards: bool = False,
) -> SupplyNet:
    """Return all locations with a chain of at most `limit` to a source (None: of any length).

    `sources` may say with which cost each begins. `closed` is a set of locations that no chain may enter. A
    step costs what going towards the source costs; `outwards`: towards the unit, where the rules pay from the
    source on.
    """
    begin = dict(sources) if isinstance(sources, Mapping) else dict.fromkeys(sources, 0)
    if any(cost < 0 for cost in begin.values()):
        raise ValueError("a source cannot begin with less than nothing")
    begin = dict(sorted(begin.items()))
    levels = list(_flood(steps, begin, limit, closed, outwards))
    return SupplyNet(steps, begin, levels, closed, outwards)


def _flood(
    steps: StepCosts, sources: Mapping[int, int], limit: int | None, closed: Collection[int], outwards: bool
) -> Iterator[tuple[int, int]]:
    """Yield the sets of locations of each cost, cheapest first.

    A set goes over all steps that lead into it (or out of it), lane by lane: the targets of a lane that are
    in the set, moved by the lane's offset, are the origins. Steps that cost nothing are taken at once, until
    they lead nowhere new.
    """
    lanes, size = steps.lanes, len(steps.table)
    passable = ((1 << size) - 1) ^ pack(closed, size)
    spread = _Outwards(lanes) if outwards else _Backwards(lanes)
    due: dict[int, int] = {}
    for cost in sorted(set(sources.values())):
        due[cost] = pack([i for i, begins in sources.items() if begins == cost], size)
    settled = 0
    while due or spread.waiting:
        cost = min((*due, *spread.waiting))
        if limit is not None and cost > limit:
            return
        wave = due.pop(cost, 0) | spread.arrivals(cost)
        level = 0
        while wave := wave & ~settled:
            settled |= wave
            level |= wave
            wave = spread.at_once(wave & passable)
        if level:
            yield cost, level
            spread.go_on(cost, level & passable, due)


class _Steps:
    """The lanes that a spread follows, those that cost nothing apart."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.waiting: dict[int, int] = {}
        self.free_zone = sum(zone for cost, zone in lanes.zones if cost == 0)
        self.free = [lane for lane in lanes.special if lane[0] == 0]


class _Backwards(_Steps):
    """Steps into a set, towards the sources. Plain ones wait in `waiting` until the entry cost is due."""

    def arrivals(self, cost: int) -> int:
        """Return the origins of the plain steps that are due."""
        return _origins(self.lanes, self.waiting.pop(cost, 0))

    def at_once(self, wave: int) -> int:
        """Return the origins of steps into the wave that cost nothing."""
        origins = _origins(self.lanes, wave & self.free_zone)
        for _, offset, targets in self.free:
            origins |= _back(wave & targets, offset)
        for target in members(wave & self.lanes.landings):
            for origin, cost in self.lanes.jumps_to[target]:
                origins |= 0 if cost else 1 << origin
        return origins

    def go_on(self, now: int, level: int, due: dict[int, int]) -> None:
        """Note when each step into the level arrives at its origin."""
        for cost, zone in self.lanes.zones:
            if cost and (part := level & zone):
                self.waiting[now + cost] = self.waiting.get(now + cost, 0) | part
        for cost, offset, targets in self.lanes.special:
            if cost and (part := level & targets):
                due[now + cost] = due.get(now + cost, 0) | _back(part, offset)
        for target in members(level & self.lanes.landings):
            for origin, cost in self.lanes.jumps_to[target]:
                if cost:
                    due[now + cost] = due.get(now + cost, 0) | 1 << origin


class _Outwards(_Steps):
    """Steps out of a set, from the sources on."""

    def arrivals(self, cost: int) -> int:
        return 0

    def at_once(self, wave: int) -> int:
        """Return the targets of steps out of the wave that cost nothing."""
        reached = _targets(self.lanes, wave) & self.free_zone if self.free_zone else 0
        for _, offset, targets in self.free:
            reached |= _forth(wave, offset) & targets
        for origin in members(wave & self.lanes.starts):
            for target, cost in self.lanes.jumps_from[origin]:
                reached |= 0 if cost else 1 << target
        return reached

    def go_on(self, now: int, level: int, due: dict[int, int]) -> None:
        """Note when each step out of the level arrives."""
        reached = _targets(self.lanes, level)
        for cost, zone in self.lanes.zones:
            if cost and (part := reached & zone):
                due[now + cost] = due.get(now + cost, 0) | part
        for cost, offset, targets in self.lanes.special:
            if cost and (part := _forth(level, offset) & targets):
                due[now + cost] = due.get(now + cost, 0) | part
        for origin in members(level & self.lanes.starts):
            for target, cost in self.lanes.jumps_from[origin]:
                if cost:
                    due[now + cost] = due.get(now + cost, 0) | 1 << target


def _origins(lanes: Lanes, targets: int) -> int:
    """Return the origins of plain steps to any of these locations."""
    origins = 0
    if targets:
        for offset, ends in lanes.plain:
            origins |= _back(targets & ends, offset)
    return origins


def _targets(lanes: Lanes, origins: int) -> int:
    """Return the targets of plain steps from any of these locations."""
    targets = 0
    if origins:
        for offset, ends in lanes.plain:
            targets |= _forth(origins, offset) & ends
    return targets


def _back(targets: int, offset: int) -> int:
    """Return the origins of steps to `targets` that go `offset` forward in integers."""
    return targets >> offset if offset > 0 else targets << -offset


def _forth(origins: int, offset: int) -> int:
    """Return the targets of steps from `origins` that go `offset` forward in integers."""
    return origins << offset if offset > 0 else origins >> -offset
