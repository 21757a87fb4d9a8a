"""Charts of a system as typed data: rows of a mapping read into frozen dataclasses, with all faults.

    @dataclass(frozen=True)
    class UnitType:
        code: str
        name: str
        move: int
        flags: tuple[str, ...] = ()

    types = records(UnitType, system.data("tables/units.yaml")["types"], id="code")

Types of fields are those of answers and events (`model.codec`). Keys that begin with x- are notes. Rule of
thumb: what a chart prints is a field; what follows from it is a property of the dataclass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pbem.kit.faults import under
from pbem.model.codec import describe, from_json
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message

T = TypeVar("T")


def record(type: type[T], data: Mapping[str, Any], path: DataPath = ()) -> T:
    """Return one row.

    Raises `Refused` with every fault; `path` leads to the row.
    """
    try:
        read = from_json(type, {key: value for key, value in data.items() if not key.startswith("x-")})
    except Refused as refused:
        raise Refused(under(refused.diagnostics, *path)) from None
    assert isinstance(read, type)
    return read


def records(
    type: type[T], data: Mapping[str, Any], path: DataPath = (), *, id: str | None = None
) -> dict[str, T]:
    """Return the rows of a mapping, by key; the field `id` of each, if named, is its key."""
    rows: dict[str, T] = {}
    faults: list[Diagnostic] = []
    for key, row in data.items():
        if key.startswith("x-"):
            continue
        if not isinstance(row, Mapping):
            faults.append(
                Diagnostic(
                    "wrong-type", Message("kit.records.wrong-type", row=describe(row)), path=(*path, key)
                )
            )
            continue
        try:
            rows[key] = record(type, row if id is None else {id: key, **row}, (*path, key))
        except Refused as refused:
            faults += refused.diagnostics
    if faults:
        raise Refused(faults)
    return rows
