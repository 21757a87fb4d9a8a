"""The world of a game of wif: map, charts, countries, powers, printed counters. It never changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from pbem.board.map import GameMap
from pbem.kit.chart import Chart
from pbem.kit.faults import bad_data
from pbem.kit.paths import turned
from pbem.kit.records import records
from pbem.kit.weather import Weather
from pbem.rules import Board, Diagnostic, Message, Refused, dataclass

from .printed import Print, read_print

Data = Mapping[str, Any]
TABLES = ("units", "activity", "supply", "weather", "combat", "turn")
TERRAINS = ("clear", "forest", "mountain", "swamp", "jungle", "desert", "sea")
HEXSIDES = ("river", "alpine", "lake", "sea", "strait")
WEATHERS = ("fine", "rain", "snow", "storm", "blizzard")
CLOSED = ("alpine", "lake", "sea")
LINKS = ("rail", "sea_lane")
LAYERS = ("country", "weather", "sea")
Rails = Literal["free", "paid", "only"]
"""The cost of rail steps for a supply path: free, paid like others, or free with no other steps."""


@dataclass(frozen=True)
class Site:
    """A city, a port, or both, in a hex."""

    hex: str
    name: str
    city: bool = False
    port: Literal["minor", "major"] | None = None
    factories: int = 0
    vp: int = 0


@dataclass(frozen=True)
class Country:
    """A country at the start, and the power that has it."""

    kind: Literal["major", "minor"]
    capital: str
    power: str | None = None
    status: Literal["independent", "aligned", "conquered", "neutral"] = "independent"


@dataclass(frozen=True)
class Industry:
    """4.8.3: A power's production at the start."""

    multiple: Fraction = Fraction(1)
    resources: int = 0
    offmap_bp: int = 0
    oil: int = 0


class World(Chart):
    """The map and charts of one scenario."""

    def __init__(self, map: GameMap, scenario: Data, tables: dict[str, Data], options: Data) -> None:
        super().__init__(map)
        self.options, self.scenario = dict(options), scenario
        own = scenario.get("tables", {})
        self.tables = {name: {**tables[name], **own.get(name, {})} for name in TABLES}
        self.units, self.activity, self.supply = (self.tables[n] for n in ("units", "activity", "supply"))
        self.combat, self.turn = self.tables["combat"], self.tables["turn"]
        self.weather_chart = self.tables["weather"]
        self.weather = Weather.from_data(self.weather_chart["chart"], ("weather", "chart"))
        self.sites: dict[str, Site] = self.places_of("site", Site)
        self.countries: dict[str, Country] = records(Country, scenario["countries"], ("countries",))
        self.industry: dict[str, Industry] = records(
            Industry, scenario.get("production", {}), ("production",)
        )
        self.sides: dict[str, tuple[str, ...]] = {s: tuple(p) for s, p in scenario["sides"].items()}
        self.side_of: dict[str, str] = {p: side for side, powers in self.sides.items() for p in powers}
        self.power_order: tuple[str, ...] = tuple(scenario["power_order"])
        self.seasons: tuple[str, ...] = tuple(scenario["turns"])
        self.threshold = int(scenario.get("turn_end_threshold", 55))
        listed = scenario.get("attackable") or {}
        self.attackable: dict[str, Data] = {
            str(name): (listed[name] or {}) if isinstance(listed, Mapping) else {} for name in listed
        }
        self.read_letters: dict[str, tuple[Any, Any]] = {}
        self._spread: dict[str, tuple[str, ...]] = {}
        self._prints: dict[tuple[str, str], Print] = {}
        self._supply_rows: dict[Rails, tuple[list[dict[int, int]], list[dict[int, int]]]] = {}
        self._check()

    def _check(self) -> None:
        """Check that powers and countries of the scenario know each other."""
        faults = []
        for power in self.power_order:
            if power not in self.side_of:
                faults.append(self._no_side(power, "power_order"))
        for name, listed in self.attackable.items():
            if name not in self.countries:
                message = Message("wif.set-up.unknown-country", country=name)
                faults.append(
                    bad_data("unknown-country", message, "attackable", name, name=name, names=self.countries)
                )
            if listed.get("joins") is not None and listed["joins"] not in self.side_of:
                faults.append(self._no_side(listed["joins"], "attackable", name, "joins"))
        for kind in sorted(self.weather.kinds - set(WEATHERS)):
            message = Message("wif.world.bad-weather", kind=kind)
            faults.append(bad_data("bad-weather", message, "tables", "weather", name=kind, names=WEATHERS))
        for name, country in self.countries.items():
            if country.power is not None and country.power not in self.side_of:
                faults.append(self._no_side(country.power, "countries", name, "power"))
            if country.capital not in self.index:
                message = Message("wif.set-up.not-on-map", hex=country.capital)
                faults.append(bad_data("unknown-hex", message, "countries", name, "capital"))
        faults += self._zone_faults()
        if faults:
            raise Refused(faults)

    def _no_side(self, power: str, *path: str) -> Diagnostic:
        message = Message("wif.world.on-no-side", power=power)
        return bad_data("bad-power", message, *path, name=power, names=self.side_of)

    def _zone_faults(self) -> Iterator[Diagnostic]:
        """R-302: Yield a fault for each weather zone of a sea area beyond the first."""
        for area, zones in self.sea_zones.items():
            first = next(iter(zones), "")
            for zone in list(zones)[1:]:
                text = Message(
                    "wif.world.two-zones",
                    area=area,
                    first=first,
                    zones=zones[first],
                    zone=zone,
                    zones_2=zones[zone],
                )
                yield bad_data("two-zones", text, "map", "areas", "weather", zone)

    def enemy(self, side: str) -> str:
        """Return the other side."""
        return next(other for other in self.sides if other != side)

    def cooperate(self, power: str, other: str) -> bool:
        """2.1: Return True if two powers cooperate. Every power cooperates with itself."""
        return other in self.partners(power)

    def partners(self, power: str) -> tuple[str, ...]:
        """Return a power and all that cooperate with it."""
        return self._partners[power]

    @cached_property
    def _partners(self) -> dict[str, tuple[str, ...]]:
        groups = self.scenario.get("cooperate", [])
        return {
            power: tuple(
                other
                for other in self.power_order
                if power == other or any(power in g and other in g for g in groups)
            )
            for power in self.power_order
        }

    @cached_property
    def home(self) -> dict[str, str]:
        """Return the first home country of each power, the home of counters that name no country."""
        homes: dict[str, str] = {}
        for name, country in self.countries.items():
            if country.kind == "major" and country.power is not None:
                homes.setdefault(country.power, name)
        return homes

    @cached_property
    def homes(self) -> dict[str, tuple[str, ...]]:
        """Return all home countries of each power."""
        return {
            power: tuple(n for n, c in self.countries.items() if c.kind == "major" and c.power == power)
            for power in self.power_order
        }

    @cached_property
    def capitals(self) -> dict[str, str]:
        """Return the country of each hex that is a capital."""
        return {country.capital: name for name, country in self.countries.items()}

    @cached_property
    def home_control(self) -> dict[str, str | None]:
        """Return the power that controls each land hex until the track `control` says otherwise."""
        powers: dict[str, str | None] = {}
        for name, country in self.countries.items():
            for hex in self.inside("country", name):
                powers[hex] = country.power
        for power, hexes in self.scenario.get("control", {}).items():
            powers |= dict.fromkeys(hexes, power)
        return powers

    def print(self, type: str, text: str) -> Print:
        """Return the figures printed on a counter, parsed once."""
        key = (type, text)
        printed = self._prints.get(key)
        if printed is None:
            printed = self._prints[key] = read_print(self.units, type, text)
        return printed

    def land(self, hex: str) -> bool:
        """Return True if the hex is on land."""
        return self.terrain.get(hex, "sea") != "sea" and self.kind(hex) == "hex"

    @cached_property
    def areas(self) -> tuple[str, ...]:
        """Return the sea areas."""
        return tuple(id for id in self.locations if self.map.kind(self.index[id]) == "area")

    def called(self, place: str) -> str:
        """Return a hex with its name. A sea area or its box goes by name alone."""
        if place in self.sites:
            return f"{place} {self.sites[place].name}"
        area, _, box = place.partition(".")
        name = self.map.name(self.at(area)) if area in self.index else ""
        return (f"{name}, box {box}" if box else name) or place

    @cached_property
    def area_of(self) -> dict[str, str]:
        """Return the sea area of each sea hex, box and area."""
        areas: dict[str, str] = {}
        for area in self.areas:
            areas |= dict.fromkeys(self.inside("sea", area), area)
            areas[area] = area
        return areas

    def sea_zone(self, area: str) -> str | None:
        """R-302: Return the one weather zone of a sea area, or None if the map gives it none."""
        return next(iter(self.sea_zones[area]), None)

    @cached_property
    def sea_zones(self) -> dict[str, dict[str, str]]:
        """Return the weather zones that the map gives each sea area, with the first location of each."""
        zones: dict[str, dict[str, str]] = {area: {} for area in self.areas}
        for place, area in self.area_of.items():
            zone = self.area("weather", place)
            if zone is not None:
                zones[area].setdefault(zone, place)
        return zones

    @cached_property
    def coasts(self) -> dict[str, tuple[str, ...]]:
        """Return the sea areas that each coastal land hex borders, by id."""
        coasts: dict[str, tuple[str, ...]] = {}
        for hex in self.hexes:
            if self.land(hex):
                near = sorted({self.area_of[n] for n in self.beside(hex) if n in self.area_of})
                if near:
                    coasts[hex] = tuple(near)
        return coasts

    @cached_property
    def shores(self) -> dict[str, tuple[str, ...]]:
        """Return the coastal hexes of each sea area, by id."""
        shores: dict[str, list[str]] = {area: [] for area in self.areas}
        for hex, areas in sorted(self.coasts.items()):
            for area in areas:
                shores[area].append(hex)
        return {area: tuple(hexes) for area, hexes in shores.items()}

    @cached_property
    def area_hexes(self) -> dict[str, tuple[str, ...]]:
        """Return the sea hexes of each area."""
        return {
            area: tuple(h for h in self.inside("sea", area) if self.kind(h) == "hex") for area in self.areas
        }

    def box(self, location: str | None) -> int:
        """Return the number of a sea box."""
        return int(location.rpartition(".")[2]) if location and "." in location else 0

    @cached_property
    def _supply_steps(self) -> tuple[tuple[tuple[int, int, bool], ...], ...]:
        """Return for each location the steps of supply paths out of it.

        A step is the next location, its cost, and True if it follows a rail link.
        """
        enter, strait = self.supply["enter"], int(self.supply["strait"])
        table: list[tuple[tuple[int, int, bool], ...]] = []
        for id in self.locations:
            steps = []
            if self.land(id):
                rails = set(self.linked("rail", id))
                for near in dict.fromkeys((*self.beside(id), *sorted(rails))):
                    if not self.land(near):
                        continue
                    rail = near in rails
                    if not rail and not self.open_side(id, near):
                        continue
                    more = strait if near in self.beside(id) and self.crosses("strait", id, near) else 0
                    steps.append((self.index[near], int(enter[self.terrain[near]]) + more, rail))
            table.append(tuple(steps))
        return tuple(table)

    def supply_rows(self, rails: Rails) -> tuple[list[dict[int, int]], list[dict[int, int]]]:
        """S-3: Return the steps of supply paths out of each location, and into it."""
        known = self._supply_rows.get(rails)
        if known is None:
            free, alone = rails != "paid", rails == "only"
            rows = [
                {to: 0 if free and by_rail else cost for to, cost, by_rail in steps if by_rail or not alone}
                for steps in self._supply_steps
            ]
            known = self._supply_rows[rails] = rows, turned(rows)
        return known

    @cached_property
    def _barriers(self) -> tuple[str, ...]:
        """Return the kinds of closed hexsides that this map has."""
        return tuple(kind for kind in CLOSED if self.map.hexsides(kind))

    def open_side(self, hex: str, other: str) -> bool:
        """Return True if land units and zones of control may cross this hexside."""
        return not any(self.crosses(kind, hex, other) for kind in self._barriers)

    def spread(self, hex: str) -> tuple[str, ...]:
        """S-1: Return the hexes around this one into which a zone of control reaches."""
        hexes = self._spread.get(hex)
        if hexes is None:
            near = (n for n in self.beside(hex) if self.land(n) and self.open_side(hex, n))
            hexes = self._spread[hex] = tuple(near)
        return hexes

    def name_of(self, location: str) -> str:
        """Return a location as players read it."""
        site = self.sites.get(location)
        return f"{location} {site.name}" if site else location

    def nearest(self, id: str, goals: Iterable[str], far: int = 99) -> int:
        """Return the distance in hexes to the nearest goal, or `far` if none can be counted."""
        counted = (d for goal in goals if (d := self.hexes_between(id, goal)) is not None)
        return min(counted, default=far)

    def hexes_between(self, start: str, end: str) -> int | None:
        """Return the distance in hexes, land and sea alike, or None if it cannot be counted."""
        return self.map.distance(self.index[start], self.index[end])


def world_of(board: Board) -> World:
    """Return the world of a board, typed."""
    assert isinstance(board.world, World)
    return board.world


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Return everything static of a scenario.

    Raises Refused with all faults of the map.
    """
    tables = {name: system.data(f"tables/{name}.yaml") for name in TABLES}
    chart = GameMap.from_data(
        scenario["map"],
        terrains=TERRAINS,
        hexsides=HEXSIDES,
        links=LINKS,
        places=("site",),
        layers=LAYERS,
        path=("map",),
    )
    return World(chart, scenario, tables, options)
