"""The parts of typed views of a position: fields that read and write JSON, and live mappings."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

from pbem.board.position import Fields
from pbem.model.codec import faults_in, from_json, to_json
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

Convert = Callable[[Any], Any]
NOTHING: Any = object()


class Slotted(type):
    """A base of views without attributes of their own: to write a misspelt field is an error."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Slotted:
        namespace.setdefault("__slots__", ())
        return super().__new__(mcs, name, bases, namespace)


def make_fields(cls: type, make: type[Field]) -> None:
    """Make annotated names of the class fields."""
    taken = {name for base in cls.__bases__ for name in dir(base) if not _is_field(base, name)}
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if "ClassVar" in str(kind):
            continue
        if name in taken or name.startswith("_"):
            raise TypeError(
                f"{cls.__name__}.{name}: views use this name themselves, give the field another one"
            )
        setattr(cls, name, make(cls, name, vars(cls).get(name, NOTHING)))


def _is_field(cls: type, name: str) -> bool:
    return isinstance(inspect.getattr_static(cls, name, None), Field)


class Field:
    """One field of a class of views. Its type is looked up when the field is first used."""

    __slots__ = ("default", "key", "name", "owner", "read", "write")

    def __init__(self, owner: type, name: str, default: Any) -> None:
        self.owner, self.name, self.key, self.default = owner, name, name.rstrip("_"), default
        self.read: Convert | None = self._first_read
        self.write: Convert | None = self._first_write

    @property
    def kind(self) -> Any:
        """Return the type of the field."""
        return _hints(self.owner)[self.name]

    def _first_read(self, value: Any) -> Any:
        self.read = reader(self.kind)
        return value if self.read is None else self.read(value)

    def _first_write(self, value: Any) -> Any:
        self.write = None if _is_scalar(self.kind) else to_json
        return value if self.write is None else self.write(value)

    def missing(self, what: str, there: Iterable[str]) -> AttributeError:
        """Return the error for a field that has no value and no default."""
        near = did_you_mean(self.key, list(there))
        hint = (
            Message("text.suggest.did-you-mean-bare", near=repr(near))
            if near
            else f"it has {', '.join(sorted(there)) or 'nothing'}"
        )
        return AttributeError(f"{what} has no {self.key!r} ({self.owner.__name__}): {hint}")


@functools.cache
def listed_fields(cls: type) -> dict[str, Field]:
    """Return the fields of a class of views, those of its bases first."""
    fields: dict[str, Field] = {}
    for base in reversed(cls.__mro__):
        fields |= {name: value for name, value in vars(base).items() if isinstance(value, Field)}
    return fields


def field_faults(cls: type, data: Fields, path: DataPath) -> list[Diagnostic]:
    listed = {field.key: field for field in listed_fields(cls).values()}
    faults = [
        Diagnostic("missing-key", Message("model.codec.missing-key", key=key), path=path)
        for key, field in listed.items()
        if field.default is NOTHING and key not in data
    ]
    for key, value in data.items():
        if key not in listed:
            near = did_you_mean(key, list(listed))
            help = (Message("text.suggest.did-you-mean", near=near),) if near else ()
            faults.append(
                Diagnostic(
                    "unknown-key", Message("model.fields.unknown-key", key=key), path=(*path, key), help=help
                )
            )
        else:
            for fault in faults_in(listed[key].kind, value):
                faults.append(Diagnostic(fault.code, fault.message, path=(*path, key, *fault.path)))
    return faults


class Live(dict[str, Any]):
    """A mapping of a track whose values are made from JSON, or that is not there yet: changes are kept."""

    __slots__ = ("_attach", "_raw", "_read")

    def __init__(self, member: Any, raw: dict[str, Json], attach: Callable[[], None] | None = None) -> None:
        read = value_maker(member)
        self._read: Convert = (lambda value: value) if read is None else read
        self._raw, self._attach = raw, attach
        super().__init__({key: self._read(value) for key, value in raw.items()})

    def _touched(self) -> dict[str, Json]:
        if self._attach is not None:
            self._attach()
            self._attach = None
        return self._raw

    def __setitem__(self, key: str, value: Any) -> None:
        written = to_json(value)
        self._touched()[key] = written
        super().__setitem__(key, self._read(written))

    def __delitem__(self, key: str) -> None:
        super().__delitem__(key)
        del self._touched()[key]

    def __ior__(self, other: Any) -> Self:  # type: ignore[override, misc]
        self.update(other)
        return self

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *args: Any, **named: Any) -> None:
        for key, value in dict(*args, **named).items():
            self[key] = value

    def pop(self, key: str, *default: Any) -> Any:
        if key in self:
            del self._touched()[key]
        return super().pop(key, *default)

    def clear(self) -> None:
        super().clear()
        self._touched().clear()

    def popitem(self) -> Any:
        raise TypeError("take entries out by name: which of them is the last is no rule")


# types


@functools.cache
def _hints(owner: type) -> dict[str, Any]:
    return typing.get_type_hints(owner, include_extras=True)


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _is_scalar(kind: Any) -> bool:
    kind = _bare(kind)
    if get_origin(kind) in (Union, types.UnionType):
        return all(_is_scalar(member) for member in get_args(kind))
    return get_origin(kind) is Literal or kind in (str, int, bool, type(None))


def is_plain(kind: Any) -> bool:
    """Return True if a value of this type is the same in JSON."""
    kind = _bare(kind)
    if get_origin(kind) in (Union, types.UnionType):
        return all(is_plain(member) for member in get_args(kind))
    return _is_scalar(kind) or kind is Any or (get_origin(kind) is dict and is_plain(get_args(kind)[1]))


def member_type(kind: Any) -> Any:
    """Return the type of the values of a mapping."""
    return get_args(_bare(kind))[1]


def plain_dict(value: Mapping[str, Any]) -> dict[str, Json]:
    return {key: to_json(item) for key, item in value.items()}


def reader(kind: Any) -> Convert | None:
    """Return how a value of this type is made from its JSON, or None if JSON needs no change."""
    bare = _bare(kind)
    if _is_scalar(bare):
        return None
    if get_origin(bare) is tuple and get_args(bare)[1:] == (Ellipsis,) and _is_scalar(get_args(bare)[0]):
        return tuple
    return lambda value: from_json(kind, value)


@functools.cache
def value_maker(kind: Any) -> Convert | None:
    """Return how a track's value is made, or None.

    Unlike `reader`, mappings are live, at any depth.
    """
    if is_plain(kind):
        return None
    if get_origin(_bare(kind)) is dict:
        return lambda value: Live(member_type(kind), value)
    return reader(kind)
