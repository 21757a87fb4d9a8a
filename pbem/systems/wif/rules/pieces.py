"""Counters and tracks of wif (2.1 to 2.4), typed."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any, Literal

from pbem.kit.control import Control
from pbem.rules import Board, Capture, Counter, Record, Tracks, dataclass, to_json

from .printed import Print
from .world import Site, World, world_of

Action = Literal["pass", "naval", "air", "land", "combined"]


def round_half_up(x: Fraction) -> int:
    """4.0.1: Return the nearest whole number. Halves round up, also below 0."""
    return floor(x + Fraction(1, 2))


class Unit(Counter):
    """A land unit, an aircraft or a ship. `hex` is a hex or a box of a sea area."""

    owner: str
    type: str
    hex: str | None
    printed: str = ""
    face: Literal["up", "down"] = "up"
    shattered: bool = False
    country: str | None = None
    active: str | None = None
    aboard: str | None = None

    @property
    def print(self) -> Print:
        """Return what is printed on the counter."""
        return world_of(self.board).print(self.type, self.printed)

    @property
    def home(self) -> str:
        """Return its home country."""
        return self.country or world_of(self.board).home[self.owner]

    @property
    def minor(self) -> bool:
        """Return True if it is a minor country's unit."""
        return self.country is not None and world_of(self.board).countries[self.country].kind == "minor"

    @property
    def at_sea(self) -> bool:
        return self.hex is not None and self.hex in world_of(self.board).area_of

    @property
    def area(self) -> str | None:
        """Return the sea area in which the counter is."""
        return world_of(self.board).area_of.get(self.hex or "")

    @property
    def down(self) -> bool:
        return self.face == "down"

    @property
    def place(self) -> str:
        """Return the location of a counter on the map."""
        assert self.hex is not None
        return self.hex


@dataclass(frozen=True)
class Chit:
    """An offensive chit that a power has played (4.6.16)."""

    kind: Literal["air", "naval", "land", "combined", "reorganize_units"]
    hq: str | None = None


@dataclass(frozen=True)
class State:
    """The state of a country: its status, and the power that has it."""

    status: Literal["independent", "aligned", "conquered", "neutral"]
    power: str | None = None


@dataclass(frozen=True)
class PoolEntry:
    """An entry of a force pool: units that may be bought.

    It is a kind with a count, a unit that came back with its id, or a hull: a ship whose first
    cycle is paid and done.
    """

    unit: str
    count: int = 1
    id: str | None = None
    country: str | None = None
    hull: bool = False


@dataclass(frozen=True)
class Due:
    """A counter that arrives in a later turn. A hull is a ship in the first of its two cycles."""

    id: str
    owner: str
    type: str
    printed: str = ""
    country: str | None = None
    hull: bool = False


class T(Tracks):
    """All tracks of a game."""

    turn: int = 0
    impulse: int = 0
    phasing: str | None = None
    first: str | None = None
    first_impulse: str | None = None
    initiative: int = 0
    initiative_last: str = ""
    rerolled: bool = False
    dice: dict[str, int] = {}
    number: int = 0
    ended: bool = False
    final: bool = False
    weather: dict[str, str] = {}
    control: dict[str, str] = {}
    countries: dict[str, State] = {}
    factories_out: dict[str, int] = {}
    damaged: tuple[str, ...] = ()
    iso_used: dict[str, str] = {}
    rate: dict[str, int] = {}
    pool: dict[str, int] = {}
    action: dict[str, str] = {}
    chit: dict[str, Chit] = {}
    chits: dict[str, int] = {}
    rail_left: dict[str, int] = {}
    used: dict[str, dict[str, int]] = {}
    other_last: dict[str, int] = {}
    rp_last: dict[str, int] = {}
    gearing: dict[str, dict[str, int]] = {}
    saved: dict[str, int] = {}
    lent: dict[str, dict[str, int]] = {}
    fuel: dict[str, int] = {}
    force_pool: dict[str, tuple[PoolEntry, ...]] = {}
    spiral: dict[str, tuple[Due, ...]] = {}
    repairs: tuple[Due, ...] = ()
    hulls: tuple[Due, ...] = ()
    returning: tuple[Due, ...] = ()
    made: dict[str, dict[str, int]] = {}
    moved: tuple[str, ...] = ()
    fought: tuple[str, ...] = ()
    invading: dict[str, str] = {}
    cleared: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    letters: dict[str, Any] = {}
    turn_letters: dict[str, Any] = {}
    spent: dict[str, Any] = {}
    result: str | None = None
    points: int = 0


class Occasion(Record):
    """2.4: The counts of one reorganization occasion: one p-step, or one side's final reorganization."""

    track = "occasion"
    id: str
    side: str
    final: bool = False
    reorganized: tuple[str, ...] = ()
    dispensed: tuple[str, ...] = ()
    flipped: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    oil: dict[str, int] = {}
    corps: dict[str, int] = {}
    secondary: dict[str, Fraction] = {}
    limited: dict[str, int] = {}
    hq: dict[str, Fraction] = {}
    hq_supply: dict[str, Fraction] = {}
    half_sum: dict[str, Fraction] = {}
    fuel_sum: dict[str, Fraction] = {}
    slots: dict[str, int] = {}
    spent: dict[str, int] = {}

    def count(self, name: str, key: str, add: int | Fraction) -> None:
        """Add to a count."""
        counts = dict(getattr(self, name))
        counts[key] = counts.get(key, 0) + add
        self.data[name] = to_json(counts)

    def note(self, name: str, id: str) -> None:
        """Put an id into a list, unless it is there."""
        ids = getattr(self, name)
        if id not in ids:
            self.data[name] = to_json((*ids, id))


def unit(board: Board, id: str) -> Unit:
    return Unit(board, id)


def maybe_unit(board: Board, id: str | None) -> Unit | None:
    """Return a counter by its id, or None."""
    return Unit(board, id) if id is not None and id in board.position.counters else None


def units(board: Board, owner: str | None = None, at: str | None = None) -> list[Unit]:
    """Return counters by id, only those of a power or at a location if these are given."""
    every = board.position.counters
    ids = sorted(every) if at is None else board.position.at(at)
    return [Unit(board, id) for id in ids if owner is None or every[id]["owner"] == owner]


def side_units(board: Board, side: str, at: str | None = None) -> list[Unit]:
    """Return counters of a side by id."""
    sides = world_of(board).side_of
    every = board.position.counters
    ids = sorted(every) if at is None else board.position.at(at)
    return [Unit(board, id) for id in ids if sides.get(str(every[id]["owner"])) == side]


def side(board: Board, u: Unit) -> str:
    """Return the side of a counter."""
    return world_of(board).side_of[u.owner]


def control(board: Board) -> Control:
    """Return the controller of each hex."""
    return Control(T.of(board).control, world_of(board).home_control)


def controller(board: Board, hex: str) -> str | None:
    """Return the power that controls a hex, or None if it is neutral."""
    track = T.of(board).position.tracks.get("control", {})
    power = track.get(hex) if isinstance(track, dict) else None
    return str(power) if power is not None else world_of(board).home_control.get(hex)


def held_by(board: Board, hex: str, side: str) -> bool:
    """Return True if a power of this side controls the hex."""
    power = controller(board, hex)
    return power is not None and world_of(board).side_of.get(power) == side


def country(board: Board, name: str) -> State:
    """Return the state of a country now."""
    states = T.of(board).countries
    if name in states:
        return states[name]
    printed = world_of(board).countries[name]
    return State(printed.status, printed.power)


def site(board: Board, hex: str) -> Site | None:
    return world_of(board).sites.get(hex)


def port_damaged(board: Board, hex: str) -> bool:
    return hex in T.of(board).damaged


def operating(board: Board, hex: str) -> int:
    """R-4: Return the number of factories that operate.

    These are the printed ones that are not out, while the owner's side holds the hex.
    """
    world = world_of(board)
    site = world.sites.get(hex)
    if site is None or not site.factories:
        return 0
    name = world.area("country", hex)
    owner = world.countries[name].power if name else None
    if owner is None or not held_by(board, hex, world.side_of[owner]):
        return 0
    return max(0, site.factories - T.of(board).factories_out.get(hex, 0))


def weather_at(board: Board, location: str | None) -> str:
    """Return the weather of a hex, fine if nothing is known."""
    if location is None:
        return "fine"
    world, weather = world_of(board), T.of(board).weather
    area = world.area_of.get(location)
    zone = world.area("weather", location) if area is None else world.sea_zone(area)
    return weather.get(zone, "fine") if zone is not None else "fine"


def grounded(board: Board, location: str | None) -> bool:
    """5.6: Return True if this weather allows no air missions."""
    return weather_at(board, location) in world_of(board).weather_chart["grounded"]


def turn_down(u: Unit) -> None:
    """Turn a counter face-down. A supply unit is then no longer active (4.6.13)."""
    u.face = "down"
    u.active = None


def destroy(board: Board, u: Unit, *, lost: bool = False) -> None:
    """4.8.3: Take a unit out of play.

    Land units and aircraft go to the force pool with their id. Ships are lost.
    """
    for other in units(board):
        if other.aboard == u.id:
            destroy(board, other)
        elif other.active == u.id:
            turn_down(other)
    if u.print.arm != "sea" and not lost and u.type not in world_of(board).units["free"]:
        t = T.of(board)
        back = PoolEntry(f"{u.type} {u.printed}".strip(), id=u.id, country=u.country)
        t.force_pool[u.owner] = (*t.force_pool.get(u.owner, ()), back)
    u.remove()


def take(board: Board, hex: str, power: str) -> Capture | None:
    """4.7.1: Give a hex to a power.

    A hex of a friendly home or of an aligned minor goes back to its power (R-110).
    """
    world = world_of(board)
    name = world.area("country", hex)
    if name is not None:
        state = country(board, name)
        owner = world.countries[name].power if world.countries[name].kind == "major" else state.power
        friendly = owner is not None and world.side_of[owner] == world.side_of[power]
        if friendly and owner is not None and state.status != "conquered":
            power = owner
    return control(board).take(hex, power)


def limit(board: Board, power: str, activity: str) -> int | None:
    """5.5: Return how often a power may do this with its action, or None for no limit."""
    world = world_of(board)
    action = T.of(board).action.get(power, "pass")
    if action == "pass":
        return 0
    row = world.activity[activity]
    if not world.options.get("impulse_choices", True):
        return (
            _limit(world, row, power, world.activity["without_choices"]) if activity == "rail_moves" else None
        )
    return _limit(world, row, power, action)


def _limit(world: World, row: Any, power: str, action: str) -> int | None:
    entry = row if isinstance(row, str | int) else row[action]
    if entry == "u":
        return None
    if isinstance(entry, int):
        return entry
    order = world.activity["order"]
    return int(entry[order.index(power)]) if power in order else int(min(entry))


def used(board: Board, power: str, activity: str) -> int:
    return T.of(board).used.get(power, {}).get(activity, 0)


def use(board: Board, power: str, activity: str, count: int = 1) -> None:
    """Count an activity of a power."""
    t = T.of(board)
    counts = dict(t.used.get(power, {}))
    counts[activity] = counts.get(activity, 0) + count
    t.used[power] = counts


def players_of(board: Any, side: str) -> list[str]:
    """Return the players with a power of this side, in the order of powers."""
    world = world_of(board)
    return list(dict.fromkeys(board.seat(p) for p in world.power_order if world.side_of[p] == side))


def leader_of(board: Any, side: str) -> str:
    """R-301: Return the player who answers for a side, the leader of the first power in its list."""
    return str(board.seat(world_of(board).sides[side][0]))


def leads(board: Any, player: str) -> bool:
    """R-301: Return True if this player answers for a side."""
    return any(leader_of(board, side) == player for side in world_of(board).sides)


def powers_of(board: Any, player: str, side: str | None = None) -> list[str]:
    """Return the powers of a player in the order of powers, only those of `side` if it is given."""
    world = world_of(board)
    return [
        p for p in world.power_order if board.seat(p) == player and (side is None or world.side_of[p] == side)
    ]


def acting(board: Any, side: str) -> list[str]:
    """Return the powers of a side that did not pass, in order."""
    world, t = world_of(board), T.of(board)
    return [p for p in world.power_order if world.side_of[p] == side and t.action.get(p, "pass") != "pass"]
