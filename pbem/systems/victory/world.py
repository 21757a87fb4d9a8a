"""The world of a victory game: all that never changes in play (rules 2.1-2.3, 2.6, T-1 to T-6).

Hexes go by their printed numbers ("0507"), players by their seats ("red"). Every answer that lists
hexes is sorted by number or, for neighbours, runs clockwise from north.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, cast

from pbem.board.hexes import HexGrid

Class = Literal["air", "naval", "ground", "logistic", "unknown"]
UNKNOWN = "?"

Data = Mapping[str, Any]


@dataclass(frozen=True)
class UnitType:
    """A line of table T-1. Ratings: a die at or below hits; ``cost``: PP per step, None: never bought."""

    code: str
    name: str
    cls: Class
    mv: int
    a: int
    n: int
    g: int
    slot: int
    cost: int | None
    steps: tuple[int, ...]
    flags: tuple[str, ...]

    def has(self, flag: str) -> bool:
        """Whether the type carries a flag of T-1: carrier, airbase, mech, drop, assault, marine, elite."""
        return flag in self.flags

    def rating(self, target: str) -> int:
        """The rating against a target class letter, A, N or G."""
        return {"A": self.a, "N": self.n, "G": self.g}[target]

    @property
    def top(self) -> int:
        """Full strength, the first of the type's steps."""
        return self.steps[0]

    @property
    def lands(self) -> bool:
        """Whether blocks of the type move over land: ground and logistic (4.4.2)."""
        return self.cls in ("ground", "logistic")

    def less(self, cv: int) -> int:
        """The strength after one step is lost; 0 means eliminated (4.6.7)."""
        place = self.steps.index(cv) + 1
        return self.steps[place] if place < len(self.steps) else 0

    def more(self, cv: int) -> int | None:
        """The strength after one step is gained (from 0: the lowest step), None at full strength (4.10.3)."""
        place = (self.steps.index(cv) if cv else len(self.steps)) - 1
        return self.steps[place] if place >= 0 else None

    def cost_from_zero(self, cv: int) -> int:
        """How many steps stand in a block of this strength."""
        return len(self.steps) - self.steps.index(cv)


@dataclass(frozen=True)
class Base:
    """A city or town (2.2). ``home`` None is neutral."""

    hex: str
    name: str
    kind: Literal["city", "town"]
    pp: int
    port: bool
    home: str | None

    @property
    def city(self) -> bool:
        """Cities yield PP and take more ground blocks; towns do neither."""
        return self.kind == "city"


@dataclass(frozen=True)
class Site:
    """A resource site (2.2, 4.10.6)."""

    hex: str
    home: str | None


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain with march costs (T-3); None: prohibited."""

    name: str
    letter: str
    leg: int | None
    mech: int | None
    difficult: bool = False
    water: bool = False


@dataclass(frozen=True)
class Numbers:
    """The limits and distances of 2.6 and T-4 to T-6, as in tables/numbers.yaml."""

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


class World:
    """Map, unit types, seats and conditions of one scenario. Nothing in it changes."""

    def __init__(
        self,
        *,
        grid: HexGrid,
        terrain: Mapping[str, Terrain],
        scenario: Data,
        types: Mapping[str, UnitType],
        numbers: Numbers,
        costs: Data,
        options: Data,
    ) -> None:
        chart = scenario["map"]
        self.grid = grid
        self.terrain = dict(terrain)
        self.hexes: tuple[str, ...] = tuple(sorted(self.terrain))
        self.types = dict(types)
        self.numbers = numbers
        self.options = dict(options)
        self.bases = {b["hex"]: Base(**b) for b in sorted(chart["bases"], key=lambda b: str(b["hex"]))}
        self.sites = {
            s["hex"]: Site(**s) for s in sorted(chart["resource_sites"], key=lambda s: str(s["hex"]))
        }
        self.canals: tuple[str, ...] = tuple(sorted(chart.get("canals", ())))
        self.roads = frozenset(_links(chart["roads"]))
        self.rivers = frozenset(cast(Iterable[str], chart["rivers"]))
        self.seats: tuple[str, ...] = tuple(scenario["seats"])
        self.alliances: tuple[tuple[str, ...], ...] = tuple(tuple(group) for group in scenario["alliances"])
        self.last_turn = int(scenario["last_turn"])
        self.tie_rules: tuple[Data, ...] = tuple(scenario["tie_rules"])
        self.victory: tuple[Data, ...] = tuple(scenario["victory"])
        self._river_cost = int(costs["river"])
        self._road_cost = int(costs["road_link"])
        self._near = {h: self._neighbours(h) for h in self.hexes}

    # seats and sides

    def allied(self, one: str, other: str) -> bool:
        """Whether two players are one side; everybody is allied with himself (4.0.3)."""
        return one == other or any(one in group and other in group for group in self.alliances)

    def side(self, player: str) -> tuple[str, ...]:
        """The player and his allies, in seat order."""
        return tuple(p for p in self.seats if self.allied(p, player))

    def enemies(self, player: str) -> tuple[str, ...]:
        """All other players who are not his allies, in seat order (4.0.3)."""
        return tuple(p for p in self.seats if not self.allied(p, player))

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

    def _neighbours(self, hex: str) -> tuple[str, ...]:
        return tuple(
            n for n in map(self.grid.number, self.grid.neighbours(self.grid.index(hex))) if n in self.terrain
        )

    def neighbours(self, hex: str) -> tuple[str, ...]:
        """Adjacent hexes on the map, N NE SE S SW NW."""
        return self._near[hex]

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two hexes share a hexside."""
        return other in self._near.get(one, ())

    def distance(self, one: str, other: str) -> int:
        """Plain hex distance (2.1)."""
        return self.grid.distance(self.grid.index(one), self.grid.index(other))

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
        return hexside(one, other) in self.roads

    def river(self, one: str, other: str) -> bool:
        """Whether a river runs along the hexside."""
        return hexside(one, other) in self.rivers

    def hexside_limit(self, one: str, other: str) -> int:
        """Ground blocks per side that may cross: open or difficult (4.4.3, 4.6.11)."""
        hard = self.river(one, other) or self.terrain[one].difficult or self.terrain[other].difficult
        if hard and not self.road(one, other):
            return self.numbers.hexside_difficult
        return self.numbers.hexside_open

    def enterable(self, kind: UnitType, to: str) -> bool:
        """Whether the terrain of a hex is not prohibited for a land type, roads aside (T-3)."""
        terrain = self.terrain[to]
        return (terrain.mech if kind.has("mech") or kind.cls == "logistic" else terrain.leg) is not None

    def march_cost(self, kind: UnitType, one: str, to: str) -> int | None:
        """What one step between adjacent hexes costs a land type, None when prohibited (4.4.2, T-3)."""
        if self.road(one, to):
            return self._road_cost
        terrain = self.terrain[to]
        cost = terrain.mech if kind.has("mech") or kind.cls == "logistic" else terrain.leg
        if cost is None:
            return None
        return cost + (self._river_cost if self.river(one, to) else 0)

    def place(self, hex: str) -> str:
        """A hex as players read it: its number, with the name of a base."""
        return f"{hex} {self.bases[hex].name}" if hex in self.bases else hex

    def class_of(self, code: str) -> Class:
        """The class of a type code; ``unknown`` for a block whose type the viewer may not know."""
        return "unknown" if code == UNKNOWN else self.types[code].cls


def hexside(one: str, other: str) -> str:
    """The name of the side between two hexes, lower number first (2.1)."""
    return f"{min(one, other)}/{max(one, other)}"


def _links(chains: Iterable[str]) -> Iterable[str]:
    for chain in chains:
        hexes = chain.split("-")
        yield from (hexside(a, b) for a, b in pairwise(hexes))


def make_types(table: Data) -> dict[str, UnitType]:
    """Table T-1 from its data."""
    return {
        code: UnitType(
            code,
            t["name"],
            t["class"],
            t["mv"],
            t["a"],
            t["n"],
            t["g"],
            t["slot"],
            t["cost"],
            tuple(t["steps"]),
            tuple(t["flags"]),
        )
        for code, t in table["types"].items()
    }


def make_numbers(table: Data) -> Numbers:
    """Section 2.6 and tables T-4 to T-6 from their data."""
    return Numbers(**{k: tuple(v) if isinstance(v, list) else v for k, v in table["numbers"].items()})


def make_terrain(chart: Data, kinds: Data) -> dict[str, Terrain]:
    """Terrain of every hex from the scenario's rows of letters."""
    by_letter = {k["letter"]: Terrain(name, **k) for name, k in kinds.items()}
    return {
        f"{column:02}{row:02}": by_letter[letter]
        for row, line in enumerate(chart["rows"], start=1)
        for column, letter in enumerate(line.split(), start=1)
    }


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Everything static of a scenario, from the system's data files."""
    chart = scenario["map"]
    ground = system.data("terrain.yaml")
    return World(
        grid=HexGrid(chart["columns"], len(chart["rows"]), shifted="even"),
        terrain=make_terrain(chart, ground["kinds"]),
        scenario=scenario,
        types=make_types(system.data("tables/units.yaml")),
        numbers=make_numbers(system.data("tables/numbers.yaml")),
        costs=ground,
        options={**scenario["options"], **options},
    )
