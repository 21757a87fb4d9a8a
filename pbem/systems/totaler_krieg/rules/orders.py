"""The parts of a faction's orders (section 6)."""

from __future__ import annotations

from typing import Annotated, Literal

from pbem.rules import LocationId, Name, Range, dataclass

Path = tuple[LocationId, ...]
Facing = Annotated[int, Range(1, 6)]
Choice = Literal["retreat", "loss"]


@dataclass(frozen=True)
class Logistics:
    """D-03: A logistics marker that is placed or moved, or removed if `hex` is null."""

    marker: Name
    hex: LocationId | None = None


@dataclass(frozen=True)
class Partisan:
    """D-04: A partisan base that is placed, or removed if `hex` is null."""

    marker: Name
    hex: LocationId | None = None


@dataclass(frozen=True)
class Replacement:
    """D-05: A replacement step that puts a counter of the Force Pool into a hex."""

    counter: Name
    hex: LocationId
    kind: Literal["infantry", "armor", "any"] | None = None


@dataclass(frozen=True)
class Placement:
    """D-07: A support unit or convoy that is placed in a hex or a box of a naval zone."""

    counter: Name
    at: LocationId
    facing: Facing | None = None
    side: Literal["supply", "troop"] | None = None


@dataclass(frozen=True)
class BlitzMarker:
    """D-09: A Blitz marker that is placed."""

    marker: Name
    hex: LocationId


@dataclass(frozen=True)
class Combine:
    """D-10: Units that become one with the sum of their steps."""

    units: tuple[Name, ...]
    into: Name


@dataclass(frozen=True)
class Convert:
    """D-10: A one-step infantry and a fortress or garrison that change places."""

    unit: Name
    into: Name


@dataclass(frozen=True)
class Eliminate:
    """D-10: Steps that are given up.

    `instead` names the counters that stand in when a step needs another counter (4.25).
    """

    unit: Name
    steps: Annotated[int, Range(1, 9)] = 1
    instead: tuple[Name, ...] = ()


@dataclass(frozen=True)
class Breakdown:
    """D-10: A multi-step unit that becomes several counters with these steps."""

    unit: Name
    into: dict[str, Annotated[int, Range(1, 9)]]


@dataclass(frozen=True)
class Detach:
    """D-10: A unit that becomes its Detachment marker, or a marker for the Force Pool."""

    unit: Name


@dataclass(frozen=True)
class Guard:
    """4.28: The condition of a part of an order.

    If it fails, the part is skipped, or all stops and the question is asked again.
    """

    if_empty: LocationId | None = None
    if_result: dict[str, tuple[str, ...]] | None = None
    if_lost_le: int | None = None
    else_: Literal["skip", "stop"] = "skip"


@dataclass(frozen=True)
class Move:
    """D-11: A unit's move by hex, from port to port by troop convoys, or to or from an off-map box."""

    unit: Name
    path: Path
    by: Literal["hex", "port", "box"] = "hex"
    guard: Guard | None = None


@dataclass(frozen=True)
class Airdrop:
    """D-13: An airborne unit that becomes an Airdrop marker in a hex."""

    unit: Name
    hex: LocationId


@dataclass(frozen=True)
class Going:
    """D-19: A unit that advances (one hex) or exploits (more)."""

    unit: Name
    path: Path


@dataclass(frozen=True)
class Attack:
    """D-12: One attack. A null `advance` means the default of the rules, an empty one no advance."""

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
    """D-21: An Airdrop marker that lands a one-step infantry of the Force Pool, or none."""

    marker: Name
    infantry: Name | None = None


@dataclass(frozen=True)
class Diplomacy:
    """D-22: A declaration of war on a country, or an offer or acceptance of a truce with a faction."""

    declare: Name | None = None
    offer: Name | None = None
    turns: Annotated[int, Range(1, 99)] | None = None
    accept: Name | None = None
