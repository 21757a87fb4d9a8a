"""Supply paths, and the supply a unit can use (4.0.4, 4.0.5); costs in units of `World.scale`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from pbem.kit.paths import Reached, Row, search
from pbem.rules import Board, dataclass

from ..pieces import T, Unit, units, world_of
from ..world import Steps, World
from ..zones import Ground
from .stores import Store, stores

Cost = tuple[int, int]
"""Number of units committed on the path, and movement points in units of `World.scale`."""
MANY = 16
"""Searches from hexes after which a net searches backwards from targets instead, with the same result."""


class Reachable:
    """The hexes that a search reached, with the paths to them.

    For each hex it is the path that commits the fewest units, and of these the cheapest. The label of a node
    is the number of units committed.
    """

    def __init__(self, world: World, reached: Reached) -> None:
        self._world, self._reached, self._size = world, reached, len(world.locations)

    @cached_property
    def _ends(self) -> dict[str, int]:
        """Return the node of each hex; a node reached later costs more but commits fewer units."""
        ids, size = self._world.locations, self._size
        return {ids[node % size]: node for node in self._reached.costs}

    @cached_property
    def costs(self) -> dict[str, Cost]:
        """Return the lowest cost of reaching each hex."""
        costs, size = self._reached.costs, self._size
        return {hex: (node // size, costs[node]) for hex, node in self._ends.items()}

    def __contains__(self, hex: str) -> bool:
        return hex in self._ends

    def way(self, end: str) -> tuple[str, ...]:
        """Return the hexes entered on the path to a hex."""
        nodes = self._reached.way(self._ends[end])[1:]
        return self._world.ids(node % self._size for node in nodes)

    @cached_property
    def _near(self) -> dict[int, Cost]:
        costs, size, beside = self._reached.costs, self._size, self._world.map.hex_table
        best_first = sorted(costs, key=lambda n: (n // size, costs[n])) if max(costs) >= size else costs
        nearest: dict[int, Cost] = {}
        for node in best_first:
            label, here = divmod(node, size)
            cost = label, costs[node]
            for to in (here, *beside[here]):
                if to not in nearest:
                    nearest[to] = cost
        return nearest

    def near(self, hex: str) -> Cost | None:
        """Return the lowest cost of reaching a hex or one beside it, or None if it is too far."""
        i = self._world.index.get(hex)
        return None if i is None else self._near.get(i)

    @property
    def all_near(self) -> tuple[str, ...]:
        """Return the hexes reached, and the hexes beside them."""
        return self._world.ids(self._near)


class Leaving(dict[int, Row]):
    """4.0.4: The steps out of each node for one mobility, computed when a search needs them.

    No step enters a hex with enemies or, for trucks, a closed hex. If a friend there can be committed, the
    step leads to the hex with a label one higher.
    """

    def __init__(self, net: Net, m: str) -> None:
        super().__init__()
        self._net, self._m, self._size = net, m, len(net.world.locations)
        index = net.world.index
        self._tolls = {index[hex] for hex in net.tolls(m)}
        self._barred = {index[hex] for hex in net.barred(m)} - self._tolls

    def __missing__(self, node: int) -> Row:
        here = node % self._size
        row = self._net.steps(here, self._m).row
        if node != here or not (self._barred.isdisjoint(row) and self._tolls.isdisjoint(row)):
            label = node - here
            row = {label + self._entered(to): step for to, step in row.items() if to not in self._barred}
        self[node] = row
        return row

    def dear(self, here: int) -> list[int]:
        """Return the nodes that a first step enters for the whole allowance."""
        listed = self._net.steps(here, self._m).dear
        return [self._entered(to) for to in listed if to not in self._barred]

    def _entered(self, to: int) -> int:
        return to + self._size if to in self._tolls else to


class Net:
    """The supply paths of one side on the present board.

    `trace`: no unit is ever committed (R-105). `others`: units that later actions name, committed only if no
    other unit is there (R-106).
    """

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
        self._reached: dict[tuple[str, int, str], Reachable] = {}
        self._towards: dict[tuple[str, int, str], dict[str, int]] = {}
        self._stores: list[Store] | None = None
        self._fetched: dict[str, dict[str, Cost]] = {}
        self._over: dict[tuple[int, str], Steps] = {}
        self._leaving: dict[str, Leaving] = {}

    @cached_property
    def _bridges(self) -> frozenset[str]:
        """R-301, 4.4.7: Return the hexes beside a river with an engineer of the side."""
        able = (u.hex or "" for u in units(self.board, self.side) if u.engineer)
        return frozenset(
            hex for hex in able if any(self.world.river(hex, to) for to in self.world.beside(hex))
        )

    def _bridged(self, i: int) -> bool:
        """R-301: Return True if a bridge of the side's engineers is in or beside a hex."""
        here = self.world.locations[i]
        return here in self._bridges or not self._bridges.isdisjoint(self.world.beside(here))

    def steps(self, i: int, m: str) -> Steps:
        """4.0.4: Return the steps out of a hex, with rivers bridged by the side's engineers (R-301)."""
        if not self._bridges or not self._bridged(i):
            return self.world.supply_row(i, m, self.weather)
        if (i, m) not in self._over:
            self._over[i, m] = self.world.bridged_row(i, m, self.weather, self._bridges)
        return self._over[i, m]

    def _steps_to(self, i: int, m: str) -> Steps:
        """Return the steps that lead to a hex."""
        if not self._bridges or not self._bridged(i):
            return self.world.supply_row_to(i, m, self.weather)
        return Steps.leading_to(i, {near: self.steps(near, m) for near in self.world.map.beside(i)})

    def reach(self, start: str, limit: int, m: str) -> Reachable:
        """4.0.4: Return the hexes reached within `limit` movement points, each by the cheapest path.

        Paths that commit no unit take precedence (R-128).
        """
        key = (start, limit, m)
        if key not in self._reached:
            self._reached[key] = Reachable(self.world, self._search(start, limit * self.world.scale, m))
        return self._reached[key]

    def _search(self, start: str, budget: int, m: str) -> Reached:
        first = self.world.at(start)
        if m not in self._leaving:
            self._leaving[m] = Leaving(self, m)
        rows, size = self._leaving[m], len(self.world.locations)
        starts = {first: 0}
        starts |= dict.fromkeys(rows.dear(first), budget)
        reached = search(starts, rows.__getitem__, size, limit=budget, labels=1 + len(self.tolls(m)))
        for to in starts:
            if to != first:
                reached.origins.setdefault(to, first)
        return reached

    @cached_property
    def _closed(self) -> frozenset[str]:
        """4.4.4: Return the hexes in enemy zones that no friend negates; trucks do not enter them."""
        ground = self.ground
        if self.trace:
            return ground.zoc.difference(ground.held)
        return frozenset(hex for hex in ground.zoc if hex not in ground.held or not ground.free(hex))

    @cached_property
    def _tolls(self) -> frozenset[str]:
        """Return the closed hexes that a side can enter by committing a friendly unit there."""
        if self.trace:
            return frozenset()
        return frozenset(h for h in self._closed if h in self.ground.held) - self.ground.hostile

    def barred(self, m: str) -> frozenset[str]:
        """Return the hexes that no path of this mobility can enter without committing a unit."""
        return self._barred if m == "truck" else self.ground.hostile

    def tolls(self, m: str) -> frozenset[str]:
        """Return the hexes that a path of this mobility can enter by committing a unit there."""
        return self._tolls if m == "truck" else frozenset()

    @cached_property
    def _barred(self) -> frozenset[str]:
        return self.ground.hostile | self._closed

    def reaching(self, targets: Iterable[str], limit: int, m: str) -> set[str]:
        """Return the hexes from which a path within `limit` reaches a target, or a hex beside it.

        This searches backwards from the targets; no unit is committed.
        """
        hostile, world = self.ground.hostile, self.world
        ends = [h for t in targets if t not in hostile for h in (t, *world.beside(t))]
        return set(self._search_back(ends, limit * world.scale, m))

    def towards(self, target: str, limit: int, m: str) -> dict[str, int]:
        """Return the hexes from which a target, or a hex beside it, is in reach, with the cost.

        This searches backwards, for many questions about few targets. No unit is committed.
        """
        key = (target, limit, m)
        if key not in self._towards:
            ends = (target, *self.world.beside(target))
            self._towards[key] = self._search_back(ends, limit * self.world.scale, m)
        return self._towards[key]

    def _search_back(self, ends: Iterable[str], budget: int, m: str) -> dict[str, int]:
        ids, barred, at = self.world.locations, self.barred(m), self.world.at
        all_spent: dict[int, int] = {}

        def come(i: int) -> Row:
            """Return the steps that lead to a node; a path may begin in a closed hex, but enters none."""
            if ids[i] in barred:
                return {}
            steps = self._steps_to(i, m)
            if steps.dear and i in goals:  # the first step of a path may cost everything
                all_spent.update(dict.fromkeys(steps.dear, budget))
            return steps.row

        goals = {at(hex): 0 for hex in ends}
        costs = search(goals, come, len(ids), limit=budget).costs
        return {ids[i]: cost for i, cost in {**all_spent, **costs}.items()}

    def touches(self, start: str, limit: int, m: str, target: str) -> Cost | None:
        """Return the lowest cost of reaching a hex or one beside it ("adjacent is close enough")."""
        if target in self.ground.hostile:
            return None
        if (start, limit, m) not in self._reached and self._too_far(start, limit, m, target):
            return None
        return self.reach(start, limit, m).near(target)

    def _too_far(self, start: str, limit: int, m: str, target: str) -> bool:
        """Return True if a hex is too far even by the cheapest steps, to avoid a search."""
        world = self.world
        if start not in world.terrains or target not in world.terrains:
            return False
        most = limit * world.scale // world.least_step(m, self.weather) + 1
        return world.distance(start, target) > most

    def landing(self, start: str, limit: int, m: str, target: str) -> str | None:
        """Return the hex in or beside the target where the cheapest path ends, or None."""
        reached = self.reach(start, limit, m)
        near = [(reached.costs[h], h) for h in (target, *self.world.beside(target)) if h in reached]
        return min(near)[1] if near else None

    @property
    def draw_range(self) -> int:
        return int(self.world.supply["costs"]["draw_range_truck_mp"])

    def draw_mobility(self, consumer: Unit | None) -> str:
        """R-38: Return the mobility of a draw: an HQ draws by the mobility of its throw, others by truck."""
        if consumer is not None and consumer.is_hq:
            return consumer.print.throw_mobility
        return "truck"

    def direct(self, hex: str, target: str, consumer: Unit | None = None) -> tuple[int, int] | None:
        """4.0.5: Return the cost of drawing directly from a target hex, or None if it is too far."""
        limit, m = self.draw_range, self.draw_mobility(consumer)
        many = len(self._reached) >= MANY and (hex, limit, m) not in self._reached
        if not many or target in self.ground.hostile or (m == "truck" and self._tolls):
            return self.touches(hex, limit, m, target)
        spent = self.towards(target, limit, m).get(hex)
        return None if spent is None else (0, spent)

    @cached_property
    def throwing(self) -> list[Unit]:
        """Return the HQs of the side that can throw."""
        return [
            u
            for u in units(self.board, self.side)
            if u.is_hq and u.hex is not None and u.marker != "strat" and u.side.throw
        ]

    def fetches(self, hq: Unit) -> dict[str, Cost]:
        """4.0.5: Return the stores from which an HQ can draw, with the cost of drawing."""
        if hq.id not in self._fetched:
            costs = ((store.hex, self.direct(hq.hex or "", store.hex, hq)) for store in self.stores())
            self._fetched[hq.id] = {hex: cost for hex, cost in costs if cost is not None}
        return self._fetched[hq.id]

    def hqs(
        self, consumer: Unit | None = None, formation: str | None = None, *, among: list[Unit] | None = None
    ) -> Iterator[Unit]:
        """Yield the HQs that may throw to a consumer: not in Strat, of no other division, not itself."""
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
        """4.0.5: Return the cost of an HQ's throw to a hex, or None if it is too far.

        The throw counts from `start`, or else from the HQ's hex.
        """
        assert hq.hex is not None
        return self.touches(start or hq.hex, hq.side.throw or 0, hq.print.throw_mobility, to)

    def thrown_to(self, hq: Unit) -> Iterable[str]:
        """4.0.5: Return the hexes to which an HQ can throw, including those with enemies."""
        return self.reach(hq.hex or "", hq.side.throw or 0, hq.print.throw_mobility).all_near

    def stores(self) -> list[Store]:
        """Return the side's supply on the map, by hex."""
        if self._stores is None:
            self._stores = list(stores(self.board, self.side))
        return self._stores

    def forget(self, *, zones: bool) -> None:
        """Forget computed supply; with `zones` also the hexes that zones close."""
        self._stores = None
        self._fetched.clear()
        if zones:
            self._reached.clear()
            self._towards.clear()
            self._leaving.clear()
            for name in ("_closed", "_tolls", "_barred"):
                self.__dict__.pop(name, None)

    def spend(self, hex: str, t: int, formation: str | None = None) -> int:
        """Count up to `t` T of a hex as spent, free ones first, then the formation's organic loads."""
        store = next(s for s in self.stores() if s.hex == hex)
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
        """4.0.5: Return the supply that a consumer in a hex can use, in the default order of payment (R-104).

        `drawn_only`: no throws, because an HQ passes on only supply that it draws itself.
        """
        formation = formation or (consumer.formation if consumer is not None else None)
        supplies: list[Supply] = []
        hqs = [] if drawn_only else list(self.hqs(consumer, formation))
        senders = [(hq, sent) for hq in hqs if (sent := self.throws(hq, hex)) is not None]
        for store in self.stores():
            if store.afloat:  # on Landing Craft: same or adjacent hex, never thrown
                if store.free and store.hex in (hex, *self.world.beside(hex)):
                    supplies.append(Supply(0, 0, 0, store.hex, ""))
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
                supplies.append(min(ways))
        return sorted(supplies)

    def commits(self, hex: str, supply: Supply, consumer: Unit | None = None) -> list[str]:
        """Return the hexes on the path of supply where a unit must be committed to negate a zone."""
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
        zones: list[str] = []
        for start, limit, m, target in ways:
            end = self.landing(start, limit, m, target)
            if end is not None:
                zones += [h for h in self.reach(start, limit, m).way(end) if self.ground.open_zoc(h)]
        return sorted(set(zones))


@dataclass(frozen=True, order=True)
class Supply:
    """A dump that can be used, in the order of payment.

    First comes the path that commits the fewest units (R-128), then a draw (0) before a throw (1), then the
    lower cost (R-104).
    """

    tolls: int
    thrown: int
    cost: int
    hex: str
    hq: str


def available(net: Net, supplies: Iterable[Supply], formation: str | None = None) -> int:
    """Return the T of all these supplies together."""
    by_hex = {store.hex: store for store in net.stores()}
    return sum(
        by_hex[s.hex].free + (by_hex[s.hex].organic.get(formation, 0) if formation else 0) for s in supplies
    )
