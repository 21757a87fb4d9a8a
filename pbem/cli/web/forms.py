"""Forms made from JSON Schemas: a schema becomes fields, and filled fields become a value again.

Whatever a field cannot say is said in a text field in the words of an order file, so that every schema has a
form. The names of fields are paths: `f.rules.0.when.role`. What is left empty is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from pbem.text.dataclass import dataclass

Schema = Mapping[str, Any]
Kind = Literal["group", "rows", "pairs", "choice", "number", "text", "words", "yaml"]
MORE = 2
"""Empty rows beside those that are filled."""


class _Empty:
    """The value of empty fields."""


EMPTY = _Empty()


@dataclass(frozen=True)
class Field:
    """A field of a form, or a group of fields.

    `value` is its content, `help` the schema's text.
    """

    kind: Kind
    name: str
    label: str
    help: str = ""
    value: str = ""
    choices: tuple[str, ...] = ()
    parts: tuple[Field, ...] = ()
    bounds: tuple[Any, Any] = field(default=(None, None))


def fields(schema: Schema, name: str, label: str, value: Any = EMPTY) -> Field:
    """Return the form of a schema, with a value in it."""
    from pbem.text.flow import flow

    kind, help_ = kind_of(schema, value), str(schema.get("description", ""))
    if kind == "group":
        given = value if isinstance(value, dict) else {}
        parts = tuple(
            fields(
                part, f"{name}.{key}", _label(key, key in schema.get("required", ())), given.get(key, EMPTY)
            )
            for key, part in schema["properties"].items()
        )
        return Field(kind, name, label, help_, parts=parts)
    if kind == "rows":
        listed = value if isinstance(value, list) else []
        rows = [*listed, *[EMPTY] * MORE]
        parts = tuple(fields(schema["items"], f"{name}.{n}", str(n + 1), row) for n, row in enumerate(rows))
        return Field(kind, name, label, help_, parts=parts)
    if kind == "pairs":
        known = list(value.items()) if isinstance(value, dict) else []
        pairs = [*known, *[("", EMPTY)] * MORE]
        parts = tuple(
            Field(
                "group",
                f"{name}.{n}",
                str(n + 1),
                parts=(
                    Field("text", f"{name}.{n}.key", "for", value=key),
                    fields(schema["additionalProperties"], f"{name}.{n}.value", "", item),
                ),
            )
            for n, (key, item) in enumerate(pairs)
        )
        return Field(kind, name, label, help_, parts=parts)
    shown = "" if value is EMPTY or value is None else value if isinstance(value, str) else flow(value)
    if kind == "words" and isinstance(value, list):
        shown = ", ".join(map(str, value))
    choices = tuple(_choice(choice) for choice in schema.get("enum", ()) if choice is not None)
    if "boolean" in _types(schema):
        choices = ("yes", "no")
        shown = {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else ""
    bounds = (schema.get("minimum"), schema.get("maximum"))
    return Field(kind, name, label, help_, shown, choices, bounds=bounds)


def kind_of(schema: Schema, value: Any = EMPTY) -> Kind:
    """Return the kind of field for a schema."""
    types = _types(schema)
    if "enum" in schema or types == {"boolean"}:
        return "choice"
    if "properties" in schema and not isinstance(value, list):
        return "group"
    items = schema.get("items")
    if (
        types == {"array"}
        and isinstance(items, Mapping)
        and items.get("properties")
        and _types(items) == {"object"}
    ):
        return "rows"
    if types == {"object"} and isinstance(schema.get("additionalProperties"), Mapping):
        return "pairs"
    if types == {"integer"}:
        return "number"
    if types == {"string"}:
        return "text"
    plain = isinstance(items, Mapping) and _types(items) <= {"string", "integer"}
    if "array" in types and types <= {"array", "string"} and (plain or items is None):
        return "words"
    return "yaml"


def value_of(schema: Schema, name: str, filled: Mapping[str, str]) -> Any:
    """Return the filled value; EMPTY without one.

    What is no value of this schema is left to the checker.
    """
    kind = kind_of(schema)
    text = filled.get(name, "").strip()
    if kind == "group":
        if text:  # a value that this form has no fields for
            return _loaded(text)
        values = {key: value_of(part, f"{name}.{key}", filled) for key, part in schema["properties"].items()}
        values = {key: value for key, value in values.items() if value is not EMPTY}
        return values or EMPTY
    if kind == "rows":
        rows = [value_of(schema["items"], f"{name}.{n}", filled) for n in range(_count(name, filled))]
        return [row for row in rows if row is not EMPTY] or EMPTY
    if kind == "pairs":
        pairs = [
            (
                filled.get(f"{name}.{n}.key", "").strip(),
                value_of(schema["additionalProperties"], f"{name}.{n}.value", filled),
            )
            for n in range(_count(name, filled))
        ]
        return {key: value for key, value in pairs if key and value is not EMPTY} or EMPTY
    if not text:
        return EMPTY
    if kind == "choice":
        if "boolean" in _types(schema):
            return text == "yes"
        return next((choice for choice in schema["enum"] if _choice(choice) == text), text)
    if kind == "number":
        return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
    if kind == "text":
        return text
    if kind == "words":
        items = schema.get("items") or {}
        between = (
            r"[\s,]+" if {"pattern", "enum"} & set(items) or _types(items) == {"integer"} else r"\s*,\s*"
        )
        words = [word for word in re.split(between, text) if word]
        if (
            "string" in _types(schema)
            and len(words) == 1
            and re.search(schema.get("pattern", "$^"), words[0])
        ):
            return words[0]
        number = _types(items) == {"integer"}
        return [int(word) if number and word.isdigit() else word for word in words]
    return _loaded(text)


def _types(schema: Schema) -> set[str]:
    types = schema.get("type", ())
    return {types} if isinstance(types, str) else set(types) - {"null"}


def _choice(value: Any) -> str:
    from pbem.text.flow import flow

    return value if isinstance(value, str) else flow(value)


def _label(key: str, needed: bool) -> str:
    return key.replace("_", " ") + (" *" if needed else "")


def _count(name: str, filled: Mapping[str, str]) -> int:
    """Return how many rows were sent."""
    matches = [re.match(rf"{re.escape(name)}\.([0-9]{{1,3}})(\.|$)", field) for field in filled]
    return max((int(match[1]) + 1 for match in matches if match), default=0)


def _loaded(text: str) -> Any:
    from pbem.text.diagnostics import Refused
    from pbem.text.yaml import load

    try:
        return load(text, "form").data
    except Refused:
        return text
