"""The world of a game: map, charts, printed values, countries, cards, events. It never changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from pbem.board.hexes import DIRECTIONS
from pbem.board.map import GameMap
from pbem.kit.chart import Chart
from pbem.kit.effects import Effect, Predicate
from pbem.kit.faults import bad_data, refuse, under
from pbem.kit.records import record, records
from pbem.rules import Diagnostic, Message, Refused, dataclass

from .printed import NOBODY, Country, Due, Print, print_faults, read_print

Data = Mapping[str, Any]
TABLES = ("combat", "terrain", "limits", "year", "verbs")
SEA = "all_sea"
LINKS = ("rail", "road")
COLOURS = ("blue", "gray", "red")
WAR_STATES = ("pre_war", "limited", "total")


@dataclass(frozen=True)
class Settlement:
    hex: str
    name: str = ""
    kind: str = "city"


@dataclass(frozen=True)
class Port:
    hex: str
    zones: tuple[str, ...]


@dataclass(frozen=True)
class Marked:
    hex: str


@dataclass(frozen=True)
class Strategic:
    hex: str
    of: str


@dataclass(frozen=True)
class TurnRow:
    """A game turn: its name, its season, its weather, and whether it has the end marker (4.23)."""

    name: str
    seasonal: str = ""
    weather: dict[str, str] | None = None
    end: bool = False


@dataclass(frozen=True)
class OffMap:
    """A box off the map (4.8.3): its faction, whether it is a source of supply, its transfers."""

    faction: str
    source: bool = False
    transfers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Card:
    """An option card (2.6)."""

    id: str
    owner: str
    title: str
    colour: str
    type: str
    no_repeat_type: bool
    once_per_year: bool
    requires: Predicate
    actions: tuple[Effect, ...]
    replacements: tuple[Due, ...]
    political_events: tuple[str, ...]
    conditional_events: tuple[str, ...]


@dataclass(frozen=True)
class Happening:
    """A political event or table: effects by the face of the die."""

    id: str
    results: Mapping[int, tuple[Effect, ...]]
    title: str = ""


@dataclass(frozen=True)
class Conditional:
    """A conditional event (4.11)."""

    id: str
    faction: str
    when: Predicate
    once: bool
    effects: tuple[Effect, ...]
    title: str = ""


@dataclass(frozen=True)
class Season:
    """Additional seasonal replacements under a condition (4.4)."""

    faction: str
    when: Predicate
    steps: tuple[Due, ...]


class World(Chart):
    """The map and charts of one scenario."""

    cards: dict[str, Card]
    tables_of_events: dict[str, Happening]
    conditional: dict[str, Conditional]
    seasons: tuple[Season, ...]
    csv_rows: tuple[CsvRow, ...]
    automatic: tuple[Automatic, ...]
    final: tuple[Band, ...]
    may_declare: dict[tuple[str, str], Predicate]

    def __init__(self, map: GameMap, scenario: Data, tables: Mapping[str, Data], options: Data) -> None:
        super().__init__(map)
        self.scenario, self.options = scenario, dict(options)
        self.tables = dict(tables)
        self.combat, self.ground_chart, self.limits = tables["combat"], tables["terrain"], tables["limits"]
        self.ranges: Data = self.limits["ranges"]
        self.factions: tuple[str, ...] = tuple(scenario["factions"])
        self.majors: dict[str, str] = {name: row["major"] for name, row in scenario["factions"].items()}
        self.settlements = self.places_of("settlement", Settlement)
        self.ports = self.places_of("port", Port)
        self.limited = frozenset(self.places_of("limited", Marked))
        self.strategic = {hex: place.of for hex, place in self.places_of("strategic", Strategic).items()}
        self.zones: tuple[str, ...] = tuple(scenario["map"].get("areas", {}).get("zone", {}))
        self.turns = tuple(record(TurnRow, row, ("turns", n)) for n, row in enumerate(scenario["turns"]))
        self.zone_hexes = {
            zone: tuple(hex for hex in self.inside("zone", zone) if self.kind(hex) == "hex")
            for zone in self.zones
        }
        self._beside_zones(scenario)
        self.off_map = read_off_map(self, scenario)
        self._read_countries(scenario)
        self._read_counters(scenario)
        self._own: dict[tuple[str, str], Print] = {}
        self._sides: dict[tuple[str, str], str] = {}
        self._zoc: dict[str, tuple[str, ...]] = {}

    def _beside_zones(self, scenario: Data) -> None:
        self.zone_beside: dict[str, tuple[str, ...]] = dict.fromkeys(self.zones, ())
        refuse(
            bad_data(
                "unknown-zone", Message("totaler-krieg.world.no-zone", zone=zone), "zones_adjacent", n, m
            )
            for n, group in enumerate(scenario.get("zones_adjacent", ()))
            for m, zone in enumerate(group)
            if zone not in self.zones
        )
        for group in scenario.get("zones_adjacent", ()):
            for zone in group:
                others = tuple(other for other in group if other != zone)
                self.zone_beside[zone] = tuple(sorted({*self.zone_beside[zone], *others}))

    def _read_countries(self, scenario: Data) -> None:
        rows = {id: {"id": id, **row} for id, row in scenario["countries"].items()}
        self.countries = records(Country, rows, ("countries",))
        faults = []
        for id, country in self.countries.items():
            for name, value, known in (
                ("alignment", country.alignment, self.factions),
                ("conqueror", country.conqueror, self.factions),
                ("responds_to", country.responds_to, self.factions),
                ("parent", country.parent, self.countries),
            ):
                if value is not None and value not in known:
                    message = Message("totaler-krieg.world.no-faction", id=id, faction=value)
                    faults.append(
                        bad_data("unknown-name", message, "countries", id, name, name=value, names=known)
                    )
            for n, hex in enumerate(country.home_cities):
                if hex not in self:
                    faults.append(
                        bad_data(
                            "unknown-hex",
                            Message("totaler-krieg.world.no-hex", hex=hex),
                            "countries",
                            id,
                            "home_cities",
                            n,
                        )
                    )
        if faults:
            raise Refused(faults)

    def _read_counters(self, scenario: Data) -> None:
        self.prints: dict[str, Print] = {}
        faults: list[Diagnostic] = []
        for owner, listed in scenario["oob"].items():
            side = owner if owner in self.factions else NOBODY
            for group in ("units", "support", "markers"):
                for id, row in listed.get(group, {}).items():
                    path = ("oob", owner, group, id)
                    try:
                        printed = read_print(id, side, row, self.majors.get(owner, ""))
                    except Refused as refused:
                        faults += under(refused.diagnostics, *path)
                        continue
                    faults += under(print_faults(id, printed, self.countries), *path)
                    if id in self.prints:
                        message = Message("totaler-krieg.world.listed-twice", id=id)
                        faults.append(bad_data("listed-twice", message, *path))
                    self.prints[id] = printed
        if faults:
            raise Refused(faults)

    def own_print(self, id: str, owner: str, country: str, kind: str, row: Data) -> Print:
        """Return the printed values of a counter that has its own, for example in an example."""
        key = (id, repr(sorted(row.items())) + owner + country + kind)
        if key not in self._own:
            self._own[key] = read_print(id, owner, {"c": country, "t": kind, **row})
        return self._own[key]

    def sea(self, hex: str) -> bool:
        return self.terrain.get(hex) == SEA

    def land(self, hex: str) -> bool:
        """2.2: Return True if it is a land hex, one that is not All-Sea."""
        return hex in self.index and self.kind(hex) == "hex" and not self.sea(hex)

    def city(self, hex: str) -> bool:
        """Return True if the hex has a city. A capital counts as one."""
        place = self.settlements.get(hex)
        return place is not None and place.kind in self.ground_chart["settlement"]

    def country_of(self, hex: str) -> str | None:
        """Return the country of a land hex. All-Sea hexes are in none."""
        return None if self.sea(hex) else self.area("country", hex)

    def zones_of(self, hex: str) -> tuple[str, ...]:
        """Return the naval zones of a hex: one for an All-Sea hex, those of a port."""
        if hex not in self.index:
            return ()
        if self.sea(hex):
            zone = self.area("zone", hex)
            return () if zone is None else (zone,)
        return self.ports[hex].zones if hex in self.ports else ()

    def hexside_of(self, a: str, b: str) -> str:
        """2.2: Return the kind of hexside between two adjacent hexes, without beachheads."""
        key = (a, b)
        if key not in self._sides:
            kinds = [kind for kind in self.ground_chart["hexside"] if self.crosses(kind, a, b)]
            plain = SEA if self.sea(a) or self.sea(b) else "plain"
            self._sides[key] = kinds[0] if kinds else plain
        return self._sides[key]

    def zoc_beside(self, hex: str) -> tuple[str, ...]:
        """Return the adjacent hexes that a zone of control reaches without beachheads."""
        if hex not in self._zoc:
            chart = self.ground_chart["hexside"]
            near = self.beside(hex)
            self._zoc[hex] = tuple(n for n in near if chart[self.hexside_of(hex, n)]["zoc"])
        return self._zoc[hex]

    def direction(self, a: str, b: str) -> int:
        """Return the direction to a hex, 1 (north) to 6 (north-west), or 0 if not adjacent."""
        direction = self.map.direction(self.at(a), self.at(b))
        return 0 if direction is None else DIRECTIONS.index(direction) + 1

    def toward(self, hex: str, facing: int) -> str | None:
        """Return the adjacent hex in a direction, 1 to 6."""
        return next((n for n in self.beside(hex) if self.direction(hex, n) == facing), None)

    def linked_by(self, a: str, b: str) -> str | None:
        """Return the link between two hexes, rail before road."""
        return next((kind for kind in LINKS if self.joins(kind, a, b)), None)

    def on_link(self, hex: str) -> bool:
        return any(hex in self.on(kind) for kind in LINKS)

    def name_of(self, hex: str) -> str:
        """Return the name of a hex or box for players. A box goes by name alone."""
        place = self.settlements.get(hex)
        if place and place.name:
            return f"{hex} {place.name}"
        area, _, box = hex.partition(".")
        name = self.map.name(self.at(area)) if box and area in self.index else ""
        return f"{name} ({box.replace('_', ' ')})" if name else hex

    def transfers(self, at: str) -> tuple[str, ...]:
        """4.8.3: Return the places to which transfers lead from a box or hex, by id."""
        return self._transfers.get(at, ())

    @cached_property
    def _transfers(self) -> dict[str, tuple[str, ...]]:
        joined: dict[str, set[str]] = {}
        for box, row in self.off_map.items():
            for to in row.transfers:
                joined.setdefault(box, set()).add(to)
                joined.setdefault(to, set()).add(box)
        return {at: tuple(sorted(others)) for at, others in joined.items()}

    def box_of(self, at: str) -> str | None:
        """Return the faction of an off-map box, or None for a hex."""
        return self.off_map[at].faction if at in self.off_map else None

    def box(self, owner: str, spot: str, due: int = 0) -> str | None:
        """Return the box on the map for a counter off the map, or None if the scenario draws none."""
        turn = f"track.{due}"
        named = {
            "pool": f"{owner}.force_pool",
            "delay": f"{owner}.delay",
            "naval_delay": f"{owner}.naval_delay",
            "strategic": f"{owner}.strategic",
            "track": turn if turn in self.index else "track.later",
        }
        box = named.get(spot)
        return box if box in self.index else None

    def row(self, turn: int) -> TurnRow:
        """Return the row of a game turn."""
        return self.turns[min(turn, len(self.turns)) - 1]

    def weather_of(self, turn: int) -> dict[str, str]:
        """4.15.1: Return the weather of a turn, the scenario's or else that of the year."""
        row, track = self.row(turn), self.tables["year"]["weather"]
        return dict(row.weather or track.get(row.name, track["default"]))

    def year(self, turn: int) -> int:
        """Return the number of the calendar year of a turn. A year begins with its first turn."""
        first = self.tables["year"]["turns"][0]["name"]
        return sum(row.name == first for row in self.turns[1:turn])

    def enemies(self, faction: str) -> tuple[str, ...]:
        """2.1: Return the enemies of a faction, both others."""
        return tuple(other for other in self.factions if other != faction)

    def parent(self, country: str) -> str:
        """4.12.2: Return the country whose home cities a country's units use."""
        row = self.countries[country]
        return row.parent if row.kind == "dependent" and row.parent else country


def read_off_map(world: World, scenario: Data) -> dict[str, OffMap]:
    """4.8.3, 4.12.2: Read the off-map boxes of a scenario.

    Unknown names are refused with all faults.
    """
    rows = {id: dict(row) for id, row in scenario.get("off_map", {}).items()}
    boxes = records(OffMap, rows, ("off_map",))
    faults = []
    for id, box in boxes.items():
        path = ("off_map", id)
        if id not in world or world.kind(id) != "box":
            faults.append(
                bad_data("unknown-hex", Message("totaler-krieg.world.map-has-no-box", id=id), *path)
            )
        if box.faction not in world.factions:
            message = Message("totaler-krieg.world.no-faction", id=id, faction=box.faction)
            names = world.factions
            faults.append(bad_data("unknown-name", message, *path, "faction", name=box.faction, names=names))
        for n, to in enumerate(box.transfers):
            if to not in boxes and not world.land(to):
                message = Message("totaler-krieg.world.neither-off-map-box-nor-land-hex", to=to)
                faults.append(bad_data("unknown-hex", message, *path, "transfers", n))
    if faults:
        raise Refused(faults)
    return boxes


@dataclass(frozen=True)
class Automatic:
    """4.1: An automatic victory: the winner, at once when a condition holds."""

    winner: str
    when: Predicate


@dataclass(frozen=True)
class Band:
    """A result of the game if a condition holds after the last turn.

    With `shared_by` the faction that controls more hexes of `of` wins.
    """

    result: str
    when: Predicate
    shared_by: tuple[str, ...] = ()
    of: str = ""


@dataclass(frozen=True)
class CsvRow:
    """4.1: An addition to the victory value under a condition.

    `n` counts for each of these markers in a Strategic Warfare Box, or once if none is named.
    """

    n: int
    each: tuple[str, ...]
    when: Predicate
