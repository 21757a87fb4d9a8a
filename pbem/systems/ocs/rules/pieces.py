"""Typed counters and tracks of an ocs game (2.3 to 2.8), and functions to find them."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, TypeVar

from pbem.board.position import Fields
from pbem.rules import Board, Counter, Tracks, counters, dataclass, maybe

from .printed import Hull, PlaneType, ShipType, Side, UnitType, Wing, plane_type, ship_type, unit_type
from .world import World

C = TypeVar("C", bound=Counter)
Facing = Literal["combat", "move"]
Marker = Literal["none", "reserve", "strat", "dg", "exploit"]
OTHERS = ("transport", "extender", "aircraft", "ship", "craft")


def world_of(board: Board) -> World:
    """Return the world of a board."""
    assert isinstance(board.world, World)
    return board.world


class Unit(Counter):
    """The state of a combat unit (2.3). Flags from `done` on last for one phase (4.0.11)."""

    owner: str
    kind: str
    hex: str | None
    type: str = ""
    printed: dict[str, Any] | None = None
    facing: Facing = "combat"
    marker: Marker = "none"
    min_ar: int = 0
    lost: int = 0
    internal: Literal["full", "low", "exhausted"] = "full"
    oos: bool = False
    last_trace: Literal["trace", "ate", "oos"] = "trace"
    fuelled: bool = False
    parent: str | None = None
    # for one phase
    done: bool = False
    committed: bool = False
    spent: Fraction = Fraction(0)
    start: str | None = None
    fuel_single: bool = False
    fuel_hex: str | None = None
    released: bool = False
    attacked: bool = False
    barraged: bool = False
    moved: bool = False
    converted: int = 0
    entrained: bool = False
    air_landed: bool = False
    dropped: int = 0
    # in a game with fog (7.1)
    top: bool = False
    beneath: tuple[str, ...] = ()

    told_by = ("kind",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["kind"] not in OTHERS

    @property
    def print(self) -> UnitType:
        """Return what is printed on the counter."""
        world = world_of(self.board)
        own: Any = self.position.counters[self.id].get("printed")
        if own is not None:
            made: UnitType = _own(
                world, f"unit {self.owner}", own, lambda: unit_type(own, self.owner, world.sizes)
            )
            return made
        return world.units[self.type or self.id]

    @property
    def side(self) -> Side:
        """Return the side of the counter that shows."""
        return self.print.side(self.facing)

    @property
    def steps(self) -> int:
        """Return the number of steps left."""
        return self.print.steps - self.lost

    @property
    def re(self) -> Fraction:
        """Return the size in RE now; a multi-step unit loses 1 RE with each step."""
        return self.print.re - (self.lost if self.print.multi_step else 0)

    @property
    def ar(self) -> int:
        """Return the action rating now: one lower while DG, 0 in Strat."""
        rating = world_of(self.board).combat["rating"]
        if self.marker == "strat":
            return int(rating["strat"])
        return self.print.ar + (int(rating["dg"]) if self.marker == "dg" else 0)

    @property
    def formation(self) -> str | None:
        return world_of(self.board).formation_of.get(self.id)

    @property
    def independent(self) -> bool:
        return self.formation is None and not self.print.multi_step

    @property
    def is_hq(self) -> bool:
        return self.kind == "hq"

    @property
    def attack_capable(self) -> bool:
        """2.9: Return True if it may attack: an unparenthesised strength shows, not in Reserve or Strat."""
        return self.side.strength is not None and self.marker not in ("reserve", "strat")

    @property
    def zoc(self) -> bool:
        """2.9: Return True if the unit exerts a zone of control."""
        shown = self.facing == "combat" and self.marker in ("none", "exploit")
        return shown and not self.oos and self.attack_capable

    @property
    def engineer(self) -> bool:
        """2.9: Return True if the unit can do engineers' work now."""
        able = self.is_hq or "engineer" in self.print.flags
        return able and self.facing == "combat" and self.marker in ("none", "dg")


class Extender(Counter):
    """Five transport points that extend trace (4.4.11, 4.5.2)."""

    owner: str
    kind: Literal["extender"]
    hex: str | None
    type: str
    range: int
    mobility: str
    ma: int
    point_mobility: str
    spent: Fraction = Fraction(0)
    done: bool = False

    told_by = ("kind",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["kind"] == "extender"


class Points(Counter):
    """Transport points (2.5). With `organic_of`, the trucks of a formation."""

    owner: str
    kind: Literal["transport"]
    hex: str | None
    type: str
    points: int
    ma: int
    mobility: str
    tokens: int = 0  # quarters of a point beside the whole ones
    load: int = 0
    came: bool = (
        False  # arrived in this Reinforcement Phase, and may load supply that arrives with it (4.3.1)
    )
    organic_of: str | None = None
    marker: Literal["none", "reserve"] = "none"
    spent: Fraction = Fraction(0)
    done: bool = False
    rode: str | None = None
    captured_turn: bool = False
    released: bool = False

    told_by = ("kind",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["kind"] == "transport"

    @property
    def capacity(self) -> int:
        """Return the most T that the points can carry."""
        return self.points * world_of(self.board).point_T + self.tokens


class Craft(Counter):
    """Landing Craft (4.12.7, module amphib): points and their cargo."""

    owner: str
    kind: Literal["craft"]
    hex: str | None
    points: int
    load: int = 0
    cargo: dict[str, Any] = {}
    spent: Fraction = Fraction(0)
    done: bool = False
    embarked: bool = False

    told_by = ("kind",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["kind"] == "craft"

    @property
    def capacity(self) -> int:
        """Return the most T that the craft can carry."""
        return self.points * world_of(self.board).point_T


class Plane(Counter):
    """An aircraft (2.6). Its hex is its base."""

    owner: str
    kind: Literal["aircraft"]
    hex: str | None
    type: str = ""
    printed: dict[str, Any] | None = None
    lost: int = 0
    active: bool = False
    flew: bool = False

    told_by = ("kind",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["kind"] == "aircraft"

    @property
    def print(self) -> PlaneType:
        world = world_of(self.board)
        own: Any = self.position.counters[self.id].get("printed")
        if own is not None:
            made: PlaneType = _own(world, f"plane {self.owner}", own, lambda: plane_type(own, self.owner))
            return made
        return world.planes[self.type or self.id]

    @property
    def steps(self) -> int:
        """Return the number of steps left: two, or one after a loss."""
        return 1 if self.lost else 2

    @property
    def wing(self) -> Wing:
        """Return the side of the counter that shows."""
        return self.print.reduced if self.lost else self.print.full

    @property
    def capacity(self) -> Fraction:
        return self.print.capacity[1 if self.lost else 0]

    def is_type(self, *types: str) -> bool:
        return any(type in types for type in self.print.types)


class Ship(Counter):
    """A ship (2.6)."""

    owner: str
    kind: Literal["ship"]
    hex: str | None
    type: str = ""
    printed: dict[str, Any] | None = None
    hits: int = 0
    dg: bool = False
    shore_turn: int = 0
    fired: bool = False
    spent: Fraction = Fraction(0)

    told_by = ("kind",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["kind"] == "ship"

    @property
    def print(self) -> ShipType:
        world = world_of(self.board)
        own: Any = self.position.counters[self.id].get("printed")
        if own is not None:
            made: ShipType = _own(world, "ship", own, lambda: ship_type(own))
            return made
        return world.ships[self.type or self.id]

    @property
    def hull(self) -> Hull:
        return self.print.reduced if self.hits else self.print.full


def _own(world: World, kind: str, data: Any, make: Callable[[], Any]) -> Any:
    """Return the values printed on a counter of its own type, made once for each world."""
    key = (kind, json.dumps(data, sort_keys=True))
    if key not in world.own_prints:
        world.own_prints[key] = make()
    return world.own_prints[key]


@dataclass(frozen=True)
class Dump:
    """Supply on the ground of a hex, in T (2.5). `fresh`: T unloaded in this phase."""

    owner: str
    t: int
    fresh: int = 0


@dataclass(frozen=True)
class Base:
    """An air base (level 0: a strip)."""

    owner: str
    level: int
    refitted: bool = False
    worked: bool = False


@dataclass(frozen=True)
class Works:
    """A hedgehog."""

    owner: str
    level: int
    worked: bool = False


@dataclass(frozen=True)
class Port:
    owner: str
    printed_t: int
    hits: int = 0
    worked: bool = False
    used: Fraction = Fraction(0)


@dataclass(frozen=True)
class Plan:
    """A planned air drop."""

    hex: str
    turn: int


@dataclass(frozen=True)
class Filed:
    """A sealed plan of an air drop: the key of its commitment, and the turn in which it was filed."""

    key: str
    turn: int


@dataclass(frozen=True)
class SealedOne:
    """A sealed order: the key of its commitment, and whether its side has been attacked since."""

    key: str
    attacked: bool = False


@dataclass(frozen=True)
class Sight:
    """The place and turn in which an enemy unit was last seen."""

    hex: str
    turn: int


class T(Tracks):
    """The tracks of a game."""

    turn: int = 0
    ground: str = "dry"
    flight: str = "normal"
    winner: str | None = None
    first: str | None = None
    simulcast: bool = False
    phase: str = ""  # a letter of section 3; W: before the player turns; empty: before the game
    acting: str | None = None
    dumps: dict[str, Dump] = {}
    bases: dict[str, Base] = {}
    hedgehogs: dict[str, Works] = {}
    ports: dict[str, Port] = {}
    control: dict[str, str] = {}
    busted: dict[str, str] = {}
    barraged: tuple[str, ...] = ()
    attacked: tuple[str, ...] = ()
    fuelled: tuple[str, ...] = ()
    coming: dict[str, Any] = {}
    dead: dict[str, Any] = {}
    plans: dict[str, Plan] = {}
    sealed_plans: dict[str, Filed] = {}  # in a game without fog (7.2), by unit
    sealed_orders: dict[str, SealedOne] = {}  # sealed orders, by "side/question"
    opened_orders: dict[str, Any] = {}  # orders that were sealed and are opened, by side
    rail_used: Fraction = Fraction(0)
    sea_used: Fraction = Fraction(0)
    arrived: dict[str, int] = {}  # T that arrived in this player turn, by hex: rail may take them on
    uses_organic: tuple[str, ...] = ()  # sides that use loads of organic trucks unasked
    points_lost: dict[str, int] = {}  # truck points lost to the enemy, "side/type"
    gauge: dict[str, str] = {}  # rail hexes whose gauge was changed
    converted: tuple[str, ...] = ()  # changed in this phase
    # for one phase
    blown: tuple[str, ...] = ()
    razed: tuple[str, ...] = ()
    targeted: tuple[str, ...] = ()  # ships that were fired at
    intercepts: dict[str, int] = {}
    landed: str | None = None  # the side whose craft have landed in this phase (4.12.7)
    unloaded: dict[str, Fraction] = {}  # T that a base has unloaded from aircraft
    made: dict[str, int] = {}
    vp: int = 0
    result: str | None = None
    entered: dict[str, Any] = {}
    # with fog (7.2)
    tops: dict[str, str] = {}  # units on top when the last phase ended, with their hexes
    tops_turn: int = 0
    sightings: dict[str, dict[str, Sight]] = {}  # by side, the enemy units that it saw and no longer sees


def units(board: Board, owner: str | None = None, at: str | None = None) -> list[Unit]:
    """Return the combat units of a game, by id; `owner` and `at` narrow them."""
    if at is None:
        return _all(board, Unit, owner, at)
    every = board.position.counters
    result = []
    for id in board.position.at(at):
        fields = every[id]
        if fields["kind"] not in OTHERS and (owner is None or fields["owner"] == owner):
            result.append(Unit(board, id))
    return result


def points(board: Board, owner: str | None = None, at: str | None = None) -> list[Points]:
    """Return the transport points, by id."""
    return _all(board, Points, owner, at)


def extenders(board: Board, owner: str | None = None, at: str | None = None) -> list[Extender]:
    """Return the Extenders, by id."""
    return _all(board, Extender, owner, at)


def craft(board: Board, owner: str | None = None, at: str | None = None) -> list[Craft]:
    """Return the Landing Craft, by id."""
    return _all(board, Craft, owner, at)


def planes(board: Board, owner: str | None = None, at: str | None = None) -> list[Plane]:
    """Return the aircraft, by id."""
    return _all(board, Plane, owner, at)


def ships(board: Board, owner: str | None = None, at: str | None = None) -> list[Ship]:
    """Return the ships, by id."""
    return _all(board, Ship, owner, at)


def _all(board: Board, kind: type[C], owner: str | None, at: str | None) -> list[C]:
    return counters(board, kind, at) if owner is None else counters(board, kind, at, owner=owner)


def maybe_unit(board: Board, id: str | None) -> Unit | None:
    return maybe(board, Unit, id)


def serial(board: Board, side: str) -> int:
    """Return the next number for counters that a side makes during play."""
    t = T.of(board)
    t.made[side] = t.made.get(side, 0) + 1
    return t.made[side]


def maybe_plane(board: Board, id: str) -> Plane | None:
    fields = board.position.counters.get(id)
    return Plane(board, id) if fields is not None and Plane.is_one(fields) else None


def total_re(units_: list[Unit]) -> Fraction:
    return sum((u.re for u in units_), Fraction(0))
