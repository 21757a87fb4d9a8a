"""The parts of a faction's orders: what its answers are made of (section 6)."""

from __future__ import annotations

from typing import Annotated, Literal

from pbem.rules import LocationId, Name, Range, dataclass

Path = tuple[LocationId, ...]
Facing = Annotated[int, Range(1, 6)]
Choice = Literal["retreat", "loss"]


@dataclass(frozen=True)
class Logistics:
    """D-03 A logistics marker is placed or moved, or removed where `hex` is null."""

    marker: Name
    hex: LocationId | None = None


@dataclass(frozen=True)
class Partisan:
    """D-04 A partisan base is placed, or removed where `hex` is null."""

    marker: Name
    hex: LocationId | None = None


@dataclass(frozen=True)
class Replacement:
    """D-05 A replacement step puts a counter of the Force Pool into a hex."""

    counter: Name
    hex: LocationId
    kind: Literal["infantry", "armor", "any"] | None = None


@dataclass(frozen=True)
class Placement:
    """D-07 A support unit or a convoy is placed: a hex, or a box of a naval zone."""

    counter: Name
    at: LocationId
    facing: Facing | None = None
    side: Literal["supply", "troop"] | None = None


@dataclass(frozen=True)
class BlitzMarker:
    """D-09 A Blitz marker is placed."""

    marker: Name
    hex: LocationId


@dataclass(frozen=True)
class Combine:
    """D-10 Units become one of the sum of their steps."""

    units: tuple[Name, ...]
    into: Name


@dataclass(frozen=True)
class Convert:
    """D-10 One-step infantry and a fortress or garrison change places."""

    unit: Name
    into: Name


@dataclass(frozen=True)
class Eliminate:
    """D-10 Steps are given up. `instead`: who stands in where a step needs another counter (4.25)."""

    unit: Name
    steps: Annotated[int, Range(1, 9)] = 1
    instead: tuple[Name, ...] = ()


@dataclass(frozen=True)
class Breakdown:
    """D-10 A multi-step unit becomes several: counter -> steps."""

    unit: Name
    into: dict[str, Annotated[int, Range(1, 9)]]


@dataclass(frozen=True)
class Detach:
    """D-10 A unit is flipped to its Detachment marker; a marker goes to the Force Pool."""

    unit: Name


@dataclass(frozen=True)
class Guard:
    """4.28 When an item is carried out; else it is skipped, or all stops and the question comes again."""

    if_empty: LocationId | None = None
    if_result: dict[str, tuple[str, ...]] | None = None
    if_lost_le: int | None = None
    else_: Literal["skip", "stop"] = "skip"


@dataclass(frozen=True)
class Move:
    """D-11 A unit moves: hex by hex, from port to port by troop convoys, or by a transfer to or from an
    off-map box."""

    unit: Name
    path: Path
    by: Literal["hex", "port", "box"] = "hex"
    guard: Guard | None = None


@dataclass(frozen=True)
class Airdrop:
    """D-13 An airborne unit becomes an Airdrop marker in a hex."""

    unit: Name
    hex: LocationId


@dataclass(frozen=True)
class Going:
    """D-19 A unit advances (one hex) or exploits (more)."""

    unit: Name
    path: Path


@dataclass(frozen=True)
class Attack:
    """D-12 One attack. `advance` null: as the rules' default says; empty: nobody."""

    id: Name
    target: LocationId
    units: tuple[Name, ...]
    hq: Name | None = None
    on_ad: Choice | None = None
    on_ex: Choice | None = None
    losses: tuple[Name, ...] = ()
    advance: tuple[Going, ...] | None = None
    exploit: tuple[Going, ...] = ()
    guard: Guard | None = None


@dataclass(frozen=True)
class Landing:
    """D-21 What an Airdrop marker lands: a one-step infantry of the Force Pool, or nobody."""

    marker: Name
    infantry: Name | None = None


@dataclass(frozen=True)
class Diplomacy:
    """D-22 A war is declared on a country; a truce is offered to a faction, or accepted."""

    declare: Name | None = None
    offer: Name | None = None
    turns: Annotated[int, Range(1, 99)] | None = None
    accept: Name | None = None
