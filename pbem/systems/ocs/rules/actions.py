"""Orders in a loop of actions (4.0.9, 4.4.2), as order files state them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Literal

from pbem.rules import LocationId, Name, Range, dataclass

Hexes = tuple[LocationId, ...]
Names = tuple[Name, ...]
Tokens = Annotated[int, Range(0, 9999)]
Face = Literal["combat", "move"]
Mode = Literal["plain", "reserve", "strat"]


@dataclass(frozen=True)
class Conditions:
    """Conditions of an action, which is skipped if one of them is false (4.0.9).

    `hex_mine`: your side controls the hex. `no_enemy`: no enemy combat unit is in it.
    """

    hex_vacant: LocationId | None = None
    hex_held: LocationId | None = None
    hex_mine: LocationId | None = None
    no_enemy: LocationId | None = None
    unit_alive: Name | None = None
    unit_not_dg: Name | None = None
    supply_at_least: dict[str, int] | None = None


@dataclass(frozen=True)
class Overrun:
    """4.4.6: An overrun of this hex. The stack goes on along `if_win` or `if_hold`."""

    hex: LocationId
    ar: Name | None = None
    dumps: Hexes = ()
    if_win: Hexes = ()
    if_hold: Hexes = ()
    along: Names = ()


@dataclass(frozen=True)
class Step:
    """One part of a move: hexes to enter, then units to drop, then an overrun.

    `when`: only if the last overrun vacated its hex (`won`) or did not (`held`).
    """

    when: Literal["won", "held"] | None = None
    to: Hexes = ()
    drop: Names = ()
    overrun: Overrun | None = None


@dataclass(frozen=True)
class Move:
    """4.4.2: A move of a stack.

    `fuel: single` pays 1 T for each unit that needs fuel. `without_fuel: leave` leaves units without fuel
    behind. `carpet`: units that may be committed. `if_blocked`: if the stack can't enter the next hex, refuse
    the order, stop there, go round an enemy, or overrun it; it stops at any other obstacle.
    """

    units: Names
    path: Hexes = ()
    steps: tuple[Step, ...] = ()
    facing: Face | None = None
    mode: Mode | None = None
    fuel: Literal["single"] | None = None
    without_fuel: Literal["stop", "leave"] = "stop"
    dumps: Hexes = ()
    carpet: Names = ()
    release: bool = False
    if_blocked: Literal["refuse", "stop", "round", "attack"] = "refuse"


@dataclass(frozen=True)
class Stand:
    """4.4.2: A change of mode by units that do not move."""

    units: Names
    facing: Face | None = None
    mode: Mode | None = None


@dataclass(frozen=True)
class Fuel:
    """4.4.5: Fuel for a formation or an HQ. `hq`, `provider`, `dumps`: its source."""

    formation: Name | None = None
    hq: Name | None = None
    dumps: Hexes = ()
    provider: Name | None = None


@dataclass(frozen=True)
class Build:
    """4.4.7: Construction or reduction by units that do not move."""

    units: Names
    work: Literal["air_base", "strip", "hedgehog", "port"]
    hex: LocationId
    reduce: bool = False
    dumps: Hexes = ()


@dataclass(frozen=True)
class HaulStep:
    """4.4.8: One part of a haul: hexes to enter, then T to load or unload.

    The points then wait for fuel of single units and construction; `drop` names those that stay behind.
    """

    to: Hexes = ()
    load: Tokens = 0
    unload: Tokens = 0
    fuels: Names = ()
    builds: tuple[Build, ...] = ()
    drop: Names = ()


@dataclass(frozen=True)
class Haul:
    """4.4.8: A move of transport points with their loads."""

    points: Names
    path: Hexes = ()
    steps: tuple[HaulStep, ...] = ()
    reserve: bool | None = None
    carpet: Names = ()
    release: bool = False


@dataclass(frozen=True)
class Rail:
    """4.4.9: Units, points and T that go by rail, hex by hex."""

    path: Hexes
    units: Names = ()
    points: Names = ()
    tokens: Tokens = 0
    origin: LocationId | None = None


@dataclass(frozen=True)
class Ship:
    """4.4.10: Units, points and T that go from port to port."""

    to: LocationId
    origin: LocationId
    units: Names = ()
    points: Names = ()
    tokens: Tokens = 0


@dataclass(frozen=True)
class Naval:
    """4.12.1: A move of ships that sail together."""

    ships: Names
    path: Hexes


@dataclass(frozen=True)
class Mission:
    """4.11: A flight of aircraft to a hex, then back to bases (each to its own by default)."""

    kind: Literal["sweep", "barrage", "hip_shoot", "trainbusting", "transport", "drop", "transfer"]
    aircraft: Names
    hex: LocationId
    target: Literal["units", "air_base", "port", "ship"] = "units"
    ship: Name | None = None
    units: Names = ()
    tokens: Tokens = 0
    facing: Face = "move"
    stay: bool = False
    bases: dict[str, LocationId] | None = None


@dataclass(frozen=True)
class Fire:
    """4.10: Fire at a hex by artillery or ships."""

    units: Names
    hex: LocationId
    target: Literal["units", "air_base", "port", "ship"] = "units"
    ship: Name | None = None
    dumps: Hexes = ()
    hq: Name | None = None


@dataclass(frozen=True)
class Attack:
    """4.9.1: An attack on an adjacent hex. Supply is paid for the units in the order listed.

    `advance`: the units that go in. `detach`: the divisions among them that leave a step behind (4.4.15).
    """

    hex: LocationId
    units: Names
    ar: Name | None = None
    dumps: Hexes = ()
    drop_if_short: Names = ()
    advance: Names | Literal["all", "none"] = "none"
    along: Names = ()
    detach: Names = ()


@dataclass(frozen=True)
class Blow:
    """4.4.11: T to blow up in one of your hexes."""

    hex: LocationId
    tokens: Tokens


@dataclass(frozen=True)
class Release:
    """4.6: Units that leave Reserve."""

    units: Names


@dataclass(frozen=True)
class Detach:
    """4.4.15: A division that leaves a step behind as a Breakdown (`unit`: the one from the pool)."""

    parent: Name
    unit: Name | None = None


@dataclass(frozen=True)
class Combine:
    """4.3.5: Two reduced aircraft of one model, status and hex that become a full one, in any phase."""

    aircraft: tuple[Name, Name]


@dataclass(frozen=True)
class Regroup:
    """4.4.8: Points of one type in one hex that become counters of these sizes."""

    points: Names
    into: tuple[Annotated[int, Range(1, 99)], ...]


@dataclass(frozen=True)
class Extend:
    """4.4.11: An Extender to form of five points in `hex`, to revert to points, or to collapse."""

    form: Names = ()
    hex: LocationId | None = None
    revert: Name | None = None
    collapse: Name | None = None
    to: LocationId | None = None


@dataclass(frozen=True)
class Embark:
    """4.12.7: Units, points and T that Landing Craft load in port or in a box."""

    craft: Names
    units: Names = ()
    points: Names = ()
    tokens: Tokens = 0


@dataclass(frozen=True)
class Land:
    """4.12.7: A landing of units on a coast beside the craft, or of points and T in a port."""

    craft: Names
    hex: LocationId
    units: Names = ()
    points: Names = ()
    tokens: Tokens = 0
    facing: Face | None = None


@dataclass(frozen=True)
class Assault:
    """4.12.7: An attack by units aboard on a coast beside their craft."""

    craft: Names
    hex: LocationId
    units: Names
    ar: Name | None = None
    drop_if_short: Names = ()


StopIf = Literal["overrun_failed", "mission_aborted", "loss_taken", "path_blocked"]


@dataclass(frozen=True)
class Action:
    """One action: exactly one member besides `if`. `stop_if`: results after which the rest is returned."""

    if_: Conditions | None = None
    move: Move | None = None
    stand: Stand | None = None
    fuel: Fuel | None = None
    haul: Haul | None = None
    rail: Rail | None = None
    ship_cargo: Ship | None = None
    naval: Naval | None = None
    air: Mission | None = None
    fire: Fire | None = None
    attack: Attack | None = None
    build: Build | None = None
    blow: Blow | None = None
    release: Release | None = None
    breakdown: Detach | None = None
    combine: Combine | None = None
    regroup: Regroup | None = None
    extender: Extend | None = None
    embark: Embark | None = None
    land: Land | None = None
    assault: Assault | None = None
    stop_if: tuple[StopIf, ...] = ()

    @cached_property
    def kinds(self) -> list[str]:
        """Return the names of the members that are given."""
        return [name for name in KINDS if getattr(self, name) is not None]

    @cached_property
    def all_named(self) -> frozenset[str]:
        """Return the ids of all counters that the action names."""
        orders = [getattr(self, kind) for kind in self.kinds]
        lists = ("units", "points", "ships", "aircraft", "craft")
        return frozenset(id for order in orders for field in lists for id in getattr(order, field, ()))

    @property
    def order(self) -> Any:
        """Return the order in the action."""
        return getattr(self, self.kinds[0])


KINDS = (
    "move", "stand", "fuel", "haul", "rail", "ship_cargo", "naval", "air", "fire", "attack", "build", "blow",
    "release", "breakdown", "combine", "regroup", "extender", "embark", "land", "assault",
)  # fmt: skip


@dataclass(frozen=True)
class Batch:
    """Actions in order.

    `finish: false` asks again after the last one. `on_illegal: skip` leaves out an action that is no longer
    possible and goes on. `top`: in a game with fog, the unit on top of the stack in a hex (7.1).
    """

    actions: tuple[Action, ...] = ()
    on_illegal: Literal["stop", "skip"] = "stop"
    finish: bool = True
    top: dict[LocationId, Name] | None = None


def counters_named(actions: Iterable[Action]) -> frozenset[str]:
    """R-106: Return the ids of all counters that these actions name."""
    return frozenset().union(*(action.all_named for action in actions))
