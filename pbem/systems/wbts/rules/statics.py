"""2.2, 2.3: Constants: kinds of hexsides, settlements, forts, groups of unit types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pbem.rules import dataclass

Data = Mapping[str, Any]
Barrier = Literal["none", "river", "tidal_river", "mountain", "blocked"]
Crossing = Literal["none", "bridge", "ferry", "pass"]

SIDES = ("north", "south")
UNKNOWN = "?"
COMBAT = ("infantry", "militia", "cavalry", "garrison")
ZONE = ("infantry", "militia", "cavalry")
LOGISTIC = ("supply_train", "siege_train", "depot", "naval_base")
STATIC = ("depot", "naval_base")
TRAINS = ("supply_train", "siege_train")
CARRIERS = ("depot", "supply_train", "army")
BARRIERS: tuple[Barrier, ...] = ("mountain", "tidal_river", "blocked", "river")
CROSSINGS: tuple[Crossing, ...] = ("bridge", "ferry", "pass")


@dataclass(frozen=True)
class Week:
    """2.5: A game turn in the year. `week` is that of the month."""

    gt: int
    month: int
    week: int


@dataclass(frozen=True)
class Settlement:
    """A village, town or city.

    `supply_city` is the side whose chain of supply it can begin. `none` is no side.
    """

    hex: str
    name: str
    kind: str
    owner: str = "none"
    supply_city: str = "none"


@dataclass(frozen=True)
class Fort:
    """A fort or a fortress, and its owner at the start."""

    hex: str
    kind: Literal["fort", "fortress"]
    owner: str
    name: str = ""
