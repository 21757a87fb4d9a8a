"""Static data of an ocs game: map, charts, printed values, formations.

Movement costs are whole numbers, `scale` to a movement point, so that searches need no fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from pbem.board.map import GameMap
from pbem.kit.chart import Chart
from pbem.kit.faults import bad_data, refuse
from pbem.kit.paths import Row
from pbem.rules import Message, dataclass

from .printed import PlaneType, ShipType, UnitType, plane_type, ship_type, unit_type

Data = Mapping[str, Any]
TABLES = ("combat", "barrage", "movement", "supply", "turn", "air", "ships", "units")
ALL = -1
"""The cost that takes the whole allowance of a unit that has spent nothing."""
OUT_OF_RANGE = 9999
ROADS = ("road", "track", "railroad")
WATER = ("minor_river", "major_river", "lake_or_sea_hexside")


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps from a hex, or to a hex.

    `row` gives the cost of each. `dear` lists the hexes that cost the whole allowance: only the first step of
    a path can enter them.
    """

    row: Row
    dear: tuple[int, ...] = ()

    @staticmethod
    def leading_to(i: int, around: Mapping[int, Steps]) -> Steps:
        """Return the steps to a hex, taken from those of the hexes around it."""
        row = {hex: steps.row[i] for hex, steps in around.items() if i in steps.row}
        return Steps(row, tuple(hex for hex, steps in around.items() if i in steps.dear))


class World(Chart):
    """Map and charts of one scenario."""

    def __init__(self, map: GameMap, scenario: Data, tables: dict[str, Data], options: Data) -> None:
        super().__init__(map)
        self.options = dict(options)
        self.tables = {name: _replaced(tables[name], scenario.get("tables", {}).get(name)) for name in TABLES}
        self.combat, self.movement = self.tables["combat"], self.tables["movement"]
        self.supply, self.numbers = self.tables["supply"], self.tables["units"]
        self.sizes: Data = self.numbers["re_by_size"]
        self.point_T = int(self.numbers["t_per_re"])
        self.seats: tuple[str, ...] = tuple(scenario["seats"])
        self.last_turn = int(scenario["turns"])
        self.scenario = scenario
        self.victory: Data = scenario.get("victory", {})
        self.sources: dict[str, tuple[str, ...]] = {
            side: tuple(scenario["supply_sources"].get(side, ())) for side in self.seats
        }
        self.oob: dict[str, Data] = {side: scenario["oob"][side] for side in self.seats}
        self.scale = lcm(
            *(
                Fraction(c).denominator
                for c in _figures(
                    {k: self.movement[k] for k in ("hex", "hexside_add", "road_pairs", "weather")}
                )
            )
        )
        self._read_counters(scenario)
        extra = scenario.get("terrains", {})
        self.terrains: dict[str, tuple[str, ...]] = {
            hex: tuple(extra.get(hex, (kind,))) for hex, kind in self.terrain.items() if hex not in self.boxes
        }
        self.own_prints: dict[tuple[str, str], UnitType | PlaneType | ShipType] = {}
        self._steps: dict[tuple[str, str, str, bool, str, bool], int | None] = {}
        self._least: dict[tuple[str, str], int] = {}
        self._in_units: dict[Any, int] = {}
        self._entries: dict[tuple[tuple[str, ...], str, str], int | None] = {}
        self._rivers: dict[tuple[str, str], bool] = {}
        self._rows: dict[tuple[str, str], dict[int, Steps]] = {}
        self._rows_to: dict[tuple[str, str], dict[int, Steps]] = {}

    def _read_counters(self, scenario: Data) -> None:
        self.units: dict[str, UnitType] = {}
        self.planes: dict[str, PlaneType] = {}
        self.ships: dict[str, ShipType] = {}
        self.formation_of: dict[str, str] = {}
        self.formations: dict[str, tuple[str, ...]] = {}
        for side, own in self.oob.items():
            path = ("oob", side)
            for n, row in enumerate(own.get("units", ())):
                self.units[row["id"]] = unit_type(row, side, self.sizes, (*path, "units", n))
            for n, row in enumerate(own.get("aircraft", ())):
                self.planes[row["id"]] = plane_type(row, side, (*path, "aircraft", n))
            for n, row in enumerate(own.get("ships", ())):
                self.ships[row["id"]] = ship_type(row, (*path, "ships", n))
            for turn, listed in own.get("arrivals", {}).items():
                for n, entry in enumerate(listed):
                    where = (*path, "arrivals", turn, n)
                    if "unit" in entry:
                        self.units[entry["unit"]["id"]] = unit_type(entry["unit"], side, self.sizes, where)
                    if "aircraft" in entry:
                        self.planes[entry["aircraft"]["id"]] = plane_type(entry["aircraft"], side, where)
            for name, members in own.get("formations", {}).items():
                self.formations[name] = tuple(members)
                self.formation_of |= dict.fromkeys(members, name)
        repl = scenario["oob"].get("repl_unit")
        for kind in repl["kinds"] if repl else ():
            row = {"name": kind, "size": "co", "kind": kind, "category": "other", **repl}
            self.units[kind] = unit_type(row, "", self.sizes)

    def distance(self, first: str, other: str) -> int:
        """2.2: Return the number of hexes between two hexes; a box is out of every range."""
        if first != other and (first in self.boxes or other in self.boxes):
            return OUT_OF_RANGE
        return super().distance(first, other)

    def enemy(self, side: str) -> str:
        """Return the other side."""
        first, other = self.seats
        return other if side == first else first

    def river(self, a: str, b: str) -> bool:
        """Return True if a river that engineers can bridge is between two hexes."""
        if (a, b) not in self._rivers:
            beside = self.adjacent(a, b)
            self._rivers[a, b] = beside and any(self.crosses(kind, a, b) for kind in WATER[:2])
        return self._rivers[a, b]

    def step(
        self, a: str, b: str, m: str, *, road_ok: bool = True, ground: str = "dry", bridged: bool = False
    ) -> int | None:
        """4.0.3: Return the cost of entering b from a, in units of `scale`: a number, `ALL`, or None."""
        key = (a, b, m, road_ok, ground, bridged)
        if key not in self._steps:
            self._steps[key] = self._step(*key)
        return self._steps[key]

    def _step(self, a: str, b: str, m: str, road_ok: bool, ground: str, bridged: bool) -> int | None:
        if b not in self.beside(a):
            return None
        if road_ok and (by_road := self._road(a, b, m, ground)) is not None:
            return by_road
        there, back = self._raw(a, b, m, ground, bridged), self._raw(b, a, m, ground, bridged)
        return None if back is None else there

    def least_step(self, m: str, ground: str) -> int:
        """Return the lowest cost of any step, at least 1, as a bound for searches."""
        key = (m, ground)
        if key not in self._least:
            roads = {kind: row for kind, row in self.movement["road_pairs"].items() if self.on(kind)}
            charts = [self.movement["hex"], roads]
            weather = self.movement["weather"][ground].get("set", {})
            rows = [row[m] for chart in (*charts, weather) for row in chart.values() if m in row]
            costs = [self.units_of(cost) for cost in rows if cost not in ("P", "ALL")]
            self._least[key] = max(1, min(costs, default=1))
        return self._least[key]

    def supply_row(self, i: int, m: str, ground: str) -> Steps:
        """4.0.4: Return the steps of supply paths from a hex, by number of the hex entered.

        Roads count; weather counts only where it lowers the cost.
        """
        known = self._rows.setdefault((m, ground), {})
        steps = known.get(i)
        if steps is None:
            steps = known[i] = self.bridged_row(i, m, ground, frozenset())
        return steps

    def supply_row_to(self, i: int, m: str, ground: str) -> Steps:
        """4.0.4: Return the steps of supply paths that lead to a hex, by number of the hex left."""
        known = self._rows_to.setdefault((m, ground), {})
        steps = known.get(i)
        if steps is None:
            around = {near: self.supply_row(near, m, ground) for near in self.map.beside(i)}
            steps = known[i] = Steps.leading_to(i, around)
        return steps

    def bridged_row(self, i: int, m: str, ground: str, bridges: frozenset[str]) -> Steps:
        """4.0.4: Return the steps of supply paths from a hex, with rivers bridged at `bridges` (R-301)."""
        grounds, terrains, a = dict.fromkeys(("dry", ground)), self.terrains, self.locations[i]
        open_ = [g for g in grounds if a in terrains and self._entered(terrains[a], m, g) is not None]
        on_road, row, dear = a in self._roaded, dict[int, int](), list[int]()
        for b in self.beside(a):
            if (on_road and b in self._roaded) or (a, b) in self._watered:
                bridged = bool(bridges) and self.river(a, b) and not bridges.isdisjoint((a, b))
                over = (False, True) if bridged else (False,)
                costs = [self.step(a, b, m, ground=g, bridged=with_) for g in grounds for with_ in over]
            else:  # the hexside costs nothing; a hex that cannot be left cannot be entered
                costs = [self._entered(terrains[b], m, g) for g in open_]
            known = [cost for cost in costs if cost not in (None, ALL)]
            if known:
                row[self.index[b]] = min(cost for cost in known if cost is not None)
            elif ALL in costs:
                dear.append(self.index[b])
        return Steps(row, tuple(dear))

    def _road(self, a: str, b: str, m: str, ground: str) -> int | None:
        if a not in self._roaded or b not in self._roaded:
            return None
        pairs = self.movement["road_pairs"]
        more = self.movement["weather"][ground].get("add", {}).get(m, {}).get("track_pair", 0)
        costs = [
            self.units_of(pairs[kind][m]) + (self.units_of(more) if kind == "track" else 0)
            for kind in ROADS
            if self.joins(kind, a, b)
        ]
        return min(costs, default=None)

    def _raw(self, a: str, b: str, m: str, ground: str, bridged: bool) -> int | None:
        """Return the cost of terrain and hexside, without roads."""
        hex = self._entered(self.terrains[b], m, ground)
        if (a, b) not in self._watered or hex is None:
            return hex
        put, edges = self.movement["weather"][ground].get("set", {}), self.movement["hexside_add"]
        water = []
        for kind in WATER:
            if self.crosses(kind, a, b):
                name = f"bridged_{kind}" if bridged and kind != WATER[2] else kind
                row = edges[name] if name.startswith("bridged") else put.get(kind, edges[name])
                water.append(row[m])
        plain = [self.units_of(w) for w in water if w not in ("P", "ALL")]
        if not plain:
            return ALL if "ALL" in water else None
        return ALL if hex == ALL else hex + min(plain)

    def _entered(self, kinds: tuple[str, ...], m: str, ground: str) -> int | None:
        """Return the cost of entering a hex, that of the most expensive of its kinds of terrain."""
        key = (kinds, m, ground)
        if key not in self._entries:
            weather, terrain = self.movement["weather"][ground], self.movement["hex"]
            added, put = weather.get("add", {}).get(m, {}), weather.get("set", {})
            costs = [(put.get(kind, terrain[kind])[m], added.get(kind, 0)) for kind in kinds]
            if not costs or any(cost == "P" for cost, _ in costs):
                self._entries[key] = None
            elif any(cost == "ALL" for cost, _ in costs):
                self._entries[key] = ALL
            else:
                self._entries[key] = max(self.units_of(cost) + self.units_of(more) for cost, more in costs)
        return self._entries[key]

    @cached_property
    def _watered(self) -> frozenset[tuple[str, str]]:
        """Return the pairs of hexes with a river or a shore between them, in both orders."""
        sides = [self.ids(pair) for kind in WATER for pair in self.map.hexsides(kind)]
        return frozenset(pair for a, b in sides for pair in ((a, b), (b, a)))

    @cached_property
    def _roaded(self) -> frozenset[str]:
        return frozenset().union(*(self.on(kind) for kind in ROADS))

    def units_of(self, cost: Any) -> int:
        """Return a cost of the chart in units of `scale`."""
        if cost not in self._in_units:
            self._in_units[cost] = int(Fraction(cost) * self.scale)
        return self._in_units[cost]

    def land(self, hex: str) -> bool:
        """Return True if any ground unit can enter the hex."""
        chart = self.movement["hex"]
        kinds = [kind for kind in self.terrains.get(hex, ()) if kind]
        return bool(kinds) and all(any(cost != "P" for cost in chart[kind].values()) for kind in kinds)

    def sea(self, hex: str) -> bool:
        return self.terrain.get(hex) == "sea"

    @property
    def boxes(self) -> dict[str, Data]:
        """2.2: Return boxes off the map, by name."""
        boxes: dict[str, Data] = self.scenario["map"].get("boxes", {})
        return boxes

    @property
    def shore(self) -> frozenset[str]:
        """Return the sea hexes at the map's edge."""
        return frozenset(hex for hex in self.hexes if self.sea(hex) and len(self.beside(hex)) < 6)

    def name_of(self, hex: str) -> str:
        """Return a hex as players read it, with its name."""
        place = self._names.get(hex)
        return f"{hex} {place}" if place else hex

    def is_noted(self, hex: str) -> bool:
        """Return True if a hex has a name, or its control counts for victory."""
        counts = {**self.victory.get("held_for", {}), **self.victory.get("lost", {})}
        return bool(self._names.get(hex)) or hex in counts

    @property
    def _names(self) -> dict[str, str]:
        names: dict[str, str] = self.__dict__.setdefault(
            "_named", {place.number: place.text("name") for place in self.map.places("settlement")}
        )
        return names


def _replaced(table: Data, own: Data | None) -> Data:
    """Return a chart in which a scenario's own entries replace the printed ones."""
    return {**table, **own} if own else table


def _figures(data: Any) -> list[Any]:
    if isinstance(data, Mapping):
        return [figure for value in data.values() for figure in _figures(value)]
    text = isinstance(data, str) and data.replace("/", "").isdigit()
    return [data] if text or (isinstance(data, int) and not isinstance(data, bool)) else []


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Return the world of a scenario. Raises `Refused` with all faults of the map."""
    refuse(
        bad_data("bad-arrival", Message("ocs.set-up.bad-arrival"), "oob", side, "arrivals", turn, n)
        for side, own in scenario["oob"].items()
        for turn, listed in own.get("arrivals", {}).items()
        for n, row in enumerate(listed)
        if len({"unit", "aircraft", "repl"} & set(row)) != 1
    )
    refuse(
        bad_data("no-counters", Message("ocs.set-up.no-counters", seat=seat), "oob")
        for seat in scenario["seats"]
        if seat not in scenario["oob"]
    )
    tables = {name: system.data(f"tables/{name}.yaml") for name in TABLES}
    terrain = tables["movement"]
    chart = GameMap.from_data(
        scenario["map"],
        terrains=terrain["hex"],
        hexsides=WATER,
        links=ROADS,
        places=("settlement",),
        path=("map",),
    )
    return World(chart, scenario, tables, options)
