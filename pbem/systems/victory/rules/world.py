"""Static data of a victory game: map, unit types, seats and conditions.

Hexes are named by their printed numbers ("0507"), players by their seats ("red"). Lists of hexes are sorted
by number; neighbours run clockwise from north.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pbem.board.map import GameMap
from pbem.kit.chart import Chart
from pbem.kit.records import record, records
from pbem.rules import Board, Message, dataclass

Class = Literal["air", "naval", "ground", "logistic", "unknown"]
UNKNOWN = "?"
Data = Mapping[str, Any]


@dataclass(frozen=True)
class UnitType:
    """A line of T-1. A die at or below a rating hits. ``cost``: PP for a step; None if never bought."""

    code: str
    name: str
    class_: Class
    mv: int
    a: int
    n: int
    g: int
    slot: int
    cost: int | None
    steps: tuple[int, ...]
    flags: tuple[str, ...]
    source: str

    def has(self, flag: str) -> bool:
        """Return True if the type has a flag of T-1: carrier, airbase, mech, drop, assault, marine, elite."""
        return flag in self.flags

    def rating(self, target: str) -> int:
        """Return the rating against a target class: A, N or G."""
        return {"A": self.a, "N": self.n, "G": self.g}[target]

    @property
    def lands(self) -> bool:
        """4.4.2: Return True if blocks of the type move over land: ground and logistic."""
        return self.class_ in ("ground", "logistic")

    def less(self, cv: int) -> int:
        """4.6.7: Return the strength after the loss of a step; 0 means eliminated."""
        place = self.steps.index(cv) + 1
        return self.steps[place] if place < len(self.steps) else 0

    def more(self, cv: int) -> int | None:
        """4.10.3: Return the strength after the gain of a step, or None at full strength."""
        place = self.steps.index(cv) - 1
        return self.steps[place] if place >= 0 else None


@dataclass(frozen=True)
class Base:
    """2.2: A city or town; ``home`` None is neutral. Cities yield PP and have room for more ground blocks."""

    hex: str
    name: str
    kind: Literal["city", "town"]
    pp: int
    port: bool = False
    home: str | None = None

    @property
    def city(self) -> bool:
        return self.kind == "city"


@dataclass(frozen=True)
class Site:
    """2.2, 4.10.6: A resource site."""

    hex: str
    home: str | None = None


@dataclass(frozen=True)
class Canal:
    """2.2: A land hex that ships may pass (4.4.10)."""

    hex: str


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain with its march costs (T-3); None is prohibited."""

    name: str
    letter: str
    leg: int | None
    mech: int | None
    difficult: bool = False
    water: bool = False
    landing: bool = True

    def cost(self, kind: UnitType) -> int | None:
        """Return what a step costs a land type without roads and rivers, or None if it is prohibited."""
        return self.mech if kind.has("mech") else self.leg


@dataclass(frozen=True)
class Numbers:
    """The limits and distances of 2.6 and T-4 to T-6."""

    stack_air: int
    stack_ground_open: int
    stack_ground_city: int
    stack_naval_sea: int
    stack_naval_port: int
    stack_logistic: int
    air_on_carrier: int
    air_on_engineer: int
    hexside_open: int
    hexside_difficult: int
    hexside_beach: int
    hexside_beach_marines: int
    air_response: int
    mech_response: int
    su_local_range: tuple[int, ...]
    remote_in_supply: int
    remote_otherwise: int
    road_strat_links: int
    sea_strat_hexes: int
    assault_sea_hexes: int
    assault_marine_ground: int
    drop: int
    air_strat_factor: int
    naval_strat_factor: int
    supply_off_road_steps: int
    battle_rounds: int
    attacker_may_retreat_from_round: int
    pursuit_last_slot: int
    bid_min: int
    bid_max: int
    bid_zero_face: int
    rs_max: int
    cadre_cost_factor: int
    flak_face: int


@dataclass(frozen=True)
class Tables:
    """The charts of the system, the same in every scenario."""

    types: dict[str, UnitType]
    numbers: Numbers
    terrain: dict[str, Terrain]
    river: int
    road_link: int


class World(Chart):
    """Map, unit types, seats and conditions of one scenario."""

    def __init__(self, map: GameMap, scenario: Data, tables: Tables) -> None:
        super().__init__(map)
        self.types, self.numbers = tables.types, tables.numbers
        self._river, self._road_link = tables.river, tables.road_link
        self.ground = {hex: tables.terrain[self.terrain[hex]] for hex in self.hexes}
        self.bases = self.places_of("base", Base)
        self.sites = self.places_of("resource_site", Site)
        self.canals = self.places_of("canal", Canal)
        self.seats: tuple[str, ...] = tuple(scenario["seats"])
        self.alliances: tuple[tuple[str, ...], ...] = tuple(tuple(group) for group in scenario["alliances"])
        self.last_turn = int(scenario["last_turn"])
        self.tie_rules: tuple[Data, ...] = tuple(scenario["tie_rules"])
        self.victory: tuple[Data, ...] = tuple(scenario["victory"])
        #: forecasts of battles that began, by their lines, kept because every report shows them
        self.outlooks: dict[tuple[Any, ...], Any] = {}
        self._sides = {p: tuple(q for q in self.seats if self.allied(p, q)) for p in self.seats}

    def allied(self, first: str, other: str) -> bool:
        """4.0.3: Return True if two players are on one side; each is also on their own."""
        return first == other or any(first in group and other in group for group in self.alliances)

    def side(self, player: str) -> tuple[str, ...]:
        """Return the player and allies, in seat order."""
        return self._sides[player]

    def clockwise_from(self, player: str | None) -> tuple[str, ...]:
        """Return all seats clockwise, from a player's or from the first."""
        start = self.seats.index(player) if player in self.seats else 0
        return self.seats[start:] + self.seats[:start]

    def prefix(self, player: str) -> str:
        """Return the prefix of a player's block ids: the fewest unique initial letters, in capitals."""
        for length in range(1, len(player) + 1):
            if all(not other.startswith(player[:length]) for other in self.seats if other != player):
                return player[:length].upper()
        return player.upper()

    def is_sea(self, hex: str) -> bool:
        """Return True if a hex is water."""
        return self.ground[hex].water

    def coastal(self, hex: str) -> bool:
        """2.2: Return True for a land hex beside the sea."""
        return not self.is_sea(hex) and any(self.is_sea(n) for n in self.neighbours(hex))

    def is_port(self, hex: str) -> bool:
        """Return True if a hex has a base with a port."""
        return hex in self.bases and self.bases[hex].port

    def is_city(self, hex: str) -> bool:
        """Return True if a hex has a city."""
        return hex in self.bases and self.bases[hex].city

    def road(self, first: str, other: str) -> bool:
        """Return True if a road link joins two hexes."""
        return self.joins("road", first, other)

    def hexside_limit(self, first: str, other: str) -> int:
        """4.4.3, 4.6.11: Return how many ground blocks of a side may cross an open or difficult hexside."""
        hard = self.crosses("river", first, other) or any(self.ground[h].difficult for h in (first, other))
        open_ = self.road(first, other) or not hard
        return self.numbers.hexside_open if open_ else self.numbers.hexside_difficult

    def march_cost(self, kind: UnitType, start: str, to: str) -> int | None:
        """4.4.2, T-3: Return what a step between adjacent hexes costs a land type; None if prohibited."""
        if self.road(start, to):
            return self._road_link
        cost, river = self.ground[to].cost(kind), self.crosses("river", start, to)
        return None if cost is None else cost + self._river * river

    def home(self, hex: str) -> str | None:
        """Return the scenario's home player of a base or resource site; None is neutral."""
        return self.bases[hex].home if hex in self.bases else self.sites[hex].home

    def place(self, hex: str) -> str:
        """Return a hex as players read it: number, and name of a base or "resource site"."""
        if hex in self.bases:
            return f"{hex} {self.bases[hex].name}"
        return Message("victory.world.resource-site", hex=hex) if hex in self.sites else hex


def world_of(board: Board) -> World:
    """Return the world of a board."""
    assert isinstance(board.world, World)
    return board.world


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Return the world of a scenario. Raises `Refused` with all faults of the map."""
    ground = system.data("terrain.yaml")
    tables = Tables(
        records(UnitType, system.data("tables/units.yaml")["types"], ("types",), id="code"),
        record(Numbers, system.data("tables/numbers.yaml")["numbers"], ("numbers",)),
        records(Terrain, ground["kinds"], ("kinds",), id="name"),
        ground["river"],
        ground["road_link"],
    )
    chart = GameMap.from_data(
        scenario["map"],
        legend={t.letter: name for name, t in tables.terrain.items()},
        terrains=tables.terrain,
        hexsides=("river",),
        links=("road",),
        places=("base", "resource_site", "canal"),
        path=("map",),
    )
    return World(chart, scenario, tables)
