"""What a file means: the restricted YAML of protocol 7, without and with a schema, and its places."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text.diagnostics import Span
from pbem.text.yaml import Document, load


def data(text: str | bytes, schema: Any = None, pure: bool = False) -> Any:
    return load(text, "a.yaml", schema, pure=pure).data


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0", 0),
        ("-1", -1),
        ("1204", 1204),
        ("9007199254740991", 9007199254740991),
        ("-9007199254740991", -9007199254740991),
        ("0612", "0612"),
        ("00", "00"),
        ("-0", "-0"),
        ("+1", "+1"),
        ("12e05", "12e05"),
        ("1e3", "1e3"),
        ("1.10", "1.10"),
        (".inf", ".inf"),
        ("0o17", "0o17"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("2026-11-20", "2026-11-20"),
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("no", "no"),
        ("off", "off"),
        ("Yes", "Yes"),
        ("null", None),
        ("~", None),
        ("", None),
        ("NULL", "NULL"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("''", ""),
        ('"\\u00e9\\n"', "é\n"),
        ("|\n  two\n  lines", "two\nlines\n"),
        (">\n  folded\n  lines", "folded lines\n"),
        ("16 Pz Div", "16 Pz Div"),
        ("don’t", "don’t"),
    ],
)
def test_without_a_schema_only_exact_forms_are_more_than_text(written: str, meant: Any, pure: bool) -> None:
    found = data(f"key: {written}\n", pure=pure)
    assert found == {"key": meant}
    assert type(found["key"]) is type(meant)


def test_keys_are_text_whatever_they_look_like(pure: bool) -> None:
    assert data("2: a\n0612: b\ntrue: c\nnull: d\n", pure=pure) == {
        "2": "a",
        "0612": "b",
        "true": "c",
        "null": "d",
    }


def test_block_and_flow_style_mean_the_same(pure: bool) -> None:
    block = "orders:\n- unit: n-12\n  path:\n  - '0612'\n  - '0713'\nempty: []\nnone: {}\n"
    flow = '{"orders": [{"unit": "n-12", "path": ["0612", "0713"]}], "empty": [], "none": {}}'
    assert data(block, pure=pure) == data(flow, pure=pure) == json.loads(flow)


@pytest.mark.parametrize("source", [b"", "", "# only a comment\n", "---\n", "\n\n"])
def test_an_empty_file_is_nothing(source: str | bytes, pure: bool) -> None:
    assert data(source, pure=pure) is None


def test_windows_line_ends_are_line_ends(pure: bool) -> None:
    assert data(b"a: 1\r\nb: |\r\n  x\r\n  y\r\nc: 3\r\n", pure=pure) == {"a": 1, "b": "x\ny\n", "c": 3}


def test_text_is_put_into_one_spelling(pure: bool) -> None:
    assert data("caf\u0065\u0301: Mu\u0308nchen\n", pure=pure) == {"caf\u00e9": "M\u00fcnchen"}


SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "number": {"type": "integer"},
        "yes": {"type": "boolean"},
        "maybe": {"type": ["string", "null"]},
        "either": {"type": ["string", "integer"]},
        "flag-or-text": {"type": ["boolean", "string"]},
        "hexes": {"type": "array", "items": {"$ref": "#/$defs/hex"}},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        "version": {"const": "2"},
        "level": {"enum": ["1", "2"]},
        "count": {"enum": [1, 2]},
        "choice": {"anyOf": [{"type": "integer"}, {"const": "pass"}]},
    },
    "patternProperties": {"^u-": {"type": "string"}},
    "additionalProperties": {"type": "integer"},
    "$defs": {"hex": {"type": "string", "pattern": "^[0-9]{4}$"}},
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("text: 0612", "0612"),
        ("text: 12e05", "12e05"),
        ("text: no", "no"),
        ("text: 1.10", "1.10"),
        ("text: null", "null"),
        ("text: ~", "~"),
        ("text: true", "true"),
        ("text: 99999999999999999999", "99999999999999999999"),
        ("text:", None),
        ("number: 12", 12),
        ("number: -3", -3),
        ("number: '12'", "12"),
        ("number: null", None),
        ("yes: true", True),
        ("yes: 'true'", "true"),
        ("maybe: ~", None),
        ("maybe: null", None),
        ("maybe:", None),
        ("maybe: 5", "5"),
        ("either: 5", 5),
        ("either: 0612", "0612"),
        ("either: true", "true"),
        ("flag-or-text: false", False),
        ("flag-or-text: 1", "1"),
        ("hexes: [0612, 1204, 12e5]", ["0612", "1204", "12e5"]),
        ("pair: [1, 1]", ["1", 1]),
        ("version: 2", "2"),
        ("level: 1", "1"),
        ("count: 1", 1),
        ("choice: 5", 5),
        ("choice: pass", "pass"),
        ("u-12: 5", "5"),
        ("other: 5", 5),
        ("text: [5]", [5]),
    ],
)
def test_the_schema_says_what_an_unquoted_scalar_is(written: str, meant: Any, pure: bool) -> None:
    (found,) = data(written + "\n", SCHEMA, pure).values()
    assert found == meant
    assert type(found) is type(meant)


ORDERS = {
    "type": "array",
    "items": {
        "properties": {"do": {"enum": ["move", "bid"]}},
        "allOf": [
            {
                "if": {"properties": {"do": {"const": "move"}}, "required": ["do"]},
                "then": {"properties": {"by": {"type": "string"}}},
                "else": {"properties": {"by": {"type": "integer"}}},
            }
        ],
    },
}


def test_the_branch_of_a_condition_types_its_values_wherever_the_verb_stands(pure: bool) -> None:
    text = "- {do: move, by: 12}\n- {by: 12, do: move}\n- {do: bid, by: 12}\n- {by: 12}\n"
    assert [order["by"] for order in data(text, ORDERS, pure)] == ["12", "12", 12, 12]


def test_a_condition_that_cannot_be_decided_allows_both_branches(pure: bool) -> None:
    schema = {
        "if": {"properties": {"n": {"minimum": 5}}},
        "then": {"properties": {"x": {"type": "string"}}},
        "else": {"properties": {"x": {"type": "string"}}},
    }
    assert data("{n: 7, x: 0612}", schema, pure) == {"n": 7, "x": "0612"}


def test_alternatives_are_told_apart_by_what_is_written(pure: bool) -> None:
    schema = {
        "oneOf": [
            {"type": "array", "items": {"type": "string"}},
            {"type": "object", "required": ["hex"], "properties": {"hex": {"type": "string"}}},
            {"type": "object", "required": ["steps"], "properties": {"steps": {"type": "integer"}}},
        ]
    }
    assert data("[1, 2]", schema, pure) == ["1", "2"]
    assert data("{hex: 1204}", schema, pure) == {"hex": "1204"}
    assert data("{steps: 2}", schema, pure) == {"steps": 2}


def test_a_schema_that_refers_to_itself_is_followed_as_deep_as_the_data_goes(pure: bool) -> None:
    schema = {"properties": {"name": {"type": "string"}, "in": {"$ref": "#"}}, "allOf": [{"$ref": "#"}]}
    assert data("{name: 1, in: {name: 2}}", schema, pure) == {"name": "1", "in": {"name": "2"}}


ORDER_FILE = """\
# orders of north
orders:
- do: move
  path: [2111, 2112,
    2113]
- {"do": attack, note: "Über"}
note: |
  two
  lines
end: 1
"""


def excerpt(document: Document, span: Span) -> str:
    lines = document.text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (("orders", 0, "do"), "move", "do"),
        (("orders", 0, "path"), "[2111, 2112,\n    2113]", "path"),
        (("orders", 0, "path", 2), "2113", "2113"),
        (
            ("orders", 0),
            "do: move\n  path: [2111, 2112,\n    2113]",
            "do: move\n  path: [2111, 2112,\n    2113]",
        ),
        (("orders", 1, "do"), "attack", '"do"'),
        (("orders", 1, "note"), '"Über"', "note"),
        (("end",), "1", "end"),
        (("end", "beyond", 7), "1", "1"),
    ],
    ids=str,
)
def test_every_value_and_key_knows_its_place(path: Any, value: str, key: str, pure: bool) -> None:
    document = load(ORDER_FILE, "north.yaml", pure=pure)
    assert excerpt(document, document.span(path)) == value
    assert excerpt(document, document.key_span(path)) == key


def test_columns_count_characters_beyond_the_basic_plane_as_one(pure: bool) -> None:
    document = load("a: 😀😀\nb: ['😀', x]\n", "a.yaml", pure=pure)
    assert document.span(("b", 1)) == Span("a.yaml", 2, 10, 2, 11)


def test_a_path_that_leads_nowhere_gives_the_nearest_value_around_it(pure: bool) -> None:
    document = load("a: {b: 1}\n", "a.yaml", pure=pure)
    assert document.span(("a", "x", 3)) == document.span(("a",)) == Span("a.yaml", 1, 4, 1, 10)
    assert load("", "a.yaml", pure=pure).span(("a",)) == Span("a.yaml", 1, 1, 1, 1)


plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text("ab é\n\t:#-0'\"\\{[", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab-0", min_size=1), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(plain_values, st.booleans())
@settings(max_examples=150, deadline=None)
def test_json_is_read_as_what_it_says(value: Any, pure: bool) -> None:
    assert data(json.dumps(value), pure=pure) == value
    assert data(json.dumps(value, ensure_ascii=False, indent=1), pure=pure) == value
