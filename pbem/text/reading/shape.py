"""The parts of a JSON Schema that apply to values of data not yet known to be valid.

Needed twice: to type unquoted YAML by the schema, and to say which keys would have been known. Follows local
`$ref`, `properties`, `patternProperties`, `additionalProperties`, `items`, `prefixItems`, `allOf`, `anyOf`,
`oneOf`, `if`/`then`/`else` and `dependentSchemas`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from pbem.text.reading.scalars import BadScalar, Plain, free

#: A schema: an object, or true or false. What is not understood says nothing.
Schema: TypeAlias = Any

_ANNOTATIONS = frozenset(
    ("title", "description", "$comment", "default", "examples", "$defs", "$schema", "$id", "deprecated")
)


class Shape:
    """The answers to questions about data described by a schema.

    `root` is the target of its local references.
    """

    def __init__(self, root: Schema) -> None:
        self.root = root

    def types(self, schema: Schema, value: Any) -> frozenset[str] | None:
        """Return the JSON types allowed for the value, or None if the schema does not limit them."""
        allowed: frozenset[str] | None = None
        for part in self.parts(schema, value):
            for types in (_own_types(part), *self._types_of_choices(part, value)):
                if types is not None:
                    allowed = types if allowed is None else allowed & types
        return allowed

    def at_key(self, schema: Schema, value: Any, key: str) -> Schema:
        """Return the schema of the value under this key of a mapping."""
        schemas: list[Schema] = []
        for part in self.parts(schema, value):
            schemas += _under_key(part, key)
            for choices in _choices(part):
                under = [self.at_key(choice, value, key) for choice in self._open(choices, value)]
                schemas += [{"anyOf": under}] if under else []
        return _all_of(schemas)

    def at_index(self, schema: Schema, value: Any, index: int) -> Schema:
        """Return the schema of this entry of a list."""
        schemas: list[Schema] = []
        for part in self.parts(schema, value):
            prefix = part.get("prefixItems", ())
            if index < len(prefix):
                schemas.append(prefix[index])
            elif "items" in part:
                schemas.append(part["items"])
            for choices in _choices(part):
                under = [self.at_index(choice, value, index) for choice in self._open(choices, value)]
                schemas += [{"anyOf": under}] if under else []
        return _all_of(schemas)

    def parts(self, schema: Schema, value: Any, every: bool = False) -> Iterator[Mapping[str, Any]]:
        """Yield all schemas that must hold for the value: itself, its references, the branches taken.

        With `every` all branches of conditions and choices, whatever the value.
        """
        yield from self._parts(schema, value, every, frozenset())

    def _parts(
        self, schema: Schema, value: Any, every: bool, seen: frozenset[str]
    ) -> Iterator[Mapping[str, Any]]:
        if not isinstance(schema, Mapping):
            return
        yield schema
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            yield from self._parts(self.resolve(reference), value, every, seen | {reference})
        for part in schema.get("allOf", ()):
            yield from self._parts(part, value, every, seen)
        if "if" in schema:
            then, other = schema.get("then", True), schema.get("else", True)
            holds = None if every else self.holds(schema["if"], value)
            if every:
                yield from self._parts(then, value, every, seen)
                yield from self._parts(other, value, every, seen)
            elif holds is None:
                yield {"anyOf": [then, other]}
            else:
                yield from self._parts(then if holds else other, value, every, seen)
        for key, part in schema.get("dependentSchemas", {}).items():
            if every or (isinstance(value, dict) and key in value):
                yield from self._parts(part, value, every, seen)
        if every:
            for part in (choice for choices in _choices(schema) for choice in choices):
                yield from self._parts(part, value, every, seen)

    def known_keys(self, schema: Schema, value: Any) -> tuple[list[str], list[str]]:
        """Return names and patterns of the known keys of this mapping, in the schema's order."""
        names, patterns = self._keys(self.parts(schema, value))
        if self._undecided(schema, value):
            names, patterns = self._keys(self.parts(schema, value, every=True))
        return names, patterns

    def _keys(self, parts: Iterator[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
        names: dict[str, None] = {}
        patterns: dict[str, None] = {}
        for part in parts:
            names.update(dict.fromkeys(part.get("properties", ())))
            patterns.update(dict.fromkeys(part.get("patternProperties", ())))
        return list(names), list(patterns)

    def _undecided(self, schema: Schema, value: Any) -> bool:
        """Return True if the branch is unknown.

        There are choices, or the conditions need what is missing or wrong.
        """
        parts = list(self.parts(schema, value))
        conditions = [part["if"] for part in parts if "if" in part]
        if any(True for part in parts for _ in _choices(part)):
            return True
        if not conditions or any(self.holds(condition, value) for condition in conditions):
            return False
        asked = [
            key
            for condition in conditions
            if isinstance(condition, Mapping)
            for key in condition.get("properties", ())
        ]
        return any(
            key not in value or self.holds(self.at_key(schema, value, key), value[key]) is False
            for key in asked
        )

    def resolve(self, reference: str) -> Schema:
        """Return the schema of a local reference (`#/$defs/...`), or True (no limits) if there is none."""
        if not reference.startswith("#"):
            return True
        here = self.root
        for step in reference[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(here, Mapping) and step in here:
                here = here[step]
            elif isinstance(here, list) and step.isdecimal() and int(step) < len(here):
                here = here[int(step)]
            else:
                return True
        return here

    def holds(self, schema: Schema, value: Any, seen: frozenset[str] = frozenset()) -> bool | None:
        """Return whether the value fits the schema; None if that needs full validation."""
        if not isinstance(schema, Mapping):
            return bool(schema)
        verdicts = [self._holds(word, rule, value, seen) for word, rule in schema.items()]
        return _and(verdicts)

    def _holds(self, word: str, rule: Any, value: Any, seen: frozenset[str]) -> bool | None:
        match word:
            case "const":
                return _same(value, rule)
            case "enum":
                return any(_same(value, allowed) for allowed in rule)
            case "type":
                return _fits(value, _names(rule))
            case "required":
                return not isinstance(value, dict) or all(key in value for key in rule)
            case "properties":
                if not isinstance(value, dict):
                    return True
                return _and([self.holds(part, value[key]) for key, part in rule.items() if key in value])
            case "allOf":
                return _and([self.holds(part, value, seen) for part in rule])
            case "anyOf":
                return _or([self.holds(part, value, seen) for part in rule])
            case "not":
                verdict = self.holds(rule, value, seen)
                return None if verdict is None else not verdict
            case "$ref" if rule not in seen:
                return self.holds(self.resolve(rule), value, seen | {rule})
        return True if word in _ANNOTATIONS else None

    def _open(self, choices: list[Schema], value: Any) -> list[Schema]:
        """Return the choices that the value leaves; an unquoted text, which may be misspelt, leaves all."""
        if isinstance(value, Plain):
            return choices
        return [choice for choice in choices if self.holds(choice, value) is not False]

    def _types_of_choices(self, part: Mapping[str, Any], value: Any) -> Iterator[frozenset[str] | None]:
        for choices in _choices(part):
            choice_types = [self.types(choice, value) for choice in self._open(choices, value)]
            known = [types for types in choice_types if types is not None]
            yield frozenset().union(*known) if known and len(known) == len(choice_types) else None


def _choices(part: Mapping[str, Any]) -> Iterator[list[Schema]]:
    for word in ("anyOf", "oneOf"):
        if isinstance(part.get(word), list):
            yield part[word]


def _under_key(part: Mapping[str, Any], key: str) -> list[Schema]:
    schemas = [part["properties"][key]] if key in part.get("properties", ()) else []
    schemas += [
        schema for pattern, schema in part.get("patternProperties", {}).items() if re.search(pattern, key)
    ]
    for word in ("additionalProperties", "unevaluatedProperties"):
        if not schemas and isinstance(part.get(word), Mapping):
            schemas.append(part[word])
    return schemas


def _all_of(schemas: list[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"allOf": schemas}


def _names(named: Any) -> list[str]:
    return [named] if isinstance(named, str) else list(named)


def _own_types(part: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the types that one schema itself allows.

    There are no fractions, so a number is an integer.
    """
    if "type" in part:
        return frozenset("integer" if name == "number" else name for name in _names(part["type"]))
    if "const" in part:
        return frozenset((type_of(part["const"]),))
    if "enum" in part:
        return frozenset(type_of(value) for value in part["enum"])
    return None


def type_of(value: Any) -> str:
    """Return the JSON Schema name of a plain value's type."""
    if isinstance(value, bool):
        return "boolean"
    for kind, name in ((str, "string"), (int, "integer"), (dict, "object"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null"


def _fits(value: Any, names: list[str]) -> bool | None:
    if isinstance(value, Plain):
        return None if {"string", "integer", "number", "boolean", "null"} & set(names) else False
    own = type_of(value)
    return own in names or (own == "integer" and "number" in names)


def _same(value: Any, wanted: Any) -> bool:
    """Return True if a value is the wanted one; an unquoted text may be so as text or as its meaning."""
    if isinstance(value, Plain):
        if isinstance(wanted, str):
            return str(value) == wanted
        try:
            value = free(value)
        except BadScalar:
            return False
    return type_of(value) == type_of(wanted) and bool(value == wanted)


def _and(verdicts: list[bool | None]) -> bool | None:
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _or(verdicts: list[bool | None]) -> bool | None:
    if True in verdicts:
        return True
    return None if None in verdicts else False
