"""Supply trace: which hexes can reach a source of supply, how dearly, and along which chain of hexes.

A chain leads from the unit to the source. `step(origin, target)` is the cost of one step of it in that
direction (0 for a road, 1 off the road, None where no supply line may go), and no hex of a chain after the
first may be blocked: a unit that stands in a blocked hex itself can still be supplied, and a blocked source
supplies only who stands on it.

The search runs once for all units, backwards from all sources.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.kit.costs import Lanes, StepCosts
from pbem.kit.hexsets import pack, unpack

Table = Sequence[Sequence[int]]
Step = Callable[[int, int], int | None]
Blocked = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Trace:
    """A supply line: the `chain` of hexes from unit to source, and what each of its steps costs."""

    chain: tuple[int, ...]
    steps: tuple[int, ...]

    @property
    def cost(self) -> int:
        return sum(self.steps)

    @property
    def source(self) -> int:
        return self.chain[-1]


class SupplyNet:
    """Everything that is in supply from a set of sources. Made by `supply_net` and `supply_net_over`."""

    def __init__(
        self,
        table: Table,
        sources: Collection[int],
        step: Step,
        blocked: Blocked | None,
        costs: Mapping[int, int],
    ) -> None:
        self.sources = tuple(sorted(set(sources)))
        self.costs = costs
        self._table, self._step, self._blocked = table, step, blocked

    def __contains__(self, hex: object) -> bool:
        """Is a unit in this hex supplied?"""
        return hex in self.costs

    def cost(self, hex: int) -> int | None:
        """The cost of the cheapest chain from a hex, None if there is none within the limit."""
        return self.costs.get(hex)

    def trace(self, hex: int) -> Trace | None:
        """The supply line of a unit in this hex: of the cheapest chains one with the fewest hexes.

        Where that leaves a choice, the chain turns to the first direction in the order of the neighbour
        table.
        """
        if hex not in self.costs:
            return None
        sources = set(self.sources)
        came: dict[int, int] = {hex: hex}
        queue = deque([hex])
        while queue:
            here = queue.popleft()
            if here in sources:
                return self._trace(here, came)
            for there in self._table[here]:
                if there in came or (self._blocked is not None and self._blocked(there)):
                    continue
                step = self._step(here, there)
                if step is not None and self.costs.get(there) == self.costs[here] - step:
                    came[there] = here
                    queue.append(there)
        raise AssertionError(f"hex {hex} has a cost but no chain: step or blocked gave two different answers")

    def _trace(self, source: int, came: Mapping[int, int]) -> Trace:
        chain = [source]
        while came[chain[-1]] != chain[-1]:
            chain.append(came[chain[-1]])
        chain.reverse()
        return Trace(tuple(chain), tuple(self.costs[a] - self.costs[b] for a, b in pairwise(chain)))


def supply_net(
    table: Table,
    sources: Iterable[int],
    step: Step,
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
) -> SupplyNet:
    """All hexes from which a chain of at most `limit` leads to a source (None: of any length)."""
    found = sorted(set(sources))
    return SupplyNet(table, found, step, blocked, _search(table, found, step, limit, blocked, None))


def supplied(
    table: Table,
    units: Mapping[str, int],
    sources: Iterable[int],
    step: Step,
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
) -> dict[str, bool]:
    """For each unit, by the hex where it stands, whether it is in supply. One search; ids in sorted order."""
    costs = _search(table, sorted(set(sources)), step, limit, blocked, set(units.values()))
    return {id: units[id] in costs for id in sorted(units)}


def trace(
    table: Table,
    hex: int,
    sources: Iterable[int],
    step: Step,
    *,
    limit: int | None = None,
    blocked: Blocked | None = None,
) -> Trace | None:
    """The supply line of one unit, None if it is out of supply. For several, make a `supply_net` once."""
    return supply_net(table, sources, step, limit=limit, blocked=blocked).trace(hex)


def _search(
    table: Table,
    sources: Sequence[int],
    step: Step,
    limit: int | None,
    blocked: Blocked | None,
    wanted: set[int] | None,
) -> dict[int, int]:
    """Costs by hex, in buckets of equal cost; ends early once all hexes of `wanted` are found."""
    costs: dict[int, int] = {}
    waiting: dict[int, list[int]] = {0: list(sources)}
    while waiting:
        cost = min(waiting)
        if limit is not None and cost > limit:
            break
        bucket = waiting[cost]
        while bucket:
            hex = bucket.pop()
            if hex in costs:
                continue
            costs[hex] = cost
            if wanted is not None:
                wanted.discard(hex)
            if blocked is not None and blocked(hex):
                continue
            for origin in table[hex]:
                if origin not in costs and (price := step(origin, hex)) is not None:
                    if price < 0:
                        raise ValueError(f"the step from {origin} to {hex} costs {price}")
                    waiting.setdefault(cost + price, []).append(origin)
        del waiting[cost]
        if wanted is not None and not wanted:
            break
    return costs


# The same over costs that are data


def supply_net_over(
    costs: StepCosts,
    sources: Iterable[int],
    *,
    limit: int | None = None,
    closed: Collection[int] = frozenset(),
) -> SupplyNet:
    """`supply_net` for large maps: all steps of a kind at once. `closed` are the blocked hexes (a set)."""
    found = sorted(set(sources))
    by_hex = {hex: cost for cost, level in _flood(costs, found, limit, closed) for hex in unpack(level)}
    return SupplyNet(costs.table, found, costs.step, closed.__contains__, by_hex)


def supplied_over(
    costs: StepCosts,
    units: Mapping[str, int],
    sources: Iterable[int],
    *,
    limit: int | None = None,
    closed: Collection[int] = frozenset(),
) -> dict[str, bool]:
    """`supplied` for large maps: the supply status of a whole army in one flood."""
    reached = reached_over(costs, sources, limit=limit, closed=closed)
    flags = reached.to_bytes(len(costs.table) // 8 + 1, "little")
    return {id: bool(flags[hex >> 3] >> (hex & 7) & 1) for id, hex in sorted(units.items())}


def reached_over(
    costs: StepCosts,
    sources: Iterable[int],
    *,
    limit: int | None = None,
    closed: Collection[int] = frozenset(),
) -> int:
    """All hexes in supply as one set (`kit.hexsets`): for chains in several links, where nobody asks for
    costs."""
    reached = 0
    for _, level in _flood(costs, sorted(set(sources)), limit, closed):
        reached |= level
    return reached


def _flood(
    costs: StepCosts, sources: Sequence[int], limit: int | None, closed: Collection[int]
) -> Iterator[tuple[int, int]]:
    """The sets of hexes of each cost, cheapest first.

    A set of hexes goes back over all steps that lead into it, lane by lane: the targets of a lane that are in
    the set, moved by the lane's offset, are the origins. Plain steps into a hex wait in `entered` until its
    entry cost is due, special ones in `arrived`. Steps that cost nothing are taken at once, until they lead
    nowhere new.
    """
    lanes, size = costs.lanes, len(costs.table)
    passable = ((1 << size) - 1) ^ pack(closed, size)
    free_zone = sum(zone for cost, zone in lanes.zones if cost == 0)
    free_lanes = [lane for lane in lanes.special if lane[0] == 0]
    entered: dict[int, int] = {}
    arrived = {0: pack(sources, size)}
    settled = 0
    while entered or arrived:
        due = min((*entered, *arrived))
        if limit is not None and due > limit:
            return
        wave = arrived.pop(due, 0) | _origins(lanes, entered.pop(due, 0))
        level = 0
        while wave := wave & ~settled:
            settled |= wave
            level |= wave
            wave &= passable
            free = _origins(lanes, wave & free_zone)
            for _, offset, targets in free_lanes:
                free |= _back(wave & targets, offset)
            wave = free
        if not level:
            continue
        yield due, level
        level &= passable
        for cost, zone in lanes.zones:
            if cost and (part := level & zone):
                entered[due + cost] = entered.get(due + cost, 0) | part
        for cost, offset, targets in lanes.special:
            if cost and (part := level & targets):
                arrived[due + cost] = arrived.get(due + cost, 0) | _back(part, offset)


def _origins(lanes: Lanes, targets: int) -> int:
    """Whence plain steps lead to any of these hexes."""
    origins = 0
    if targets:
        for offset, ends in lanes.plain:
            origins |= _back(targets & ends, offset)
    return origins


def _back(targets: int, offset: int) -> int:
    """The origins of steps to `targets` that go `offset` forward in hex integers."""
    return targets >> offset if offset > 0 else targets << -offset
