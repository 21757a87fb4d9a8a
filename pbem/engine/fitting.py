"""A quick answer to whether data fits a schema made of a shape: yes, or no without a reason.

Only the keywords that `shapes.py` writes are known. For reasons use `text/schema.py`, which takes
many times as long: thousands of counters that are sound should cost next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.engine.scenarios.shapes import Schema

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
    "array": list,
    "object": dict,
}


def fits(value: Any, schema: Schema) -> bool:
    """Return True if a value fits a schema of `shapes.schema_of`."""
    return _fits(value, schema, schema.get("$defs", {}))


def _fits(value: Any, schema: Schema, named: Mapping[str, Schema]) -> bool:
    if "$ref" in schema:
        return _fits(value, named[schema["$ref"].removeprefix("#/$defs/")], named)
    if "enum" in schema:
        return any(value == allowed and type(value) is type(allowed) for allowed in schema["enum"])
    kinds = schema.get("type")
    if kinds is not None:
        listed = kinds if isinstance(kinds, list) else [kinds]
        if not any(_is(value, kind) for kind in listed):
            return False
    if isinstance(value, str):
        return _text_fits(value, schema)
    if isinstance(value, int) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if isinstance(value, list):
        return _list_fits(value, schema, named)
    return not isinstance(value, dict) or _object_fits(value, schema, named)


def _is(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES[kind])


def _text_fits(value: str, schema: Schema) -> bool:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        return False
    return "pattern" not in schema or re.search(schema["pattern"], value) is not None


def _list_fits(value: list[Any], schema: Schema, named: Mapping[str, Schema]) -> bool:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    prefixes = schema.get("prefixItems")
    if prefixes is not None:
        return all(_fits(item, kind, named) for item, kind in zip(value, prefixes, strict=False))
    return "items" not in schema or all(_fits(item, schema["items"], named) for item in value)


def _object_fits(value: dict[str, Any], schema: Schema, named: Mapping[str, Schema]) -> bool:
    if len(value) > schema.get("maxProperties", len(value)):
        return False
    known = dict(schema.get("properties", {}))
    required = list(schema.get("required", ()))
    for choice in schema.get("allOf", ()):
        if _object_fits(value, choice["if"], named):
            known |= choice["then"].get("properties", {})
            required += choice["then"].get("required", ())
    if any(key not in value for key in required):
        return False
    names, patterns = schema.get("propertyNames"), schema.get("patternProperties", {})
    extra = schema.get("additionalProperties", schema.get("unevaluatedProperties", True))
    for key, inner in value.items():
        if names is not None and not _fits(key, names, named):
            return False
        kind: Any = known.get(key)
        if kind is None:
            kind = next((shape for pattern, shape in patterns.items() if re.search(pattern, key)), extra)
        if kind is False or (kind is not True and not _fits_kind(inner, kind, named)):
            return False
    return True


def _fits_kind(value: Any, kind: Schema, named: Mapping[str, Schema]) -> bool:
    if "const" in kind:
        return bool(value == kind["const"] and type(value) is type(kind["const"]))
    return _fits(value, kind, named)
