"""Supply paths (S-3 to S-6, S-10, 4.6.7): the one that an order means, and why there is none.

Searches run over the integers of the map; a path is told by the ids of its hexes. What is found from a hex is
kept, so that a hundred orders from one source cost one search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal

from .ground import Ground
from .world import world_of

Label = tuple[int, tuple[str, ...]]


@dataclass(frozen=True)
class Path:
    """A legal path: its cost, the hexes from source to unit, the ports of its overseas leg, and in which
    minor ports it takes a slot. `coast`: the unit's own coastal hex stands in for the second port."""

    cost: int
    way: tuple[str, ...]
    ports: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    coast: bool = False


@dataclass(frozen=True)
class NoPath:
    """Why there is no path: a code of 4.0.4, and what the sentence needs."""

    code: Literal["E-PATH", "E-PORT", "E-PORTDAM"]
    shortest: int | None = None
    port: str | None = None


@dataclass(frozen=True)
class Goal:
    """To whom a path leads: the hex, may the sea reach it without a port, is the port there under repair."""

    hex: str
    coast: bool = False
    repair: bool = False


class Paths:
    """Searches on the board of one moment."""

    def __init__(self, ground: Ground, slots_each: int) -> None:
        self.ground, self.world = ground, world_of(ground.board)
        self.usable, self.steps = ground.usable, self.world.supply_steps
        self.slots_each = slots_each
        self._into: list[list[tuple[int, int, bool]]] | None = None
        self._from: dict[tuple[str, int | None, bool], dict[str, Label]] = {}
        self._to: dict[tuple[str, int | None, bool], dict[str, int]] = {}
        self._seaward: dict[tuple[str, int | None, bool], bool] = {}

    def moved(self) -> None:
        """Other hexes may be entered than before: what was found is forgotten."""
        self._from, self._to, self._seaward = {}, {}, {}

    # searches over land

    def from_(self, start: str, limit: int | None, rail: bool) -> dict[str, Label]:
        """All hexes that a path from a hex may reach: the cost, and the smallest sequence of ids at that
        cost. Hexes that are not usable are reached and not passed."""
        key = (start, limit, rail)
        found = self._from.get(key)
        if found is None:
            found = self._from[key] = self._search(start, limit, rail)
        return found

    def _search(self, start: str, limit: int | None, rail: bool) -> dict[str, Label]:
        world, ids = self.world, self.world.locations
        done: dict[str, Label] = {}
        first = world.index[start]
        heap: list[tuple[int, tuple[str, ...], int]] = [(0, (start,), first)]
        while heap:
            cost, way, i = heappop(heap)
            id = ids[i]
            if id in done:
                continue
            done[id] = (cost, way)
            if i != first and not self.usable[i]:
                continue
            for j, enter, by_rail in self.steps[i]:
                there = ids[j]
                if there in done:
                    continue
                total = cost if rail and by_rail else cost + enter
                if limit is None or total <= limit:
                    heappush(heap, (total, (*way, there), j))
        return done

    def to(self, goal: str, limit: int | None, rail: bool) -> dict[str, int]:
        """What it costs to reach a hex, from each hex that may: the goal is always usable."""
        key = (goal, limit, rail)
        found = self._to.get(key)
        if found is None:
            found = self._to[key] = self._back(goal, limit, rail)
        return found

    def _back(self, goal: str, limit: int | None, rail: bool) -> dict[str, int]:
        world, ids = self.world, self.world.locations
        if self._into is None:
            self._into = [[] for _ in ids]
            for i, steps in enumerate(self.steps):
                for j, enter, by_rail in steps:
                    self._into[j].append((i, enter, by_rail))
        last = world.index[goal]
        done: dict[str, int] = {}
        heap = [(0, last)]
        while heap:
            cost, j = heappop(heap)
            if ids[j] in done:
                continue
            done[ids[j]] = cost
            if j != last and not self.usable[j]:
                continue  # a path may begin in such a hex, not pass it
            for i, enter, by_rail in self._into[j]:
                total = cost if rail and by_rail else cost + enter
                if ids[i] not in done and (limit is None or total <= limit):
                    heappush(heap, (total, i))
        return done

    def near(self, source: str, goal: Goal, limit: int | None, rail: bool) -> bool:
        """May there be a path at all, whatever ports and seas are like? For those who try many sources."""
        back = self.to(goal.hex, limit, rail)
        if source in back:
            return True
        ends = (goal.coast and goal.hex in self.world.coasts) or any(p in back for p in self.ground.ports)
        return ends and self._to_sea(source, limit, rail)

    def _to_sea(self, source: str, limit: int | None, rail: bool) -> bool:
        """Is a port within the limit of a source?"""
        key = (source, limit, rail)
        if key not in self._seaward:
            there = self.from_(source, limit, rail)
            self._seaward[key] = any(p in there for p in self.ground.ports)
        return self._seaward[key]

    def by_sea(self, power: str, costs: Mapping[str, int], goal: Goal, limit: int) -> bool:
        """S-9 Does an overseas leg lead from what is reached at these costs to a hex? Slots are no matter."""
        seas = self.ground.seas(power)
        back = self.to(goal.hex, limit, False)
        for cost_b, b, _ in self._ends(goal, back, (), False):
            groups = self._groups(b, seas)
            for a, hurt in self.ground.ports.items():
                if (
                    hurt
                    or a == b
                    or costs.get(a, limit + 1) + cost_b > limit
                    or not groups & self._groups(a, seas)
                ):
                    continue
                if costs[a] == 0 or self.usable[self.world.index[a]]:
                    return True
        return False

    # one path

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
        """S-10 The path that an order means: without sea, else with the fewest slots, the least cost, the
        smallest sequence of ids. `slots` has what minor ports have served; `ports` fixes the leg. Without
        `explain` it is not looked how long a path beyond the limit would be."""
        if goal.hex not in self.world.index or not self.world.land(goal.hex):
            return NoPath("E-PATH")
        found = self._path(power, source, goal, limit, rail, slots or {}, ports)
        if found is not None:
            return found
        full = self._path(power, source, goal, limit, rail, None, ports)
        if full is not None:
            port = next(p for p in full.slots if (slots or {}).get(p, 0) >= self.slots_each)
            return NoPath("E-PORT", port=port)
        hurt = self._path(power, source, goal, limit, rail, None, ports, damaged=True)
        if hurt is not None:
            return NoPath("E-PORTDAM", port=next((p for p in hurt.ports if self.ground.ports.get(p)), None))
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
        """One path. `slots` None: full ports are no matter; `damaged`: nor are damaged ones."""
        if not ports:
            over = self.from_(source, limit, rail).get(goal.hex)
            if over is not None:
                return Path(over[0], over[1])
        legs = list(self._legs(power, source, goal, limit, rail, slots, ports, damaged))
        if not legs:
            return None
        best = min((len(taken), cost) for cost, _, _, taken, _ in legs)
        ways = []
        for cost, a, b, taken, coast in legs:
            if (len(taken), cost) == best:
                left = self.from_(source, limit, rail)[a][1]
                right = self.from_(b, limit, rail)[goal.hex][1]
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
        """Every pair of ports: cost, both, slots taken, does the coast stand in for the second."""
        seas = self.ground.seas(power)
        if not seas:
            return
        there, back = self.from_(source, limit, rail), self.to(goal.hex, limit, rail)
        begins = [
            (there[a][0], a, groups)
            for a in self._ports(there, source, damaged)
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
        """Where the leg may end: ports, the unit's own coast (4.6.7), the port under repair."""
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
        """The ports among what a search reached: friendly, undamaged, usable or where the path ends."""
        return [
            p
            for p, hurt in self.ground.ports.items()
            if p in near and (damaged or not hurt) and (p == end or self.usable[self.world.index[p]])
        ]

    def _groups(self, hex: str, seas: Mapping[str, int]) -> frozenset[int]:
        return frozenset(seas[a] for a in self.world.coasts[hex] if a in seas)

    def _minor(self, port: str) -> bool:
        site = self.world.sites.get(port)
        return site is not None and site.port == "minor"

    # floods: who can be reached at all (S-8, 4.6.10)

    def flood(
        self,
        starts: Iterable[str],
        power: str,
        limit: int | None,
        *,
        rail: bool,
        rails_only: bool = False,
        sea: bool = True,
        until: Callable[[str], bool] | None = None,
    ) -> dict[str, int]:
        """Every hex that a path of any number of overseas legs from any of these hexes reaches, with its
        cost. `rails_only`: steps along rail links and overseas legs alone; not `sea`: no overseas leg;
        `until`: it is enough to have found a hex for which this holds."""
        world, ids = self.world, self.world.locations
        seas, done = self.ground.seas(power), dict[str, int]()
        begin = {s for s in starts if s in world.index}
        heap = [(0, world.index[s]) for s in sorted(begin)]
        ports = self.ground.ports if sea else {}
        open_ports = {p: g for p, hurt in ports.items() if not hurt and (g := self._groups(p, seas))}
        crossed: set[int] = set()
        while heap:
            cost, i = heappop(heap)
            id = ids[i]
            if id in done:
                continue
            done[id] = cost
            if until is not None and until(id):
                break
            if id not in begin and not self.usable[i]:
                continue
            for j, enter, by_rail in self.steps[i]:
                total = cost if rail and by_rail else cost + enter
                if ids[j] in done or (rails_only and not by_rail) or (limit is not None and total > limit):
                    continue
                heappush(heap, (total, j))
            for group in sorted(open_ports.get(id, frozenset()) - crossed):
                crossed.add(group)
                for p, groups in open_ports.items():
                    if group in groups and p not in done:
                        heappush(heap, (cost, world.index[p]))
        return done
