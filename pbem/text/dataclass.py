"""`dataclass` as the standard library has it, with methods that are made when they are first used.

The decorator of the standard library compiles six functions for each class while a module is imported. A
command imports some hundred classes and uses a part of their methods: a third of its time went there
(docs/decisions/0032-dataclasses-made-late.md). Here a class gets its fields at once, and `__init__`, `__eq__`
and `__hash__` at their first use; `__repr__` and the frozen `__setattr__` are one function for all.

`fields`, `replace`, `asdict` and `is_dataclass` work as ever, classes of both decorators may inherit from
each other, and to a type checker both are the same. What is rarely used (slots, order, `ClassVar`,
`InitVar`, `KW_ONLY`, annotations that are no strings) the standard library does.
"""

from __future__ import annotations

import dataclasses
from abc import update_abstractmethods
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any


@dataclasses.dataclass
class _Open:
    field: int


@dataclasses.dataclass(frozen=True)
class _Frozen:
    field: int


# the mark of a usual field, and what a class says of its own decorator
_A_FIELD: Any = getattr(dataclasses.fields(_Open)[0], "_field_type")  # noqa: B009
_PARAMS: dict[bool, Any] = {kind is _Frozen: vars(kind)["__dataclass_params__"] for kind in (_Open, _Frozen)}


class _Late:
    """A method that is made when somebody first asks for it, and stands in the class from then on."""

    def __init__(self, owner: type, name: str, make: Callable[[type], Any]) -> None:
        self.owner, self.name, self.make = owner, name, make

    def __get__(self, instance: object, kind: type | None = None) -> Any:
        made = self.make(self.owner)
        made.__qualname__ = f"{self.owner.__qualname__}.{self.name}"
        made.__module__ = self.owner.__module__
        setattr(self.owner, self.name, made)
        return made.__get__(instance, kind)


def made_late(cls: type | None = None, /, *, frozen: bool = False, **rare: Any) -> Any:
    """A dataclass; the arguments are those of the standard library."""
    if cls is None:
        return lambda one: made_late(one, frozen=frozen, **rare)
    if rare or any(map(_rare, cls.__annotations__.values())):
        return dataclasses.dataclass(cls, frozen=frozen, **rare)
    known = _fields(cls, frozen)
    own = vars(cls)
    hashed = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
    setattr(cls, "__dataclass_fields__", known)  # noqa: B010
    setattr(cls, "__dataclass_params__", _PARAMS[frozen])  # noqa: B010
    given = {
        "__match_args__": tuple(f.name for f in known.values() if f.init and not f.kw_only),
        "__init__": _Late(cls, "__init__", _init),
        "__repr__": _repr,
        "__eq__": _Late(cls, "__eq__", _eq),
    }
    for name, value in given.items():
        if name not in own:
            setattr(cls, name, value)
    if not hashed:
        setattr(cls, "__hash__", _Late(cls, "__hash__", _hash) if frozen else None)  # noqa: B010
    if frozen:
        _freeze(cls)
    return update_abstractmethods(cls)


def _freeze(cls: type) -> None:
    for name, refusal in (("__setattr__", _no_setting), ("__delattr__", _no_deleting)):
        if name in vars(cls):
            raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}")
        setattr(cls, name, refusal)


def _rare(said: object) -> bool:
    """Whether an annotation may say more than the type of a field."""
    return not isinstance(said, str) or "ClassVar" in said or "InitVar" in said or "KW_ONLY" in said


def _fields(cls: type, frozen: bool) -> dict[str, Field[Any]]:
    """The fields of a class, those of its bases first."""
    known = _inherited(cls, frozen)
    for name, said in cls.__annotations__.items():
        known[name] = _field(cls, name, said)
    for name, value in vars(cls).items():
        if isinstance(value, Field) and name not in cls.__annotations__:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    late = False
    for field in known.values():
        if field.init and not field.kw_only:
            if late and not _has_default(field):
                raise TypeError(f"non-default argument {field.name!r} follows default argument")
            late = late or _has_default(field)
    return known


def _inherited(cls: type, frozen: bool) -> dict[str, Field[Any]]:
    """The fields of the bases, those of the nearest last. All of a family are frozen, or none is."""
    known: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields = getattr(base, "__dataclass_fields__", None)
        if fields is None:
            continue
        known |= fields
        if vars(base).get("__dataclass_params__", _PARAMS[frozen]).frozen != frozen:
            one, other = ("frozen", "non-frozen") if frozen else ("non-frozen", "frozen")
            raise TypeError(f"cannot inherit {one} dataclass from a {other} one")
    return known


def _field(cls: type, name: str, said: str) -> Field[Any]:
    """The field of an annotation, with the default that the class has under its name."""
    default = vars(cls).get(name, MISSING)
    found: Any = default if isinstance(default, Field) else dataclasses.field(default=default)
    found.name, found.type, found._field_type = name, said, _A_FIELD
    if found.kw_only is MISSING:
        found.kw_only = False
    if found.default is not MISSING and type(found.default).__hash__ is None:
        raise ValueError(f"mutable default of field {name!r}: use default_factory")
    if isinstance(default, Field):
        if found.default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, found.default)
    return found  # type: ignore[no-any-return]


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


# methods


def _made(name: str, arguments: str, lines: list[str], known: dict[str, Any]) -> Any:
    """A function of these lines."""
    text = f"def {name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines)
    exec(text, known)  # as the standard library does; names of fields are all that comes from outside
    return known[name]


def _init(cls: type) -> Any:
    """`__init__` of a class: sets every field in order, then calls `__post_init__`."""
    fields: list[Any] = [*vars(cls)["__dataclass_fields__"].values()]
    frozen = vars(cls)["__dataclass_params__"].frozen
    known: dict[str, Any] = {"_set": object.__setattr__, "_none": MISSING}
    usual, named, lines, said = list[str](), list[str](), list[str](), dict[str, Any]()
    for field in fields:
        if field._field_type is not _A_FIELD:  # of a base that the standard library made
            continue
        value = name = field.name
        if field.default_factory is not MISSING:
            known[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}() if {name} is _none else {name}" if field.init else f"_make_{name}()"
        elif not field.init:
            continue  # its default stands in the class
        if field.init:
            argument = name
            if field.default is not MISSING:
                known[f"_default_{name}"] = field.default
                argument = f"{name}=_default_{name}"
            elif field.default_factory is not MISSING:
                argument = f"{name}=_none"
            (named if field.kw_only else usual).append(argument)
            said[name] = field.type
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    arguments = ", ".join(["self", *usual, *(["*", *named] if named else ())])
    made = _made("__init__", arguments, lines or ["pass"], known)
    made.__annotations__ = {**said, "return": None}
    return made


def _compared(cls: type, who: str, hashed: bool) -> str:
    """The values that make objects equal, as a tuple."""
    fields = dataclasses.fields(cls)
    names = [f.name for f in fields if (f.compare if not hashed or f.hash is None else f.hash)]
    return "(" + "".join(f"{who}.{name}, " for name in names) + ")"


def _eq(cls: type) -> Any:
    ours, theirs = _compared(cls, "self", False), _compared(cls, "other", False)
    lines = [
        "if other.__class__ is self.__class__:",
        f"    return {ours} == {theirs}",
        "return NotImplemented",
    ]
    return _made("__eq__", "self, other", lines, {})


def _hash(cls: type) -> Any:
    return _made("__hash__", "self", [f"return hash({_compared(cls, 'self', True)})"], {})


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def _held(self: Any, name: str) -> bool:
    """Whether a frozen object keeps this attribute: a field, or anything of a dataclass."""
    return name in self.__dataclass_fields__ or "__dataclass_fields__" in vars(type(self))


def _no_setting(self: Any, name: str, value: object) -> None:
    if _held(self, name):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _no_deleting(self: Any, name: str) -> None:
    if _held(self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = made_late
