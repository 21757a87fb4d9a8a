"""2.2 to 2.8: Printed values of a counter, a country, a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from pbem.kit.faults import bad_data
from pbem.rules import Diagnostic, Message, Refused, dataclass

GROUND = (
    "infantry",
    "garrison",
    "cavalry",
    "mountain",
    "airborne",
    "helicopter",
    "marine",
    "armor",
    "mech",
    "cav_mech",
    "hq",
    "fortress",
)
ARMOR = ("armor", "mech", "cav_mech")
INFANTRY = ("infantry", "garrison", "cavalry", "mountain", "airborne", "helicopter", "marine")
AIRBORNE = ("airborne", "helicopter")
AIR = ("air_force", "bomber", "interceptor")
FLEETS = ("cv_fleet", "surface_fleet", "sub_fleet")
SUPPORT = AIR + FLEETS
STRATEGIC = "strategic"
MARKERS = ("blitz", "convoy", "logistics", "partisan_base", STRATEGIC)
FIXED = ("fortress", "garrison")
NOBODY = "nobody"
FIRST_DIE, LAST_DIE = 1, 6


@dataclass(frozen=True)
class Face:
    """A face of a ground unit: attack, defence, movement allowance."""

    attack: int
    defence: int
    movement: int


@dataclass(frozen=True)
class Print:
    """The printed figures of a counter."""

    id: str
    owner: str
    country: str
    type: str
    faces: Mapping[int, Face] = field(default_factory=dict)
    traits: tuple[str, ...] = ()
    quality: str = "normal"
    exp: bool = False
    res: bool = False
    pip: str = "dot"
    delay: bool = False
    airdrop_side: bool = False
    detachment_side: bool = False
    by_card: bool = False
    range: int = 0
    beachhead: int = 0
    limited: bool = False

    @property
    def ground(self) -> bool:
        return self.type in GROUND

    @property
    def armor_type(self) -> bool:
        return self.type in ARMOR

    @property
    def infantry_type(self) -> bool:
        return self.type in INFANTRY


Kind = Literal["major", "minor", "dependent"]
Status = Literal["active", "neutral", "conquered"]
Posture = Literal["war", "policy", "truce"]


@dataclass(frozen=True)
class Placed:
    """4.15.3: A unit of a neutral country, and its hex on activation."""

    unit: str
    hex: str


@dataclass(frozen=True)
class Country:
    """2.8: A country as a scenario describes it."""

    id: str
    kind: Kind
    alignment: str | None = None
    status: Status = "active"
    conqueror: str | None = None
    parent: str | None = None
    home_cities: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    responds_to: str | None = None
    setup: tuple[Placed, ...] = ()
    may_declare: dict[str, Any] = field(default_factory=dict)
    name: str = ""

    @property
    def title(self) -> str:
        """Return the country's name for sentences, from its id if it has none."""
        return self.name or self.id.replace("_", " ").title()


@dataclass(frozen=True)
class Due:
    """4.4: Replacement steps of a country: infantry, armor or any."""

    country: str
    kind: str
    n: int

    def as_json(self) -> list[str | int]:
        return [self.country, self.kind, self.n]


FACES = "f"
KEYS = ("c", "t", FACES, "traits", "quality", "exp", "res", "pip", "delay", "airdrop_side", "detachment_side")
MORE = ("by_card", "range", "beachhead")


def read_print(id: str, owner: str, row: Mapping[str, Any], country: str = "") -> Print:
    """Read a counter of the order of battle.

    Raises `Refused` with every fault.
    """
    faults = []
    for key in row:
        if key not in (*KEYS, *MORE):
            message = Message("totaler-krieg.printed.unknown-key", id=id, key=key)
            faults.append(bad_data("unknown-key", message, key, name=key, names=(*KEYS, *MORE)))
    kind = str(row.get("t", ""))
    known = (*GROUND, *SUPPORT, *MARKERS)
    if kind not in known:
        message = Message("totaler-krieg.printed.unknown-type", id=id, kind=kind)
        faults.append(bad_data("unknown-type", message, "t", name=kind, names=known))
    faces: dict[int, Face] = {}
    for steps, numbers in row.get(FACES, {}).items():
        if (
            not str(steps).isdigit()
            or not isinstance(numbers, list)
            or len(numbers) != len(Face.__annotations__)
        ):
            wanted = Message("totaler-krieg.printed.steps-and-attack")
            message = Message(
                "totaler-krieg.printed.wrong-type", id=id, steps=steps, numbers=str(numbers), wanted=wanted
            )
            faults.append(bad_data("wrong-type", message, FACES, str(steps)))
        else:
            faces[int(steps)] = Face(*numbers)
    if kind in GROUND and not faces:
        faults.append(bad_data("missing-key", Message("totaler-krieg.printed.missing-key", id=id), FACES))
    if faults:
        raise Refused(faults)
    beach = row.get("beachhead", {})
    return Print(
        id,
        owner,
        row.get("c", country),
        kind,
        faces,
        tuple(row.get("traits", ())),
        row.get("quality", "normal"),
        bool(row.get("exp", False)),
        bool(row.get("res", False)),
        row.get("pip", "dot"),
        bool(row.get("delay", False)) or kind in SUPPORT,
        bool(row.get("airdrop_side", False)),
        bool(row.get("detachment_side", False)),
        bool(row.get("by_card", False)),
        int(row.get("range", 0)),
        int(beach.get("strength", 0)),
        bool(beach.get("limited_stacking", False)),
    )


def print_faults(id: str, printed: Print, countries: Mapping[str, Any]) -> list[Diagnostic]:
    """Return the fault of a country that the scenario lacks."""
    if printed.country in countries:
        return []
    message = Message("totaler-krieg.printed.unknown-country", id=id, country=printed.country)
    return [bad_data("unknown-country", message, "c", name=printed.country, names=countries)]
