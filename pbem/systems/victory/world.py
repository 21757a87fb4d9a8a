"""The world of a victory game: map, unit types, seats and conditions, none of which change in play.

Hexes go by their printed numbers ("0507"), players by their seats ("red"). Every answer that lists
hexes is sorted by number or, for neighbours, runs clockwise from north.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.board.map import GameMap
from pbem.rules import Board

from .statics import Base, Data, Numbers, Site, Terrain, UnitType, make_numbers, make_terrain, make_types


@dataclass(frozen=True)
class Tables:
    """The charts of the system, the same in every scenario."""

    types: dict[str, UnitType]
    numbers: Numbers
    terrain: dict[str, Terrain]
    river: int
    road_link: int


class World:
    """Map, unit types, seats and conditions of one scenario. Nothing in it changes."""

    def __init__(self, chart: GameMap, scenario: Data, tables: Tables, options: Data) -> None:
        grid = chart.grid
        self.map = chart
        self.types = tables.types
        self.numbers = tables.numbers
        self.options = dict(options)
        self.hexes: tuple[str, ...] = grid.numbers(grid.hexes)
        self.terrain = {grid.number(i): tables.terrain[chart.terrain(i)] for i in grid.hexes}
        self.bases = {p.number: Base.of(p) for p in chart.places("base")}
        self.sites = {p.number: Site(p.number, p.text_or_none("home")) for p in chart.places("resource_site")}
        self.bases, self.sites = dict(sorted(self.bases.items())), dict(sorted(self.sites.items()))
        self.canals: tuple[str, ...] = tuple(sorted(p.number for p in chart.places("canal")))
        self.seats: tuple[str, ...] = tuple(scenario["seats"])
        self.alliances: tuple[tuple[str, ...], ...] = tuple(tuple(group) for group in scenario["alliances"])
        self.last_turn = int(scenario["last_turn"])
        self.tie_rules: tuple[Data, ...] = tuple(scenario["tie_rules"])
        self.victory: tuple[Data, ...] = tuple(scenario["victory"])
        self._costs = tables
        self._roads = {hexside(*grid.numbers(link)) for link in chart.links("road")}
        self._rivers = {hexside(*grid.numbers(side)) for side in chart.hexsides("river")}
        self._near = {grid.number(i): grid.numbers(grid.neighbours(i)) for i in grid.hexes}
        self._sides = {p: tuple(q for q in self.seats if self.allied(p, q)) for p in self.seats}

    # seats and sides

    def allied(self, one: str, other: str) -> bool:
        """Whether two players are one side; everybody is allied with himself (4.0.3)."""
        return one == other or any(one in group and other in group for group in self.alliances)

    def side(self, player: str) -> tuple[str, ...]:
        """The player and his allies, in seat order."""
        return self._sides[player]

    def clockwise_from(self, player: str | None) -> tuple[str, ...]:
        """All seats clockwise, beginning with a player; from the first seat when there is none."""
        start = self.seats.index(player) if player in self.seats else 0
        return self.seats[start:] + self.seats[:start]

    def prefix(self, player: str) -> str:
        """What block ids of a player begin with: as many capital letters of his name as tell him apart."""
        for length in range(1, len(player) + 1):
            if all(not other.startswith(player[:length]) for other in self.seats if other != player):
                return player[:length].upper()
        return player.upper()

    # the map

    def neighbours(self, hex: str) -> tuple[str, ...]:
        """Adjacent hexes on the map, N NE SE S SW NW."""
        return self._near[hex]

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two hexes share a hexside."""
        return other in self._near.get(one, ())

    def distance(self, one: str, other: str) -> int:
        """Plain hex distance (2.1)."""
        grid = self.map.grid
        return grid.distance(grid.index(one), grid.index(other))

    def within(self, hex: str, radius: int) -> tuple[str, ...]:
        """All hexes of the map at most that far away, itself included, by number."""
        return tuple(h for h in self.hexes if self.distance(hex, h) <= radius)

    def is_sea(self, hex: str) -> bool:
        """Whether a hex is water."""
        return self.terrain[hex].water

    def coastal(self, hex: str) -> bool:
        """A land hex beside the sea (2.2)."""
        return not self.is_sea(hex) and any(self.is_sea(n) for n in self._near[hex])

    def is_port(self, hex: str) -> bool:
        """Whether a hex holds a base with a port."""
        return hex in self.bases and self.bases[hex].port

    def is_city(self, hex: str) -> bool:
        """Whether a hex holds a city."""
        return hex in self.bases and self.bases[hex].city

    def road(self, one: str, other: str) -> bool:
        """Whether a road link joins two hexes."""
        return hexside(one, other) in self._roads

    def river(self, one: str, other: str) -> bool:
        """Whether a river runs along the hexside."""
        return hexside(one, other) in self._rivers

    def hexside_limit(self, one: str, other: str) -> int:
        """Ground blocks per side that may cross: open or difficult (4.4.3, 4.6.11)."""
        hard = self.river(one, other) or self.terrain[one].difficult or self.terrain[other].difficult
        if hard and not self.road(one, other):
            return self.numbers.hexside_difficult
        return self.numbers.hexside_open

    def enterable(self, kind: UnitType, to: str) -> bool:
        """Whether the terrain of a hex is not prohibited for a land type, roads aside (T-3)."""
        return self.terrain[to].cost(kind) is not None

    def march_cost(self, kind: UnitType, one: str, to: str) -> int | None:
        """What one step between adjacent hexes costs a land type, None when prohibited (4.4.2, T-3)."""
        if self.road(one, to):
            return self._costs.road_link
        cost = self.terrain[to].cost(kind)
        if cost is None:
            return None
        return cost + (self._costs.river if self.river(one, to) else 0)

    def home(self, hex: str) -> str | None:
        """Whose home a base or resource site is by the scenario; None is neutral."""
        return self.bases[hex].home if hex in self.bases else self.sites[hex].home

    def place(self, hex: str) -> str:
        """A hex as players read it: its number, with the name of a base or that it is a resource site."""
        if hex in self.bases:
            return f"{hex} {self.bases[hex].name}"
        return f"{hex} resource site" if hex in self.sites else hex


def hexside(one: str, other: str) -> str:
    """The name of the side between two hexes, lower number first (2.1)."""
    return f"{min(one, other)}/{max(one, other)}"


def world_of(board: Board) -> World:
    """The world, typed."""
    assert isinstance(board.world, World)
    return board.world


def load_tables(system: Any) -> Tables:
    """The charts from the data files of the system."""
    ground = system.data("terrain.yaml")
    return Tables(
        make_types(system.data("tables/units.yaml")),
        make_numbers(system.data("tables/numbers.yaml")),
        make_terrain(ground["kinds"]),
        ground["river"],
        ground["road_link"],
    )


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Everything static of a scenario; a faulty map is refused with all its faults."""
    tables = load_tables(system)
    chart = GameMap.from_data(
        scenario["map"],
        legend={t.letter: name for name, t in tables.terrain.items()},
        terrains=tables.terrain,
        hexsides=("river",),
        links=("road",),
        places=("base", "resource_site", "canal"),
        path=("map",),
    )
    return World(chart, scenario, tables, options)
