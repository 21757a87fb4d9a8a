"""The conversion between JSON and the frozen dataclasses of answers, events and questions.

One description (the type) serves three uses: reading an answer with every fault and its path, writing it in
one form only (a field that equals its default is left out), and the JSON Schema that editors complete with.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass, is_dataclass_type
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

T = TypeVar("T")
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Range:
    """Bounds of an integer, both included."""

    least: int
    most: int


@dataclass(frozen=True)
class Pattern:
    """The pattern of a string, and the words for it: `Pattern("[0-9]{4}", "a hex number such as 0305")`."""

    regex: str
    words: str


@dataclass(frozen=True)
class Means:
    """The meaning of a value for reports (`model/meaning.py`): a player, a place, a unit, a loss.

    Reading and writing JSON ignores it. `how` is its part in what happened.
    """

    what: str
    how: str = ""


_LOCATION = "[A-Za-z0-9][A-Za-z0-9_.,]{0,49}"
ON_MAP = "on the map"  # the mark of what `model/located.py` checks against the map
LocationId = Annotated[
    str, Pattern(_LOCATION, 'a location of the map, such as "0305"'), Means("place"), ON_MAP
]
_TWO = "[0-9]{2}[.,]?[0-9]{2,3}|[0-9]{3}[.,]?[0-9]{2,3}|[0-9]{1,3}[.,][0-9]{1,3}"
_LETTERS = "[A-Z]{1,8}[.,]?[0-9]{1,3}|[0-9]{1,3}[.,]?[A-Z]{1,8}|[A-Z]{1,8}[.,][A-Z]{1,8}"
_HEX = f"[A-Za-z]{{0,8}}(?:{_TWO}|{_LETTERS})"
HexNumber = Annotated[str, Pattern(_HEX, 'a hex number such as "0305"'), Means("place")]
Name = Annotated[str, Pattern("[A-Za-z0-9_./:-]{1,100}", "a name of letters, digits and _ . / : -")]


_PLAIN = frozenset((str, int, bool, type(None)))


def to_json(value: Any) -> Json:
    """Return the JSON of a value made of the types above, without fields that equal their default."""
    if value.__class__ in _PLAIN:
        return typing.cast(Json, value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        custom = getattr(value, "as_json", None)
        if custom is not None:
            return typing.cast(Json, custom())
        return {
            key: to_json(member)
            for key, field in _members(value.__class__)
            if not _is_default(field, member := getattr(value, field.name))
        }
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    raise TypeError(Message("model.codec.no-json-form-here", name=type(value).__name__))


@functools.cache
def _members(cls: type) -> tuple[tuple[str, dataclasses.Field[Any]], ...]:
    """Return the fields of a class by their names in JSON."""
    return tuple((field.name.rstrip("_"), field) for field in dataclasses.fields(cls))


def _is_default(field: dataclasses.Field[Any], value: object) -> bool:
    if field.default is not dataclasses.MISSING:
        return bool(value == field.default)
    if field.default_factory is not dataclasses.MISSING:
        return bool(value == field.default_factory())
    return False


def from_json(kind: Any, data: Json) -> Any:
    """Return the typed value of `data`.

    Raises Refused with every fault, each with its path.
    """
    faults: list[Diagnostic] = []
    value = _read(kind, data, (), faults)
    if faults:
        raise Refused(faults)
    return value


def faults_in(kind: Any, data: Json) -> list[Diagnostic]:
    """Return every reason why `data` is not a value of this type, or []."""
    faults: list[Diagnostic] = []
    _read(kind, data, (), faults)
    return faults


@functools.cache
def _fields(cls: type) -> dict[str, tuple[dataclasses.Field[Any], Any]]:
    """Return field name in JSON -> (field, type).

    A trailing underscore makes Python's keywords usable as names.
    """
    hints = typing.get_type_hints(cls, include_extras=True)
    return {field.name.rstrip("_"): (field, hints[field.name]) for field in dataclasses.fields(cls)}


def _wrong(path: Path, data: object, wanted: str) -> Diagnostic:
    return Diagnostic(
        "wrong-type", Message("model.codec.wrong-type", data=describe(data), wanted=wanted), path=path
    )


def describe(data: object) -> str:
    """Return a short name of a piece of foreign data that is safe to print."""
    match data:
        case None:
            return "nothing"
        case bool():
            return "true" if data else "false"
        case int():
            return str(data) if abs(data) < 10**18 else "a huge number"
        case str():
            shown = data if len(data) <= 40 else data[:37] + "..."
            return "'" + "".join(c if c.isprintable() else "?" for c in shown) + "'"
        case list():
            return f"a list of {len(data)}"
        case dict():
            return "a mapping"
    return "something else"


def _read(kind: Any, data: Json, path: Path, faults: list[Diagnostic]) -> Any:
    if (kind is str or kind is int or kind is bool) and data.__class__ is kind:
        return data
    form, args = _form(kind)
    if form is Annotated:
        return _read_annotated(args, data, path, faults)
    if form is Literal:
        return _read_literal(args, data, path, faults)
    if form is Union:
        return _read_optional(args, data, path, faults)
    if form is tuple:
        return _read_tuple(args, data, path, faults)
    if form is dict:
        return _read_dict(args[1], data, path, faults)
    if form is dataclasses.dataclass:
        return _read_dataclass(kind, data, path, faults)
    if kind is bool:
        if not isinstance(data, bool):
            faults.append(_wrong(path, data, Message("text.schema-faults.true-or-false")))
        return data
    if kind is int:
        if isinstance(data, bool) or not isinstance(data, int):
            faults.append(_wrong(path, data, "a whole number"))
        return data
    if kind is str:
        if not isinstance(data, str):
            faults.append(_wrong(path, data, "text"))
        return data
    if kind is Fraction:
        return _read_fraction(data, path, faults)
    if kind is type(None):
        if data is not None:
            faults.append(_wrong(path, data, "nothing"))
        return None
    if kind is Any:
        return data
    raise TypeError(Message("model.codec.no-place-in-answer", kind=repr(kind)))


@functools.cache
def _form(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the origin of a type and its arguments."""
    origin = get_origin(kind)
    if origin is None:
        return (dataclasses.dataclass if is_dataclass_type(kind) else None), ()
    return (Union if origin is types.UnionType else origin), get_args(kind)


FRACTION = "-?(0|[1-9][0-9]{0,8})/[1-9][0-9]{0,8}"


def _read_fraction(data: Json, path: Path, faults: list[Diagnostic]) -> Fraction:
    """Return a whole number, or text such as 1/2 in lowest terms: one form for each number."""
    if isinstance(data, int) and not isinstance(data, bool):
        return Fraction(data)
    if isinstance(data, str) and re.fullmatch(FRACTION, data):
        fraction = Fraction(data)
        if str(fraction) == data and fraction.denominator != 1:
            return fraction
        faults.append(_wrong(path, data, f"{to_json(fraction)}"))
        return fraction
    faults.append(_wrong(path, data, Message("model.codec.whole-number-fraction-such-1")))
    return Fraction(0)


def _read_annotated(args: tuple[Any, ...], data: Json, path: Path, faults: list[Diagnostic]) -> Any:
    base, *marks = args
    before = len(faults)
    value = _read(base, data, path, faults)
    if len(faults) > before:
        return value
    for mark in marks:
        if isinstance(mark, Range) and not mark.least <= value <= mark.most:
            wanted = Message("model.codec.whole-number", least=mark.least, most=mark.most)
            faults.append(
                Diagnostic(
                    "out-of-range",
                    Message("model.codec.wrong-type", data=describe(data), wanted=wanted),
                    path=path,
                )
            )
        if isinstance(mark, Pattern) and not re.fullmatch(mark.regex, value):
            faults.append(
                Diagnostic(
                    "bad-pattern",
                    Message("model.codec.wrong-type", data=describe(data), wanted=mark.words),
                    path=path,
                )
            )
    return value


def _read_literal(allowed: tuple[Any, ...], data: Json, path: Path, faults: list[Diagnostic]) -> Any:
    if any(data == item and type(data) is type(item) for item in allowed):
        return data
    words = ", ".join(str(item) for item in allowed)
    near = did_you_mean(data, [str(item) for item in allowed]) if isinstance(data, str) else None
    message = Message("model.codec.not-one-of", data=describe(data), words=words)
    faults.append(Diagnostic("not-one-of", message, path=path, help=_near(near)))
    return data


def _near(word: str | None) -> tuple[str, ...]:
    return (Message("text.suggest.did-you-mean", near=word),) if word else ()


def _read_optional(args: tuple[Any, ...], data: Json, path: Path, faults: list[Diagnostic]) -> Any:
    members = [member for member in args if member is not type(None)]
    if data is None and len(members) < len(args):
        return None
    if len(members) == 1:
        return _read(members[0], data, path, faults)
    for member in members:
        if not faults_in(member, data):
            return _read(member, data, path, faults)
    alike = [member for member in members if _shape(member) is type(data)]
    if len(alike) == 1 and isinstance(
        data, list | dict
    ):  # report the fault inside, not the failed alternative
        return _read(alike[0], data, path, faults)
    faults.append(_wrong(path, data, " or ".join(_words(member) for member in members)))
    return data


def _shape(kind: Any) -> type | None:
    """Return the JSON type of a list or a mapping."""
    form, _ = _form(kind)
    return {dict: dict, dataclasses.dataclass: dict, tuple: list}.get(form)


def _words(kind: Any) -> str:
    if get_origin(kind) is Annotated:
        for mark in get_args(kind)[1:]:
            if isinstance(mark, Pattern):
                return mark.words
            if isinstance(mark, Range):
                return Message("model.codec.whole-number", least=mark.least, most=mark.most)
        return _words(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return " or ".join(str(item) for item in get_args(kind))
    if _shape(kind) is dict:
        return "a mapping"
    return {
        Fraction: Message("model.codec.number-such-1-2"),
        int: "a whole number",
        str: "text",
        bool: Message("text.schema-faults.true-or-false"),
    }.get(kind, "a list")


def _read_tuple(args: tuple[Any, ...], data: Json, path: Path, faults: list[Diagnostic]) -> Any:
    if not isinstance(data, list | tuple):
        faults.append(_wrong(path, data, "a list"))
        return ()
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_read(args[0], item, (*path, i), faults) for i, item in enumerate(data))
    if len(data) != len(args):
        faults.append(_wrong(path, data, f"a list of {len(args)}"))
        return ()
    pairs = zip(args, data, strict=True)
    return tuple(_read(arg, item, (*path, i), faults) for i, (arg, item) in enumerate(pairs))


def _read_dict(kind: Any, data: Json, path: Path, faults: list[Diagnostic]) -> Any:
    if not isinstance(data, dict):
        faults.append(_wrong(path, data, "a mapping"))
        return {}
    return {key: _read(kind, item, (*path, key), faults) for key, item in data.items()}


def _read_dataclass(cls: type, data: Json, path: Path, faults: list[Diagnostic]) -> Any:
    if not isinstance(data, dict):
        faults.append(_wrong(path, data, "a mapping with " + ", ".join(_fields(cls))))
        return None
    fields = _fields(cls)
    before = len(faults)
    for key in data:
        if key not in fields:
            near = did_you_mean(key, list(fields))
            message = Message("model.codec.unknown-key", key=describe(key), fields=tuple(fields))
            faults.append(Diagnostic("unknown-key", message, path=(*path, key), help=_near(near)))
    values: dict[str, Any] = {}
    for key, (field, kind) in fields.items():
        if key in data:
            values[field.name] = _read(kind, data[key], (*path, key), faults)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            faults.append(Diagnostic("missing-key", Message("model.codec.missing-key", key=key), path=path))
    return cls(**values) if len(faults) == before else None


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a type, which editors use to complete an answer."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _schema_annotated(kind)
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin in (Union, types.UnionType):
        return _schema_union(get_args(kind))
    if origin is tuple:
        args = get_args(kind)
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": schema_of(args[0])}
        return {
            "type": "array",
            "prefixItems": [schema_of(a) for a in args],
            "items": False,
            "minItems": len(args),
        }
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(get_args(kind)[1])}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _schema_dataclass(kind)
    if kind is Fraction:
        return {"type": ["integer", "string"], "pattern": f"^(?:{FRACTION})$"}
    simple = {bool: "boolean", int: "integer", str: "string", type(None): "null"}
    return {"type": simple[kind]} if kind in simple else {}


def _schema_annotated(kind: Any) -> dict[str, Any]:
    base, *marks = get_args(kind)
    schema = schema_of(base)
    for mark in marks:
        if isinstance(mark, Range):
            schema |= {"minimum": mark.least, "maximum": mark.most}
        if isinstance(mark, Pattern):
            schema |= {"pattern": f"^(?:{mark.regex})$", "description": mark.words}
    return schema


def _schema_union(members: tuple[Any, ...]) -> dict[str, Any]:
    """Return a union as one enum where the values can be listed, else as a list of types.

    `anyOf` gives poor messages and is not needed: each keyword speaks of one type only.
    """
    parts = [schema_of(member) for member in members]
    if all("enum" in part or part == {"type": "null"} for part in parts):
        return {"enum": [value for part in parts for value in part.get("enum", [None])]}
    merged: dict[str, Any] = {"type": []}
    patterns: list[str] = []
    for part in parts:
        for value in part.get("enum", ()):
            patterns.append(re.escape(value))  # a word beside another type
        types_ = ["string"] if "enum" in part else part["type"]
        merged["type"] += types_ if isinstance(types_, list) else [types_]
        if "pattern" in part:
            patterns.append(part["pattern"].removeprefix("^(?:").removesuffix(")$"))
        merged |= {key: value for key, value in part.items() if key not in ("type", "enum", "pattern")}
    if patterns and not any(part == {"type": "string"} for part in parts):
        merged["pattern"] = f"^(?:{'|'.join(patterns)})$"
    merged["type"] = list(dict.fromkeys(merged["type"]))
    return merged


def _schema_dataclass(cls: type) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for key, (field, kind) in _fields(cls).items():
        properties[key] = schema_of(kind)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(key)
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    doc = (cls.__doc__ or "").strip()
    if doc and not doc.startswith(cls.__name__ + "("):
        schema["description"] = " ".join(doc.split())
    return schema
