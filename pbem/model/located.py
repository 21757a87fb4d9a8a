"""The check that the locations in an answer are on the map, as `LocationId` promises.

It comes before the rules read the answer, so that they may hand any of its ids to the map.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal, Protocol, Union, get_args, get_origin

from pbem.model.codec import ON_MAP
from pbem.text.dataclass import is_dataclass_type
from pbem.text.diagnostics import DataPath, Diagnostic, Refused

_PLAIN = (str, int, bool, Fraction, type(None))


class Places(Protocol):
    """The part of a map that is needed here."""

    def __contains__(self, id: object, /) -> bool: ...

    def index(self, id: object, /) -> int:
        """Return the index of a location.

        Raises `Refused` for an unknown id.
        """


def strays(kind: Any, value: Any, chart: Places, path: DataPath = ()) -> Iterator[Diagnostic]:
    """Yield faults of `LocationId` values that are not on the map, with their paths."""
    if get_origin(kind) in (Union, types.UnionType):
        yield from strays(_member(kind, value), value, chart, path)
    elif get_origin(kind) is Annotated:
        if ON_MAP in get_args(kind)[1:] and isinstance(value, str):
            yield from _stray(value, chart, path)
        else:
            yield from strays(get_args(kind)[0], value, chart, path)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for name, field in _located(type(value)):
            if getattr(value, name) is None:
                continue
            yield from strays(field, getattr(value, name), chart, (*path, name.rstrip("_")))
    elif isinstance(value, tuple | list):
        args = get_args(kind)
        for n, item in enumerate(value):
            one_type = len(args) != len(value) or Ellipsis in args
            of = type(item) if not args else args[0] if one_type else args[n]
            yield from strays(of, item, chart, (*path, n))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strays(get_args(kind)[0], key, chart, (*path, key)) if get_args(kind) else ()
            yield from strays(get_args(kind)[1], item, chart, (*path, key)) if get_args(kind) else ()


def _member(kind: Any, value: Any) -> Any:
    """Return the member of a union that fits a value, as far as it matters here."""
    origin = Annotated if isinstance(value, str) else dict if isinstance(value, dict) else tuple
    members = get_args(kind)
    if any(get_origin(member) is Literal and value in get_args(member) for member in members):
        return str
    return next((member for member in members if get_origin(member) is origin), type(value))


def _stray(id: str, chart: Places, path: DataPath) -> Iterator[Diagnostic]:
    if id not in chart:
        try:
            chart.index(id)
        except Refused as refused:
            yield from (dataclasses.replace(fault, path=path) for fault in refused.diagnostics)


@functools.cache
def _located(cls: type) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a dataclass that may hold a location, with their types."""
    hints = typing.get_type_hints(cls, include_extras=True)
    every = ((field.name, hints[field.name]) for field in dataclasses.fields(cls))
    return tuple((name, kind) for name, kind in every if _may_hold(kind, frozenset({cls})))


def _may_hold(kind: Any, within: frozenset[type]) -> bool:
    """Return True if a value of a type may hold a location.

    A type nested in itself adds nothing.
    """
    if get_origin(kind) is Annotated:
        return ON_MAP in get_args(kind)[1:] or _may_hold(get_args(kind)[0], within)
    if get_origin(kind) is Literal or kind in _PLAIN:
        return False
    if is_dataclass_type(kind):
        if kind in within:
            return False
        hints = typing.get_type_hints(kind, include_extras=True)
        return any(_may_hold(hint, within | {kind}) for hint in hints.values())
    args = [part_type for part_type in get_args(kind) if part_type is not Ellipsis]
    return not args or any(_may_hold(part_type, within) for part_type in args)
