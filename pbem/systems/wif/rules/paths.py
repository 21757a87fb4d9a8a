"""Supply paths (S-3 to S-6, S-10, 4.6.7): the path that an order means, or why there is none.

Searches run over the integers of the map, and paths list hexes by id. Results from a hex are kept,
so that a hundred orders from one source cost one search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from pbem.kit.paths import Reached, Row, search
from pbem.rules import dataclass

from .ground import Ground
from .world import Rails, World, world_of

NOWHERE: Row = {}


@dataclass(frozen=True)
class Path:
    """A legal path.

    Its cost, the hexes from source to unit, the ports of its overseas leg, and the minor ports that
    give it a slot. With `coast` the unit's own coastal hex replaces the second port.
    """

    cost: int
    way: tuple[str, ...]
    ports: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    coast: bool = False


@dataclass(frozen=True)
class NoPath:
    """The reason why there is no path: a code of 4.0.4, and values for its sentence."""

    code: Literal["E-PATH", "E-PORT", "E-PORTDAM"]
    shortest: int | None = None
    port: str | None = None


@dataclass(frozen=True)
class Goal:
    """The end of a path.

    With `coast` the sea may reach it without a port. With `repair` the port there is under repair.
    """

    hex: str
    coast: bool = False
    repair: bool = False


@dataclass(frozen=True)
class Flood:
    """A search for all hexes that paths from these hexes reach, with any number of overseas legs.

    Paths cross the seas of `power`, or none if it is empty. With `rail` rails are free. With
    `rails_only` paths follow only rails and overseas legs.
    """

    starts: tuple[str, ...]
    power: str
    limit: int | None
    rail: bool = True
    rails_only: bool = False

    @property
    def rails(self) -> Rails:
        return "only" if self.rails_only else "free" if self.rail else "paid"


class Outward:
    """S-10: The reach of paths from a hex: `costs` by hex, and the first way to each by ids."""

    def __init__(self, world: World, usable: bytearray, start: str, limit: int | None, rail: bool) -> None:
        self._world = world
        rows, self._back = world.supply_rows("free" if rail else "paid")
        starts = {world.index[start]: 0}
        self._rows = _leaving(rows, usable, starts)
        self._found: Reached = search(starts, self._rows, len(rows), limit=limit)

    @cached_property
    def costs(self) -> dict[str, int]:
        """Return the cost of reaching each hex."""
        return dict(zip(self._world.ids(self._found.costs), self._found.costs.values(), strict=True))

    def way(self, end: str) -> tuple[str, ...]:
        """Return the cheapest way to a hex, the first by ids."""
        world = self._world
        back, rank = self._back.__getitem__, world.locations.__getitem__
        return world.ids(self._found.first_way(world.index[end], self._rows, back, rank))


class Paths:
    """Searches on the board of one moment."""

    def __init__(self, ground: Ground, slots_each: int) -> None:
        self.ground, self.world = ground, world_of(ground.board)
        self.usable = ground.usable
        self.slots_each = slots_each
        self._from: dict[tuple[str, int | None, bool], Outward] = {}
        self._to: dict[tuple[str, int | None, bool], dict[str, int]] = {}
        self._seaward: dict[tuple[str, int | None, bool], bool] = {}

    def moved(self) -> None:
        """Forget all results, because other hexes are open now."""
        self._from, self._to, self._seaward = {}, {}, {}

    def from_(self, start: str, limit: int | None, rail: bool) -> Outward:
        """Return the reach of paths from a hex."""
        key = (start, limit, rail)
        reach = self._from.get(key)
        if reach is None:
            reach = self._from[key] = Outward(self.world, self.usable, start, limit, rail)
        return reach

    def to(self, goal: str, limit: int | None, rail: bool) -> dict[str, int]:
        """Return the cost of reaching a hex from each hex in reach. The goal is always usable."""
        key = (goal, limit, rail)
        costs = self._to.get(key)
        if costs is None:
            costs = self._to[key] = self._back(goal, limit, rail)
        return costs

    def _back(self, goal: str, limit: int | None, rail: bool) -> dict[str, int]:
        ends = {self.world.index[goal]: 0}
        _, rows = self.world.supply_rows("free" if rail else "paid")
        costs = search(ends, _leaving(rows, self.usable, ends), len(rows), limit=limit).costs
        return dict(zip(self.world.ids(costs), costs.values(), strict=True))

    def near(self, sources: Iterable[str], goal: Goal, limit: int | None, rail: bool) -> set[str]:
        """Return the sources from which a path may exist, whatever the state of ports and seas.

        This spares callers who try many sources a search for each.
        """
        back = self.to(goal.hex, limit, rail)
        ends = (goal.coast and goal.hex in self.world.coasts) or any(p in back for p in self.ground.ports)
        return {s for s in sources if s in back or (ends and self._to_sea(s, limit, rail))}

    def _to_sea(self, source: str, limit: int | None, rail: bool) -> bool:
        """Return True if a port is within the limit of a source."""
        key = (source, limit, rail)
        if key not in self._seaward:
            costs = self.from_(source, limit, rail).costs
            self._seaward[key] = any(p in costs for p in self.ground.ports)
        return self._seaward[key]

    def by_sea(self, power: str, costs: Mapping[str, int], goal: Goal, limit: int) -> bool:
        """S-9: Return True if an overseas leg leads from the hexes with these costs to the goal.

        Slots do not matter.
        """
        seas = self.ground.seas(power)
        back = self.to(goal.hex, limit, False)
        for cost_b, b, _ in self._ends(goal, back, (), False):
            groups = self._groups(b, seas)
            for a, damaged in self.ground.ports.items():
                if (
                    damaged
                    or a == b
                    or costs.get(a, limit + 1) + cost_b > limit
                    or not groups & self._groups(a, seas)
                ):
                    continue
                if costs[a] == 0 or self.usable[self.world.index[a]]:
                    return True
        return False

    def find(
        self,
        power: str,
        source: str,
        goal: Goal,
        limit: int | None,
        *,
        rail: bool = False,
        slots: Mapping[str, int] | None = None,
        ports: tuple[str, ...] = (),
        explain: bool = True,
    ) -> Path | NoPath:
        """S-10: Return the path that an order means.

        Without sea if possible, else with the fewest slots, the least cost, the first by ids.
        `slots` counts what minor ports have served. `ports` fixes the overseas leg. With `explain`
        the refusal knows the length of a path beyond the limit.
        """
        if goal.hex not in self.world.index or not self.world.land(goal.hex):
            return NoPath("E-PATH")
        path = self._path(power, source, goal, limit, rail, slots or {}, ports)
        if path is not None:
            return path
        full = self._path(power, source, goal, limit, rail, None, ports)
        if full is not None:
            port = next(p for p in full.slots if (slots or {}).get(p, 0) >= self.slots_each)
            return NoPath("E-PORT", port=port)
        blocked = self._path(power, source, goal, limit, rail, None, ports, damaged=True)
        if blocked is not None:
            return NoPath(
                "E-PORTDAM", port=next((p for p in blocked.ports if self.ground.ports.get(p)), None)
            )
        longest = (
            self._path(power, source, goal, None, rail, None, ports, damaged=True)
            if limit is not None and explain
            else None
        )
        return NoPath("E-PATH", None if longest is None else longest.cost)

    def _path(
        self,
        power: str,
        source: str,
        goal: Goal,
        limit: int | None,
        rail: bool,
        slots: Mapping[str, int] | None,
        ports: tuple[str, ...],
        damaged: bool = False,
    ) -> Path | None:
        """Return one path.

        If `slots` is None, full ports may be used, and with `damaged` also damaged ones.
        """
        if not ports:
            over = self.from_(source, limit, rail)
            if goal.hex in over.costs:
                return Path(over.costs[goal.hex], over.way(goal.hex))
        legs = list(self._legs(power, source, goal, limit, rail, slots, ports, damaged))
        if not legs:
            return None
        best = min((len(taken), cost) for cost, _, _, taken, _ in legs)
        ways = []
        for cost, a, b, taken, coast in legs:
            if (len(taken), cost) == best:
                left = self.from_(source, limit, rail).way(a)
                right = self.from_(b, limit, rail).way(goal.hex)
                ways.append((left + right, a, b, taken, coast))
        way, a, b, taken, coast = min(ways)
        return Path(best[1], way, (a, b), taken, coast)

    def _legs(
        self,
        power: str,
        source: str,
        goal: Goal,
        limit: int | None,
        rail: bool,
        slots: Mapping[str, int] | None,
        ports: tuple[str, ...],
        damaged: bool,
    ) -> Iterable[tuple[int, str, str, tuple[str, ...], bool]]:
        """Yield every pair of ports: cost, both, slots taken, True if the coast is the second."""
        seas = self.ground.seas(power)
        if not seas:
            return
        out, back = self.from_(source, limit, rail).costs, self.to(goal.hex, limit, rail)
        begins = [
            (out[a], a, groups)
            for a in self._ports(out, source, damaged)
            if (not ports or a == ports[0]) and (groups := self._groups(a, seas))
        ]
        if not begins:
            return
        ends = list(self._ends(goal, back, ports, damaged))
        for cost_a, a, groups_a in begins:
            for cost_b, b, kind in ends:
                if a == b or (limit is not None and cost_a + cost_b > limit):
                    continue
                if not groups_a & self._groups(b, seas):
                    continue
                taken = tuple(p for p in (a, *((b,) if kind == "port" else ())) if self._minor(p))
                if slots is not None and any(slots.get(p, 0) >= self.slots_each for p in taken):
                    continue
                yield cost_a + cost_b, a, b, taken, kind == "coast"

    def _ends(
        self, goal: Goal, back: Mapping[str, int], ports: tuple[str, ...], damaged: bool
    ) -> Iterable[tuple[int, str, str]]:
        """Yield the ends of the leg: ports, the unit's own coast (4.6.7), the port under repair."""
        coastal = goal.coast and goal.hex in self.world.coasts
        if coastal and (not ports or ports[1] in ("coast", goal.hex)):
            yield 0, goal.hex, "coast"
            if ports:
                return
        if goal.repair and goal.hex in self.ground.ports and (not ports or ports[1] == goal.hex):
            yield 0, goal.hex, "repair"
        for b in self._ports(back, goal.hex, damaged):
            if (not ports or b == ports[1]) and not (goal.repair and b == goal.hex):
                yield back[b], b, "port"

    def _ports(self, near: Mapping[str, object], end: str, damaged: bool) -> list[str]:
        """Return the ports among the hexes in reach: undamaged, and usable or the end of the path."""
        return [
            p
            for p, harmed in self.ground.ports.items()
            if p in near and (damaged or not harmed) and (p == end or self.usable[self.world.index[p]])
        ]

    def _groups(self, hex: str, seas: Mapping[str, int]) -> frozenset[int]:
        return frozenset(seas[a] for a in self.world.coasts[hex] if a in seas)

    def _minor(self, port: str) -> bool:
        site = self.world.sites.get(port)
        return site is not None and site.port == "minor"

    def stands(self, of: Flood, reached: Mapping[str, int], changed: Iterable[str]) -> bool:
        """Return True if a flood is certainly unchanged now that these hexes opened or closed.

        Hexes out of reach do not matter, nor do starts. A hex that opened changes nothing that is
        nearer already. One that closed changes nothing that another hex reaches as cheaply.
        """
        return not any(
            hex in reached
            and hex not in of.starts
            and (hex in self.ground.ports or not self._same_beside(of, reached, hex))
            for hex in changed
        )

    def _same_beside(self, of: Flood, reached: Mapping[str, int], hex: str) -> bool:
        """Return True if the neighbours of a hex that opened or closed keep their costs."""
        ids, start = self.world.locations, self.world.index[hex]
        for j, step in self.world.supply_rows(of.rails)[0][start].items():
            total = reached[hex] + step
            if of.limit is not None and total > of.limit:
                continue
            known = reached.get(ids[j])
            if self.usable[start]:
                if known is None or known > total:
                    return False
            elif known == total and ids[j] not in of.starts and not self._reached_else(of, reached, j, start):
                return False
        return True

    def _reached_else(self, of: Flood, reached: Mapping[str, int], j: int, but: int) -> bool:
        """Return True if another hex, nearer the start, reaches this one at the same cost."""
        ids, cost = self.world.locations, reached[self.world.locations[j]]
        return any(
            i != but
            and step
            and reached.get(ids[i], cost) + step == cost
            and (self.usable[i] or ids[i] in of.starts)
            for i, step in self.world.supply_rows(of.rails)[1][j].items()
        )

    def flood(self, of: Flood, until: Callable[[str], bool] | None = None) -> dict[str, int]:
        """Return every hex that a flood reaches, with its cost.

        The search may end at the first hex for which `until` holds.
        """
        ids, index = self.world.locations, self.world.index
        starts = {index[s]: 0 for s in of.starts if s in index}
        rows = self._with_seas(of) if of.power else self.world.supply_rows(of.rails)[0]
        open_ = self.usable + bytes([1]) * (len(rows) - len(ids))

        def ends(i: int) -> bool:
            return until is not None and i < len(ids) and until(ids[i])

        leave = _leaving(rows, open_, starts)
        costs = search(starts, leave, len(rows), limit=of.limit, until=None if until is None else ends).costs
        return {ids[i]: cost for i, cost in costs.items() if i < len(ids)}

    def _with_seas(self, of: Flood) -> list[dict[int, int]]:
        """Return the steps of a flood, with each connected sea as a node that joins its ports.

        These nodes come after the hexes.
        """
        index, seas = self.world.index, self.ground.seas(of.power)
        rows, first = list(self.world.supply_rows(of.rails)[0]), len(self.world.locations)
        rows += [{} for _ in self.world.areas]
        for port, damaged in self.ground.ports.items():
            groups = [] if damaged else [first + group for group in sorted(self._groups(port, seas))]
            rows[index[port]] = {**rows[index[port]], **dict.fromkeys(groups, 0)}
            for sea in groups:
                rows[sea][index[port]] = 0
        return rows


def _leaving(rows: Sequence[Row], usable: bytearray, ends: Iterable[int]) -> Callable[[int], Row]:
    """S-2: Return the steps from each hex.

    A path may end at a hex that is not usable, but not pass it. Its own ends are always open.
    """
    open_ = usable.copy()
    for i in ends:
        open_[i] = 1
    return lambda i: rows[i] if open_[i] else NOWHERE
