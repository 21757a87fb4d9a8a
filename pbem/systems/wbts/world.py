"""The world of a wbts game: map, charts, calendar and conditions of one scenario. Nothing in it changes.

Hexes go by their printed numbers ("0507"), sides by their seats. Lists of hexes are sorted by number or, for
neighbours, run clockwise from north.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, cast

from pbem.board.map import GameMap
from pbem.board.places import Place
from pbem.kit.costs import StepCosts, both_ways

from .statics import (
    BARRIERS,
    CROSSINGS,
    Barrier,
    Crossing,
    Data,
    Fort,
    Settlement,
)
from .tabled import Tables, load

TERRAINS = {"C": "clear", "F": "forest", "R": "rough", "S": "sea"}


class World:
    """Map, unit types, calendar and conditions of one scenario."""

    def __init__(self, chart: GameMap, scenario: Data, tables: Tables, options: Data) -> None:
        grid = chart.grid
        self.map = chart
        self.tables = tables
        self.options = dict(options)
        self.seats: tuple[str, ...] = tuple(scenario["seats"])
        names = grid.numbers(range(len(grid.table)))
        self.hexes: tuple[str, ...] = tuple(names[i] for i in grid.hexes)
        self.terrain: dict[str, str] = {names[i]: chart.terrain(i) for i in grid.hexes}
        self.settlements = {p.number: _settlement(p) for p in _by_hex(chart, "settlement")}
        self.forts = {p.number: _fort(p) for p in _by_hex(chart, "fort")}
        self.calendar: dict[int, Data] = {int(each["gt"]): each for each in scenario["calendar"]}
        self.winter_months: tuple[int, ...] = tuple(
            scenario.get("winter_months", tables.lists["winter_months"])
        )
        self.cycle_weeks = int(scenario["rail_cycle"])
        self.victory: Data = scenario["victory"]
        self._near = {names[i]: tuple(names[j] for j in grid.neighbours(i)) for i in grid.hexes}
        self._barriers: dict[tuple[str, str], Barrier] = {}
        for barrier in reversed(BARRIERS):  # of two on one hexside the worse counts
            self._barriers |= dict.fromkeys(self._sides(barrier), barrier)
        self._crossings: dict[tuple[str, str], Crossing] = {
            pair: crossing for crossing in CROSSINGS for pair in self._sides(crossing)
        }
        self._roads = frozenset(cast("tuple[str, str]", grid.numbers(link)) for link in chart.links("road"))
        self._rails = frozenset(cast("tuple[str, str]", grid.numbers(link)) for link in chart.links("rail"))
        self.rail_lines: dict[str, tuple[str, ...]] = {
            names[i]: tuple(names[j] for j in ends)
            for i in grid.hexes
            if (ends := chart.links_from("rail", i))
        }
        self._navigable = {
            names[i]: layer
            for layer in ("sea", "estuary", "river")
            for i in chart.area_hexes("navigable", layer)
        }

    def _sides(self, kind: str) -> list[tuple[str, str]]:
        return [cast("tuple[str, str]", self.map.grid.numbers(side)) for side in self.map.hexsides(kind)]

    # sides and time

    def enemy(self, side: str) -> str:
        """The other side."""
        return self.seats[1] if side == self.seats[0] else self.seats[0]

    def month(self, gt: int) -> int:
        """The month of a game turn; after the calendar's end that of its last week."""
        return int(self.calendar.get(gt, self.calendar[max(self.calendar)])["month"])

    def winter(self, gt: int) -> bool:
        """Whether a game turn lies in winter (2.5)."""
        return self.month(gt) in self.winter_months

    # hexes

    def neighbours(self, hex: str) -> tuple[str, ...]:
        """Adjacent hexes on the map, N NE SE S SW NW."""
        return self._near[hex]

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two hexes share a hexside."""
        return other in self._near.get(one, ())

    def distance(self, one: str, other: str) -> int:
        """Plain hex distance."""
        grid = self.map.grid
        return grid.distance(grid.index(one), grid.index(other))

    def within(self, hex: str, radius: int) -> tuple[str, ...]:
        """All hexes at most that far away, itself included, by number."""
        return self.map.grid.numbers(self.map.grid.within(self.map.grid.index(hex), radius))

    def is_sea(self, hex: str) -> bool:
        return self.terrain[hex] == "sea"

    def beside_sea(self, hex: str) -> bool:
        """Whether a hex touches a sea hex."""
        return any(self.is_sea(near) for near in self._near[hex])

    def navigable(self, hex: str) -> bool:
        """Whether ships may be there."""
        return hex in self._navigable

    def state(self, hex: str) -> str | None:
        """The state in which a hex lies."""
        return self.map.area("state", self.map.grid.index(hex))

    def place(self, hex: str) -> str:
        """A hex as players read it: its number with the name of what is there."""
        named = self.settlements.get(hex) or self.forts.get(hex)
        return f"{hex} {named.name}" if named and named.name else hex

    # hexsides (2.2)

    def barrier(self, one: str, other: str) -> Barrier:
        return self._barriers.get(_pair(one, other), "none")

    def crossing(self, one: str, other: str) -> Crossing:
        return self._crossings.get(_pair(one, other), "none")

    def prohibited(self, one: str, other: str) -> bool:
        """Mountain, tidal river or blocked without bridge, ferry or pass (ruling R-6)."""
        return self.barrier(one, other) in BARRIERS[:3] and self.crossing(one, other) == "none"

    def river_like(self, one: str, other: str) -> bool:
        """River or tidal river, whatever the crossing."""
        return self.barrier(one, other) in ("river", "tidal_river")

    def bridged(self, one: str, other: str) -> bool:
        """A bridge; a ferry is none."""
        return self.crossing(one, other) == "bridge"

    @cached_property
    def under_zone(self) -> dict[str, tuple[str, ...]]:
        """The hexes into which a zone reaches from each hex: over open hexsides and rivers (ruling R-7)."""
        through = ("none", "river")
        return {
            hex: tuple(each for each in near if self.barrier(hex, each) in through)
            for hex, near in self._near.items()
        }

    @cached_property
    def index(self) -> dict[str, int]:
        """The integer of each hex, for searches."""
        return {hex: self.map.grid.index(hex) for hex in self.hexes}

    @cached_property
    def land(self) -> frozenset[str]:
        """All hexes that are no sea."""
        return frozenset(hex for hex, terrain in self.terrain.items() if terrain != "sea")

    def road(self, one: str, other: str) -> bool:
        return _pair(one, other) in self._roads

    def rail(self, one: str, other: str) -> bool:
        return _pair(one, other) in self._rails

    @cached_property
    def chain_costs(self) -> StepCosts:
        """Steps of a chain of supply: any land hex over hexsides that are not prohibited (4.11)."""
        chart, index = self.map, self.index
        entry = [None if terrain in ("sea", "") else 1 for terrain in chart.terrains()]
        closed = [(index[a], index[b]) for a, b in self._barriers if self.prohibited(a, b)]
        return StepCosts(chart, entry, both_ways(closed, None))


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _by_hex(chart: GameMap, kind: str) -> list[Place]:
    return sorted(chart.places(kind), key=lambda p: p.number)


def _side_or_none(place: Place, key: str) -> str | None:
    """A field with a side; `none` or nothing is nobody."""
    found = place.text_or_none(key)
    return None if found in (None, "none") else found


def _settlement(place: Place) -> Settlement:
    home, supply = _side_or_none(place, "owner"), _side_or_none(place, "supply_city")
    return Settlement(place.number, place.text("name"), place.text("kind"), home, supply)


def _fort(place: Place) -> Fort:
    kind = cast("Literal['fort', 'fortress']", place.text("kind"))
    return Fort(place.number, place.text("name", ""), kind, place.text("owner"))


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """The world of a scenario. A faulty map or chart is refused."""
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
