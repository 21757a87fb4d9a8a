"""Values printed on both sides of units, aircraft and ships (2.3, 2.5, 2.6), which never change."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pbem.kit.faults import bad_data, refuse
from pbem.kit.records import record
from pbem.rules import Message, dataclass

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """One side of a unit. Strength None is a number in parentheses: it only defends."""

    strength: int | None
    ma: int
    mobility: str
    barrage: int | None = None
    throw: int | None = None


@dataclass(frozen=True)
class UnitType:
    """A combat unit as printed. `re`: its full size. `steps`: the losses it takes."""

    name: str
    size: str
    kind: str
    category: str
    ar: int
    combat: Side
    move: Side
    re: Fraction
    steps: int = 1
    flags: tuple[str, ...] = ()
    nation: str = ""
    range: int = 0
    throw_mobility: str = "truck"

    def side(self, facing: str) -> Side:
        """Return the side that shows."""
        return self.combat if facing == "combat" else self.move

    @property
    def multi_step(self) -> bool:
        return self.steps > 1


@dataclass(frozen=True)
class Wing:
    """One side of an aircraft: rating, True if that is in parentheses, barrage."""

    rating: int
    paren: bool
    barrage: int


@dataclass(frozen=True)
class PlaneType:
    types: tuple[str, ...]
    full: Wing
    reduced: Wing
    range: int
    capacity: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    nation: str = ""
    torpedo: bool = False


@dataclass(frozen=True)
class Hull:
    """One side of a ship."""

    barrage: int
    range: int
    flak: int
    protection: int


@dataclass(frozen=True)
class ShipType:
    full: Hull
    reduced: Hull
    single: bool = True
    slow: bool = False
    carrier: bool = False


def _side(data: list[Any] | None, n: int, row: Data) -> dict[str, Any]:
    assert data is not None
    fields: dict[str, Any] = {"strength": data[0], "ma": data[1], "mobility": data[2]}
    for key in ("barrage", "throw"):
        if row.get(key) is not None:
            fields[key] = row[key][n]
    return fields


def unit_type(row: Data, side: str, sizes: Data, path: tuple[str | int, ...] = ()) -> UnitType:
    """Return a unit type of a scenario's list; `c` and `m` are [strength, movement allowance, mobility]."""
    size = row["size"]
    if size not in sizes:
        message = Message("ocs.set-up.unknown-size", name=row["name"], size=size)
        refuse([bad_data("unknown-size", message, *path, "size", name=size, names=sizes)])
    known = ("name", "size", "kind", "category", "ar", "steps", "flags", "range", "throw_mobility")
    data = {
        **{key: row[key] for key in known if key in row},
        "re": row.get("re", sizes[size]),
        "combat": _side(row.get("c", row["m"]), 0, row),
        "move": _side(row["m"], 1, row),
        "nation": row.get("nation", side),
    }
    return record(UnitType, data, path)


def _wing(data: Any) -> Any:
    return {"rating": data[0], "paren": data[1], "barrage": data[2]} if isinstance(data, list) else data


def plane_type(row: Data, side: str, path: tuple[str | int, ...] = ()) -> PlaneType:
    """Return an aircraft type; `full` and `reduced` are [rating, in parentheses, barrage]."""
    data = {key: row[key] for key in ("types", "range", "torpedo") if key in row}
    data |= {"full": _wing(row["full"]), "reduced": _wing(row["reduced"]), "nation": row.get("nation", side)}
    made = record(PlaneType, data, path)
    if "capacity" not in row:
        return made
    full, reduced = (Fraction(value) for value in row["capacity"])
    return PlaneType(
        made.types, made.full, made.reduced, made.range, (full, reduced), made.nation, made.torpedo
    )


def ship_type(row: Data, path: tuple[str | int, ...] = ()) -> ShipType:
    """Return a ship type of a scenario's list."""
    data = {key: row[key] for key in ("full", "reduced", "single", "slow", "carrier") if key in row}
    return record(ShipType, data, path)
