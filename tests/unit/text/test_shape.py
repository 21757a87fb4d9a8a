"""What a schema says of data that is still being written."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.text.reading.scalars import Plain
from pbem.text.reading.shape import Shape

ROOT: dict[str, Any] = {
    "$defs": {"hex": {"type": "string"}, "a/b~c": {"type": "integer"}, "loop": {"$ref": "#/$defs/loop"}},
    "list": [{"type": "null"}, {"const": 7}],
}
SHAPE = Shape(ROOT)


@pytest.mark.parametrize(
    ("reference", "schema"),
    [
        ("#/$defs/hex", {"type": "string"}),
        ("#/$defs/a~1b~0c", {"type": "integer"}),
        ("#/list/0", {"type": "null"}),
        ("#/list/1", {"const": 7}),
        ("#/list/1/const", 7),
        ("#/list/2", True),
        ("#/list/x", True),
        ("#/$defs/none", True),
        ("#/$defs/hex/type/0", True),
        ("#/list/1/const/0", True),
        ("#/$defs/hex/type/more", True),
        ("#", ROOT),
        ("other.json#/$defs/hex", True),
    ],
)
def test_a_reference_leads_to_its_schema_or_to_one_that_allows_all(reference: str, schema: Any) -> None:
    assert SHAPE.resolve(reference) == schema


@pytest.mark.parametrize(
    ("schema", "value", "holds"),
    [
        (True, 1, True),
        (False, 1, False),
        ({}, 1, True),
        ({"const": 1}, 1, True),
        ({"const": 1}, True, False),
        ({"const": 1}, Plain("1"), True),
        ({"const": "1"}, Plain("1"), True),
        ({"const": True}, Plain("1"), False),
        ({"const": 1}, Plain("01"), False),
        ({"enum": ["a", None]}, None, True),
        ({"enum": ["a", None]}, "b", False),
        ({"type": "string"}, "a", True),
        ({"type": ["array", "null"]}, None, True),
        ({"type": "number"}, 1, True),
        ({"type": "number"}, True, False),
        ({"type": "object"}, Plain("a"), False),
        ({"type": ["object", "integer"]}, Plain("a"), None),
        ({"required": ["a"]}, {"a": 1}, True),
        ({"required": ["a", "b"]}, {"a": 1}, False),
        ({"required": ["a"]}, [], True),
        ({"properties": {"a": {"const": 1}, "b": False}}, {"a": 1}, True),
        ({"properties": {"a": {"const": 1}}}, {"a": 2}, False),
        ({"properties": {"a": False}}, [], True),
        ({"allOf": [True, {"minimum": 1}]}, 1, None),
        ({"allOf": [False, {"minimum": 1}]}, 1, False),
        ({"anyOf": [False, {"minimum": 1}]}, 1, None),
        ({"anyOf": [True, {"minimum": 1}]}, 1, True),
        ({"anyOf": [False, {"const": 2}]}, 1, False),
        ({"not": {"const": 1}}, 1, False),
        ({"not": {"const": 1}}, 2, True),
        ({"not": {"minimum": 1}}, 2, None),
        ({"$ref": "#/$defs/hex"}, "0101", True),
        ({"$ref": "#/$defs/hex"}, 1, False),
        ({"$ref": "#/$defs/loop"}, 1, None),
        ({"title": "a number", "description": "of steps"}, 1, True),
        ({"minimum": 1}, 1, None),
        ({"minimum": 1, "const": 2}, 1, False),
    ],
)
def test_a_value_fits_or_not_or_that_is_left_to_the_full_check(schema: Any, value: Any, holds: Any) -> None:
    assert SHAPE.holds(schema, value) is holds


MOVE = {"if": {"properties": {"do": {"const": "move"}}, "required": ["do"]}}
VERBS: dict[str, Any] = {
    "properties": {"do": {"enum": ["move", "pass"]}},
    "patternProperties": {"^n-": {"type": "integer"}},
    "allOf": [
        {**MOVE, "then": {"properties": {"path": {"type": "array"}}}, "else": {"properties": {"why": {}}}}
    ],
    "dependentSchemas": {"why": {"properties": {"how": {}}}},
}
CHOICE: dict[str, Any] = {"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}, "a": {}}}]}


@pytest.mark.parametrize(
    ("schema", "value", "names"),
    [
        (VERBS, {"do": "move"}, ["do", "path"]),
        (VERBS, {"do": "pass"}, ["do", "why"]),
        (VERBS, {"do": "pass", "why": 1}, ["do", "why", "how"]),
        (VERBS, {"do": "mvoe"}, ["do", "path", "why", "how"]),
        (VERBS, {}, ["do", "path", "why", "how"]),
        (CHOICE, {}, ["a", "b"]),
        ({"$ref": "#/$defs/loop"}, {}, []),
        (True, {}, []),
    ],
)
def test_the_keys_of_a_mapping_are_those_of_the_branch_taken_or_of_all(
    schema: Any, value: Any, names: list[str]
) -> None:
    assert SHAPE.known_keys(schema, value) == (names, ["^n-"] if schema is VERBS else [])


@pytest.mark.parametrize(
    ("schema", "value", "types"),
    [
        ({"type": "number"}, 1, {"integer"}),
        ({"type": ["string", "null"]}, 1, {"string", "null"}),
        ({"const": True}, 1, {"boolean"}),
        ({"enum": [1, "a", None, [], {}]}, 1, {"integer", "string", "null", "array", "object"}),
        ({"minimum": 1}, 1, None),
        ({"type": ["string", "null"], "allOf": [{"type": ["null", "array"]}]}, 1, {"null"}),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "a", {"string"}),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, Plain("a"), {"string", "array"}),
        ({"anyOf": [{"type": "string"}, {"minimum": 1}]}, Plain("a"), None),
        ({"$ref": "#/$defs/hex"}, 1, {"string"}),
    ],
)
def test_the_types_that_a_schema_allows(schema: Any, value: Any, types: set[str] | None) -> None:
    assert SHAPE.types(schema, value) == types


def test_the_schema_of_a_part() -> None:
    one, other = {"type": "string"}, {"type": "integer"}
    assert SHAPE.at_key({"properties": {"a": one}, "additionalProperties": other}, {}, "a") == one
    assert SHAPE.at_key({"properties": {"a": one}, "additionalProperties": other}, {}, "b") == other
    assert SHAPE.at_key({"unevaluatedProperties": other, "patternProperties": {"^b": one}}, {}, "bc") == one
    assert SHAPE.at_key({"properties": {"a": one}, "additionalProperties": False}, {}, "b") == {"allOf": []}
    both = {"properties": {"a": one}, "patternProperties": {"a": other}}
    assert SHAPE.at_key(both, {}, "a") == {"allOf": [one, other]}
    assert SHAPE.at_key({"anyOf": [{"properties": {"a": one}}, {"type": "array"}]}, {}, "a") == {
        "anyOf": [one]
    }
    tuple_ = {"prefixItems": [one], "items": other}
    assert [SHAPE.at_index(tuple_, [], n) for n in (0, 1, 2)] == [one, other, other]
    assert SHAPE.at_index({"prefixItems": [one]}, [], 1) == {"allOf": []}
    assert SHAPE.at_index({"anyOf": [tuple_, {"type": "string"}]}, [], 0) == {"anyOf": [one]}
