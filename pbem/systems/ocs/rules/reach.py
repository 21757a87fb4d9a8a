"""Supply paths, and which supply a unit can use (4.0.4, 4.0.5): searches in units of `World.scale`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property
from heapq import heappop, heappush

from pbem.rules import Board, dataclass

from .pieces import T, Unit, units, world_of
from .stores import Store, stores
from .world import ALL, World
from .zones import Ground

Cost = tuple[int, int]
"""Units committed on the way, and movement points in units of `World.scale`."""
MANY = 16
"""After searches from so many hexes a net searches from what they look for instead: it comes to the same."""


@dataclass
class Found:
    """What a search reached, and the way back."""

    world: World
    costs: dict[str, Cost]
    before: dict[str, str] = field(default_factory=dict)

    def __contains__(self, hex: str) -> bool:
        return hex in self.costs

    def way(self, end: str) -> tuple[str, ...]:
        """The hexes entered on the way to a hex."""
        path: list[str] = []
        while end in self.before:
            path.append(end)
            end = self.before[end]
        return tuple(reversed(path))

    @cached_property
    def near(self) -> dict[str, Cost]:
        """The least cost of reaching a hex or one beside it."""
        found = dict(self.costs)
        for hex, cost in self.costs.items():
            for to in self.world.beside(hex):
                if to not in found or cost < found[to]:
                    found[to] = cost
        return found


class Net:
    """Supply paths of one side on a board as it stands. `trace`: no unit is ever committed (R-105); `others`:
    units that later actions name, committed only if nobody else is there (R-106)."""

    def __init__(
        self,
        board: Board,
        side: str,
        *,
        trace: bool = True,
        others: frozenset[str] = frozenset(),
        ground: Ground | None = None,
    ) -> None:
        self.board, self.side, self.trace, self.others = board, side, trace, others
        self.world, self.ground = world_of(board), ground or Ground(board, side)
        self.weather = T.of(board).ground
        self._reached: dict[tuple[str, int, str], Found] = {}
        self._towards: dict[tuple[str, int, str], dict[str, int]] = {}
        self._stores: list[Store] | None = None
        self._fetched: dict[str, dict[str, Cost]] = {}

    def reach(self, start: str, limit: int, m: str) -> Found:
        """4.0.4 Everything a path of at most `limit` movement points reaches, the cheapest way; ways that
        commit nobody before those that do (R-128)."""
        key = (start, limit, m)
        if key not in self._reached:
            plain = self._search(start, limit, m)
            if m == "truck" and self._tolls:
                with_tolls = self._search_with_tolls(start, limit, m)
                for hex, cost in with_tolls.costs.items():
                    if hex not in plain.costs:
                        plain.costs[hex] = cost
                        plain.before[hex] = with_tolls.before[hex]
            self._reached[key] = plain
        return self._reached[key]

    @cached_property
    def _closed(self) -> frozenset[str]:
        """4.4.4 Hexes in enemy zones that no friend negates: wheels do not enter them."""
        ground = self.ground
        if self.trace:
            return ground.zoc.difference(ground.held)
        return frozenset(hex for hex in ground.zoc if hex not in ground.held or not ground.free(hex))

    @cached_property
    def _tolls(self) -> frozenset[str]:
        """Closed hexes that are open to who commits a friendly unit there."""
        return frozenset() if self.trace else frozenset(h for h in self._closed if h in self.ground.held)

    def _search(self, start: str, limit: int, m: str) -> Found:
        """The cheapest ways that commit nobody."""
        world, budget = self.world, limit * self.world.scale
        barred = self.ground.hostile | self._closed if m == "truck" else self.ground.hostile
        paths = world.supply_paths(m, self.weather)
        best: dict[str, int] = {start: 0}
        before: dict[str, str] = {}
        done: set[str] = set()
        queue: list[tuple[int, str]] = [(0, start)]
        while queue:
            cost, here = heappop(queue)
            if here in done:
                continue
            done.add(here)
            for to, step in paths.get(here) or world.supply_steps(here, m, self.weather):
                if to in barred or to in done:
                    continue
                if step == ALL:
                    if here != start:
                        continue
                    step = budget
                spent = cost + step
                if spent <= budget and (to not in best or spent < best[to]):
                    best[to], before[to] = spent, here
                    heappush(queue, (spent, to))
        return Found(world, {hex: (0, cost) for hex, cost in best.items()}, before)

    def _search_with_tolls(self, start: str, limit: int, m: str) -> Found:
        """The ways that commit the fewest units, of these the cheapest."""
        world, enemies, budget = self.world, self.ground.hostile, limit * self.world.scale
        closed, toll_hexes, paths = self._closed, self._tolls, world.supply_paths(m, self.weather)
        best: dict[str, Cost] = {start: (0, 0)}
        labels: dict[str, list[Cost]] = {start: [(0, 0)]}
        before: dict[str, str] = {}
        queue: list[tuple[int, int, str]] = [(0, 0, start)]
        while queue:
            toll, cost, here = heappop(queue)
            if (toll, cost) not in labels[here]:
                continue
            for to, step in paths.get(here) or world.supply_steps(here, m, self.weather):
                if to in enemies or (to in closed and to not in toll_hexes):
                    continue
                if step == ALL:
                    if here != start:
                        continue
                    step = budget
                spent, paid = cost + step, toll + (to in closed)
                if spent > budget or any(t <= paid and c <= spent for t, c in labels.get(to, ())):
                    continue
                kept = [one for one in labels.get(to, ()) if not (paid <= one[0] and spent <= one[1])]
                labels[to] = [*kept, (paid, spent)]
                if to not in best or (paid, spent) < best[to]:
                    best[to], before[to] = (paid, spent), here
                heappush(queue, (paid, spent, to))
        return Found(world, best, before)

    def reaching(self, targets: Iterable[str], limit: int, m: str) -> set[str]:
        """The hexes from which a path of at most `limit` comes to one of these, or beside it: one search from
        the targets backwards. No unit is committed."""
        world, budget = self.world, limit * self.world.scale
        barred = self.ground.hostile | self._closed if m == "truck" else self.ground.hostile
        ends = {h for t in targets if t not in self.ground.hostile for h in (t, *world.beside(t))}
        found, best = set(ends), dict.fromkeys(sorted(ends), 0)
        paths = world.supply_paths(m, self.weather)
        queue = [(0, hex) for hex in best]
        done: set[str] = set()
        while queue:
            cost, to = heappop(queue)
            if to in done or to in barred:  # a path may begin in a closed hex, it enters none
                continue
            done.add(to)
            for here in world.beside(to):
                steps = paths.get(here) or world.supply_steps(here, m, self.weather)
                step = next((cost for hex, cost in steps if hex == to), None)
                if step is None:
                    continue
                if step == ALL:  # all there is, for the first step of a path
                    if not cost:
                        found.add(here)
                    continue
                spent = cost + step
                if spent <= budget and spent < best.get(here, budget + 1):
                    best[here] = spent
                    found.add(here)
                    heappush(queue, (spent, here))
        return found

    def towards(self, target: str, limit: int, m: str) -> dict[str, int]:
        """From where a hex, or one beside it, is reached within the limit, and at what cost: one search
        backwards, for many who ask about few targets. Nobody is committed."""
        key = (target, limit, m)
        if key not in self._towards:
            self._towards[key] = self._search_back(target, limit * self.world.scale, m)
        return self._towards[key]

    def _search_back(self, target: str, budget: int, m: str) -> dict[str, int]:
        world = self.world
        barred = self.ground.hostile | self._closed if m == "truck" else self.ground.hostile
        steps_to = world.supply_steps_to(m, self.weather)
        best = dict.fromkeys((target, *world.beside(target)), 0)
        all_spent: dict[str, int] = {}
        queue = [(0, hex) for hex in best]
        done: set[str] = set()
        while queue:
            cost, to = heappop(queue)
            if to in done or to in barred:  # a path may begin in a closed hex, it enters none
                continue
            done.add(to)
            for here, step in steps_to.get(to) or world.steps_to(to, m, self.weather):
                if step == ALL:  # all there is, for the first step of a path
                    if not cost:
                        all_spent[here] = budget
                    continue
                spent = cost + step
                if spent <= budget and (here not in best or spent < best[here]):
                    best[here] = spent
                    heappush(queue, (spent, here))
        return {**all_spent, **best}

    def touches(self, start: str, limit: int, m: str, target: str) -> Cost | None:
        """The least cost of reaching a hex or one beside it ("adjacent is close enough")."""
        if target in self.ground.hostile:
            return None
        if (start, limit, m) not in self._reached and self._too_far(start, limit, m, target):
            return None
        return self.reach(start, limit, m).near.get(target)

    def _too_far(self, start: str, limit: int, m: str, target: str) -> bool:
        """Is a hex out of reach even over the best of roads? Spares the search."""
        world = self.world
        if start not in world.terrains or target not in world.terrains:
            return False
        most = limit * world.scale // world.least_step(m, self.weather) + 1
        return world.distance(start, target) > most

    def landing(self, start: str, limit: int, m: str, target: str) -> str | None:
        """The hex from which a target is touched."""
        found = self.reach(start, limit, m)
        near = [(found.costs[h], h) for h in (target, *self.world.beside(target)) if h in found]
        return min(near)[1] if near else None

    # HQs and dumps

    @property
    def draw_range(self) -> int:
        return int(self.world.supply["costs"]["draw_range_truck_mp"])

    def draw_mobility(self, consumer: Unit | None) -> str:
        """R-38 An HQ whose throw goes by leg or track draws with that mobility."""
        if consumer is not None and consumer.is_hq:
            return consumer.print.throw_mobility
        return "truck"

    def direct(self, hex: str, target: str, consumer: Unit | None = None) -> tuple[int, int] | None:
        """4.0.5 The cost of drawing from a target hex directly, None if it is too far."""
        limit, m = self.draw_range, self.draw_mobility(consumer)
        many = len(self._reached) >= MANY and (hex, limit, m) not in self._reached
        if not many or target in self.ground.hostile or (m == "truck" and self._tolls):
            return self.touches(hex, limit, m, target)
        spent = self.towards(target, limit, m).get(hex)
        return None if spent is None else (0, spent)

    @cached_property
    def throwing(self) -> list[Unit]:
        """The HQs of the side that throw at all."""
        return [
            u
            for u in units(self.board, self.side)
            if u.is_hq and u.hex is not None and u.marker != "strat" and u.side.throw
        ]

    def fetches(self, hq: Unit) -> dict[str, Cost]:
        """4.0.5 The stores from which an HQ draws what it throws, with the cost of drawing."""
        if hq.id not in self._fetched:
            found = ((one.hex, self.direct(hq.hex or "", one.hex, hq)) for one in self.stores())
            self._fetched[hq.id] = {hex: cost for hex, cost in found if cost is not None}
        return self._fetched[hq.id]

    def hqs(
        self, consumer: Unit | None = None, formation: str | None = None, *, among: list[Unit] | None = None
    ) -> Iterator[Unit]:
        """HQs that may throw to a consumer: not in Strat, not itself, with a throw range."""
        for hq in self.throwing if among is None else among:
            if consumer is not None and hq.id == consumer.id:
                continue
            if "divisional_hq" in hq.print.flags and not self._own_division(hq, consumer, formation):
                continue
            yield hq

    def _own_division(self, hq: Unit, consumer: Unit | None, formation: str | None) -> bool:
        if consumer is None:
            return False
        same = hq.formation is not None and hq.formation == (formation or consumer.formation)
        return same or (consumer.independent and consumer.print.nation == hq.print.nation)

    def throws(self, hq: Unit, to: str, start: str | None = None) -> tuple[int, int] | None:
        """4.0.5 The cost of an HQ's throw to a hex, None if it is too far; from `start`, or where it is."""
        assert hq.hex is not None
        return self.touches(start or hq.hex, hq.side.throw or 0, hq.print.throw_mobility, to)

    def thrown_to(self, hq: Unit) -> Iterable[str]:
        """4.0.5 The hexes to which an HQ throws, those with enemies too."""
        return self.reach(hq.hex or "", hq.side.throw or 0, hq.print.throw_mobility).near

    def stores(self) -> list[Store]:
        """All supply of the side on the map, by hex."""
        if self._stores is None:
            self._stores = list(stores(self.board, self.side))
        return self._stores

    def forget(self, *, zones: bool) -> None:
        """What lies where is looked at again; with `zones` also which of them are open."""
        self._stores = None
        self._fetched.clear()
        if zones:
            self._reached.clear()
            self._towards.clear()
            self.__dict__.pop("_closed", None)
            self.__dict__.pop("_tolls", None)

    def spend(self, hex: str, t: int, formation: str | None = None) -> int:
        """Count up to t T of a hex as spent: free ones first, then those of a formation's trucks."""
        store = next(one for one in self.stores() if one.hex == hex)
        free = min(t, store.free)
        store.free -= free
        own = min(t - free, store.organic.get(formation, 0)) if formation else 0
        if own and formation:
            store.organic[formation] -= own
        return free + own

    def usable(
        self,
        hex: str,
        consumer: Unit | None = None,
        formation: str | None = None,
        *,
        organic: bool = False,
        drawn_only: bool = False,
    ) -> list[Supply]:
        """4.0.5 The supply a consumer in a hex can use, in the default order of payment (R-104). An HQ passes
        on only what it draws itself (`drawn_only`)."""
        formation = formation or (consumer.formation if consumer is not None else None)
        found: list[Supply] = []
        hqs = [] if drawn_only else list(self.hqs(consumer, formation))
        senders = [(hq, sent) for hq in hqs if (sent := self.throws(hq, hex)) is not None]
        for store in self.stores():
            if store.afloat:  # on Landing Craft: same or adjacent hex, never thrown
                if store.free and store.hex in (hex, *self.world.beside(hex)):
                    found.append(Supply(0, 0, 0, store.hex, ""))
                continue
            amount = store.free + (store.organic.get(formation or "", 0) if organic else 0)
            if amount <= 0:
                continue
            drawn = self.direct(hex, store.hex, consumer)
            ways = [Supply(drawn[0], 0, drawn[1], store.hex, "")] if drawn is not None else []
            for hq, sent in senders if drawn is None or drawn[0] else ():
                fetched = self.fetches(hq).get(store.hex)
                if fetched is not None:
                    ways.append(Supply(fetched[0] + sent[0], 1, fetched[1] + sent[1], store.hex, hq.id))
            if ways:
                found.append(min(ways))
        return sorted(found)

    def commits(self, hex: str, supply: Supply, consumer: Unit | None = None) -> list[str]:
        """The hexes on the way of a supply whose zones must be negated by a unit that may still move."""
        if self.trace or not supply.tolls:
            return []
        ways = []
        if not supply.hq:
            ways.append((hex, self.draw_range, self.draw_mobility(consumer), supply.hex))
        else:
            hq = Unit(self.board, supply.hq)
            assert hq.hex is not None
            ways.append((hq.hex, self.draw_range, self.draw_mobility(hq), supply.hex))
            ways.append((hq.hex, hq.side.throw or 0, hq.print.throw_mobility, hex))
        found: list[str] = []
        for start, limit, m, target in ways:
            end = self.landing(start, limit, m, target)
            if end is not None:
                found += [h for h in self.reach(start, limit, m).way(end) if self.ground.open_zoc(h)]
        return sorted(set(found))


@dataclass(frozen=True, order=True)
class Supply:
    """A dump that can be used, in the order of payment: by a way that commits fewer units (R-128), by direct
    draw (0) before by throw (1), at less cost (R-104)."""

    tolls: int
    thrown: int
    cost: int
    hex: str
    hq: str


def available(net: Net, supplies: Iterable[Supply], formation: str | None = None) -> int:
    """All T of these supplies together."""
    by_hex = {store.hex: store for store in net.stores()}
    return sum(
        by_hex[s.hex].free + (by_hex[s.hex].organic.get(formation, 0) if formation else 0) for s in supplies
    )
