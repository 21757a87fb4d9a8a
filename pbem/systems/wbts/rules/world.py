"""The world of a wbts game: map, charts, calendar and conditions of one scenario, all fixed.

Hexes go by their printed numbers ("0507"), sides by their seats. Lists of hexes are in the order of
the map. Neighbours run clockwise from north.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pbem.board.map import GameMap
from pbem.kit.calendar import Calendar
from pbem.kit.chart import Chart
from pbem.kit.costs import StepCosts, both_ways
from pbem.kit.zones import ZoneMap

from .links import Links
from .statics import BARRIERS, CROSSINGS, Barrier, Crossing, Data, Fort, Settlement, Week
from .tabled import Tables, load

TERRAINS = {"C": "clear", "F": "forest", "R": "rough", "S": "sea"}
Pair = tuple[str, str]


class World(Chart):
    """The map, unit types, calendar and conditions of one scenario."""

    def __init__(self, chart: GameMap, scenario: Data, tables: Tables, options: Data) -> None:
        super().__init__(chart)
        self.tables = tables
        self.options = dict(options)
        self.seats: tuple[str, ...] = tuple(scenario["seats"])
        self.settlements = self.places_of("settlement", Settlement)
        self.forts = self.places_of("fort", Fort)
        self.calendar = Calendar.from_data(Week, scenario["calendar"], ("calendar",))
        months = scenario.get("winter_months", tables.lists["winter_months"])
        self.winter_months: tuple[int, ...] = tuple(months)
        self.cycle_weeks = int(scenario["rail_cycle"])
        self.victory: Data = scenario["victory"]
        self._barriers: dict[Pair, Barrier] = {}
        for barrier in reversed(BARRIERS):  # of two on one hexside the worse counts
            self._barriers |= dict.fromkeys(self._sides(barrier), barrier)
        self._crossings: dict[Pair, Crossing] = {
            side: crossing for crossing in CROSSINGS for side in self._sides(crossing)
        }
        self.rail_lines = {hex: self.linked("rail", hex) for hex in sorted(self.on("rail"))}
        layers = ("sea", "estuary", "river")
        self._navigable = frozenset(hex for layer in layers for hex in self.inside("navigable", layer))
        self._roads = frozenset(_pair(*self.ids(link)) for link in chart.links("road"))

    def _sides(self, kind: str) -> list[Pair]:
        return [_pair(*self.ids(side)) for side in self.map.hexsides(kind)]

    def enemy(self, side: str) -> str:
        """Return the other side."""
        return self.seats[1] if side == self.seats[0] else self.seats[0]

    def winter(self, gt: int) -> bool:
        """2.5: Return True if a game turn is in winter. After the calendar its last week counts."""
        return self.calendar.at(gt).month in self.winter_months

    def is_sea(self, hex: str) -> bool:
        return self.terrain[hex] == "sea"

    def beside_sea(self, hex: str) -> bool:
        """Return True if a hex touches a sea hex."""
        return any(self.is_sea(near) for near in self.neighbours(hex))

    def navigable(self, hex: str) -> bool:
        """Return True if ships may be there."""
        return hex in self._navigable

    def state(self, hex: str) -> str | None:
        """Return the state of a hex."""
        return self.area("state", hex)

    def place(self, hex: str) -> str:
        """Return a hex as players read it: its number with the name of its place."""
        named = self.settlements.get(hex) or self.forts.get(hex)
        return f"{hex} {named.name}" if named and named.name else hex

    @cached_property
    def land(self) -> frozenset[str]:
        """Return all hexes that are not sea."""
        return frozenset(hex for hex in self.hexes if not self.is_sea(hex))

    def barrier(self, hex: str, other: str) -> Barrier:
        return self._barriers.get(_pair(hex, other), "none")

    def crossing(self, hex: str, other: str) -> Crossing:
        return self._crossings.get(_pair(hex, other), "none")

    def prohibited(self, hex: str, other: str) -> bool:
        """R-6: Return True for a mountain, tidal river or blocked hexside without a crossing."""
        return self.barrier(hex, other) in BARRIERS[:3] and self.crossing(hex, other) == "none"

    def river_like(self, hex: str, other: str) -> bool:
        """Return True if the hexside is a river or tidal river, with or without a crossing."""
        return self.barrier(hex, other) in ("river", "tidal_river")

    def bridged(self, hex: str, other: str) -> bool:
        """Return True if the hexside has a bridge. A ferry does not count."""
        return self.crossing(hex, other) == "bridge"

    def road(self, hex: str, other: str) -> bool:
        return _pair(hex, other) in self._roads

    @cached_property
    def zones(self) -> ZoneMap[str]:
        """R-7: Return the reach of zones of control, over open hexsides and rivers."""
        return ZoneMap(self.beside, lambda hex, other: self.barrier(hex, other) in ("none", "river"))

    @cached_property
    def links(self) -> Links:
        """4.11: Return the links of supply over land hexes and hexsides that are not prohibited."""
        entry = [None if terrain in ("sea", "") else 1 for terrain in self.map.terrains()]
        closed = [(self.at(a), self.at(b)) for a, b in self._barriers if self.prohibited(a, b)]
        costs = StepCosts(self.map, entry, both_ways(closed, None))
        return Links(self, costs, self.land, self.rail_lines, self.tables.movement["supply_link"])


def _pair(hex: str, other: str) -> Pair:
    return (hex, other) if hex < other else (other, hex)


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Return the world of a scenario.

    Raises Refused for a faulty map or chart.
    """
    chart = GameMap.from_data(
        scenario["map"],
        legend=TERRAINS,
        terrains=tuple(TERRAINS.values()),
        hexsides=(*BARRIERS, *CROSSINGS),
        links=("road", "rail"),
        places=("settlement", "fort"),
        path=("map",),
    )
    return World(chart, scenario, load(system, scenario), options)
