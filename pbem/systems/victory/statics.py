"""What never changes in a game, piece by piece: types, bases, terrain, limits (2.2, 2.3, 2.6, T-1 to T-6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pbem.board.places import Place

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


@dataclass(frozen=True)
class Base:
    """A city or town (2.2). ``home`` None is neutral."""

    hex: str
    name: str
    kind: Literal["city", "town"]
    pp: int
    port: bool
    home: str | None

    @classmethod
    def of(cls, place: Place) -> Base:
        """A base from the map."""
        text, kind = place.text, place.text("kind")
        assert kind in ("city", "town"), f"a base in {place.number} is a {kind}"
        kept: Literal["city", "town"] = "city" if kind == "city" else "town"
        home = place.text_or_none("home")
        return cls(place.number, text("name"), kept, place.integer("pp"), place.flag("port"), home)

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
    landing: bool = True

    def cost(self, kind: UnitType) -> int | None:
        """What a step into it costs a land type without roads and rivers; None: prohibited."""
        return self.mech if kind.has("mech") else self.leg


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
    flak_face: int


def make_types(table: Data) -> dict[str, UnitType]:
    """Table T-1 from its data."""
    types = {}
    for code, line in table["types"].items():
        fields = {key: value for key, value in line.items() if key not in ("class", "source")}
        fields |= {"steps": tuple(line["steps"]), "flags": tuple(line["flags"])}
        types[code] = UnitType(code=code, cls=line["class"], **fields)
    return types


def make_numbers(table: Data) -> Numbers:
    """Section 2.6 and tables T-4 to T-6 from their data."""
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table["numbers"].items()}
    return Numbers(**fields)


def make_terrain(kinds: Data) -> dict[str, Terrain]:
    """Kinds of terrain by name, from their data (T-3)."""
    return {name: Terrain(name, **line) for name, line in kinds.items()}
