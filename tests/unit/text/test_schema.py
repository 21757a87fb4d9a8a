"""Checking by schema: every fault at once, at its place, in words of one who writes orders."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pbem.text import schema as schemas
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.schema import NoSuchSchema, check, find, load_checked
from pbem.text.yaml import load

ORDERS: dict[str, Any] = {
    "type": "object",
    "required": ["player", "orders"],
    "additionalProperties": False,
    "properties": {
        "player": {"type": "string", "minLength": 2, "maxLength": 10},
        "turn": {"type": "integer", "minimum": 1, "maximum": 20},
        "final": {"type": "boolean"},
        "note": {"type": ["string", "null"]},
        "bid": {"anyOf": [{"type": "integer"}, {"enum": ["pass", "all"]}]},
        "stack": {
            "type": "array",
            "uniqueItems": True,
            "minItems": 1,
            "maxItems": 3,
            "items": {"type": "string"},
        },
        "losses": {"type": "object", "propertyNames": {"pattern": "^n-"}, "maxProperties": 2},
        "orders": {"type": "array", "items": {"$ref": "#/$defs/order"}},
        "even": {"type": "integer", "multipleOf": 2},
        "pair": {"type": "object", "dependentRequired": {"from": ["to"]}},
        "where": {
            "oneOf": [
                {"$ref": "#/$defs/hex"},
                {"type": "array", "items": {"$ref": "#/$defs/hex"}},
            ]
        },
        "never": False,
    },
    "$defs": {
        "hex": {"title": "a hex number", "type": "string", "pattern": "^[0-9]{4}$", "examples": ["0612"]},
        "order": {
            "type": "object",
            "required": ["do"],
            "properties": {"do": {"enum": ["move", "attack", "pass"]}},
            "unevaluatedProperties": False,
            "allOf": [
                {
                    "if": {"properties": {"do": {"const": "move"}}, "required": ["do"]},
                    "then": {
                        "required": ["unit", "path"],
                        "properties": {
                            "unit": {"type": "string"},
                            "path": {"type": "array", "items": {"$ref": "#/$defs/hex"}},
                        },
                    },
                },
                {
                    "if": {"properties": {"do": {"const": "attack"}}, "required": ["do"]},
                    "then": {"required": ["hex"], "properties": {"hex": {"$ref": "#/$defs/hex"}}},
                },
            ],
        },
    },
}


def checked(more: str) -> list[Diagnostic]:
    """The faults of an order file with these lines, one good move otherwise."""
    text = f"player: north\norders:\n- {{do: move, unit: n-12, path: [0612, 0713]}}\n{more}\n"
    document = load(text, "a.yaml", ORDERS)
    return check(document.data, ORDERS, document)


def test_a_file_that_fits_has_no_faults() -> None:
    good = "final: true\nnote: ~\nbid: pass\nturn: 3\nstack: [1, 2]\nwhere: 0612\nlosses: {n-12: 1}"
    assert checked(good) == []
    assert check({"player": "north", "orders": []}, ORDERS) == []


@pytest.mark.parametrize(
    ("line", "code", "column", "words", "help"),
    [
        ("turn: [1]", "wrong-type", 7, '"turn" is a list, wanted a whole number', ""),
        ("turn: '3'", "wrong-type", 7, '"turn" is "3", wanted a whole number', "write 3 without quotes"),
        ("turn:", "wrong-type", 6, '"turn" is nothing, wanted a whole number', ""),
        ("final: 'true'", "wrong-type", 8, "wanted true or false", "write true without quotes"),
        ("note: {}", "wrong-type", 7, "is an empty mapping, wanted text or nothing", ""),
        ("stack: n-12", "wrong-type", 8, '"stack" is "n-12", wanted a list', "write [n-12]"),
        ("turn: 0", "out-of-range", 7, '"turn" is 0, wanted at least 1', ""),
        ("turn: 21", "out-of-range", 7, "wanted at most 20", ""),
        ("even: 3", "out-of-range", 7, "wanted a multiple of 2", ""),
        ("bid: alll", "no-alternative", 6, 'wanted a whole number, "pass" or "all"', ""),
        ("stack: []", "too-few", 8, '"stack" has 0 entries, wanted at least 1', ""),
        ("stack: [a, b, c, d]", "too-many", 8, "has 4 entries, wanted at most 3", ""),
        ("stack: [a, b, a]", "repeated-entry", 15, '"a" is in "stack" twice', ""),
        ("stack: [a, [b]]", "wrong-type", 12, 'entry 2 of "stack" is a list, wanted text', ""),
        ("losses: {n-1: 1, x-1: 1}", "bad-key", 18, '"x-1" cannot be a key of "losses"', ""),
        ("losses: {n-1: 1, n-2: 1, n-3: 1}", "too-many", 9, "has 3 keys, wanted at most 2", ""),
        ("pair: {from: 1}", "missing-key", 7, '"pair" has "from" but no "to"', ""),
        ("where: 612", "bad-pattern", 8, '"where" is "612", wanted a hex number', 'for example "0612"'),
        ("where: [0612, 713]", "bad-pattern", 15, 'entry 2 of "where" is "713"', ""),
        ("where: {}", "wrong-type", 8, "wanted text or a list", ""),
        ("never: 1", "not-allowed", 8, '"never" is 1, which is not allowed', ""),
        (
            "ordres: []",
            "unknown-key",
            1,
            '"ordres" is not a key that the top level can have',
            'mean "orders"',
        ),
        ("zzz: 1", "unknown-key", 1, '"zzz" is not a key', '"turn", "final"'),
    ],
)
def test_each_fault_is_named_placed_and_worded(
    line: str, code: str, column: int, words: str, help: str
) -> None:
    (fault,) = checked(line)
    assert fault.code == code
    assert fault.span and (fault.span.line, fault.span.column) == (4, column)
    assert words in fault.message
    assert help in " ".join(fault.help)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("{do: mvoe, unit: 1, path: [0612]}", [("not-one-of", "do", 'did you mean "move"?')]),
        ("{do: 5}", [("not-one-of", "do", "")]),
        ("{unit: 1}", [("missing-key", None, "")]),
        ("{do: move, unit: 1, path: [612, 7]}", [("bad-pattern", 0, "0612"), ("bad-pattern", 1, "0612")]),
        ("{do: move, unit: 1, path: []}", []),
        ("{do: attack, hex: 0612, unit: 1}", [("unknown-key", "unit", "")]),
        ("{do: attack, hxe: 0612}", [("missing-key", None, "hxe"), ("unknown-key", "hxe", "hex")]),
        ("{do: pass, hex: 0612}", [("unknown-key", "hex", "")]),
        ("{do: pass, foo: 1}", [("unknown-key", "foo", "")]),
        ("{do: mvoe, foo: 1}", [("not-one-of", "do", "move"), ("unknown-key", "foo", "")]),
        ("{unit: 1, foo: 1}", [("missing-key", None, ""), ("unknown-key", "foo", "")]),
        ("move", [("wrong-type", 1, "")]),
    ],
)
def test_the_faults_of_an_order_are_those_of_the_branch_that_its_verb_names(
    order: str, expected: list[tuple[str, Any, str]]
) -> None:
    text = f"player: north\norders:\n- {{do: pass}}\n- {order}\n"
    document = load(text, "a.yaml", ORDERS)
    faults = check(document.data, ORDERS, document)
    last = [one.path[-1] if one.path[2:] or one.code == "wrong-type" else None for one in faults]
    assert [(one.code, step) for one, step in zip(faults, last, strict=True)] == [
        (c, s) for c, s, _ in expected
    ]
    for fault, (_, _, help) in zip(faults, expected, strict=True):
        assert help in " ".join(fault.help)
        assert fault.span and fault.span.line == 4


def test_everything_is_told_at_once_in_the_order_of_the_file() -> None:
    text = "turn: 99\nplayer: [x]\ncolour: red\norders:\n- {do: mvoe}\n- {do: move, path: 0612}\n- 5\n"
    with pytest.raises(Refused) as refusal:
        load_checked(text, "a.yaml", ORDERS)
    told = [(fault.code, fault.span.line if fault.span else 0) for fault in refusal.value.diagnostics]
    assert told == [
        ("out-of-range", 1),
        ("wrong-type", 2),
        ("unknown-key", 3),
        ("not-one-of", 5),
        ("missing-key", 6),
        ("wrong-type", 6),
        ("wrong-type", 7),
    ]


def test_faults_of_the_language_and_of_the_schema_are_told_together_but_none_twice() -> None:
    text = "player: &p north\nfinal: no\nturn: 0612\nfnal: true\norders: []\norders: 5\n"
    with pytest.raises(Refused) as refusal:
        load_checked(text, "a.yaml", ORDERS)
    assert [fault.code for fault in refusal.value.diagnostics] == [
        "anchor",
        "not-a-boolean",
        "not-an-integer",
        "unknown-key",
        "duplicate-key",
    ]


def test_a_file_that_cannot_be_read_to_its_end_is_not_checked_further() -> None:
    with pytest.raises(Refused) as refusal:
        load_checked("colour: red\norders: [1\n", "a.yaml", ORDERS)
    assert [fault.code for fault in refusal.value.diagnostics] == ["unclosed-bracket"]


def test_without_a_document_faults_have_paths_only() -> None:
    (fault,) = check({"player": "north", "orders": [{"do": "attack", "hex": 612}]}, ORDERS)
    assert (fault.code, fault.path, fault.span) == ("wrong-type", ("orders", 0, "hex"), None)
    assert 'write "612" in quotes' in fault.help


def test_a_list_with_thousands_of_faults_is_told_in_full_and_soon() -> None:
    value = {"player": "north", "orders": [{"do": "mvoe"}] * 2000, "stack": ["x"] * 20_000}
    faults = check(value, ORDERS)
    assert sum(one.code == "not-one-of" for one in faults) == 2000


def test_what_a_branch_of_anyof_forbids_is_never_passed_over() -> None:
    schema = {
        "anyOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}}],
        "unevaluatedProperties": False,
    }
    assert check({"a": 1}, schema) == []
    assert check({"a": "x"}, schema) != []


@pytest.mark.parametrize("value", [{"a": 1}, [1], "x", None, 5, True])
def test_schemas_that_are_just_true_or_false(value: Any) -> None:
    assert check(value, True) == []
    assert [one.code for one in check(value, False)] == ["not-allowed"]


def test_no_reference_leads_into_the_network() -> None:
    schema = {"$ref": "https://example.invalid/other.json"}
    with pytest.raises(Exception, match=r"example\.invalid"):
        check({}, schema)


words = st.sampled_from(
    ["do", "move", "attack", "mvoe", "unit", "path", "hex", "0612", "612", "orders", "player"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 30) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=10,
)
orders = st.fixed_dictionaries(
    {"do": words},
    optional={"unit": values, "path": st.lists(words, max_size=3), "hex": words, "player": values},
)


@given(st.fixed_dictionaries({"player": values, "orders": values | st.lists(orders, max_size=3)}) | values)
@settings(max_examples=200, deadline=None)
def test_faults_are_found_exactly_where_the_library_finds_the_data_unfit(value: Any) -> None:
    faults = check(value, ORDERS)
    assert bool(faults) == (not Draft202012Validator(ORDERS).is_valid(value))
    assert all(one.message and one.code for one in faults)


# ---- finding schemas -----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package folder that has schemas of its own, as an installed one."""
    (tmp_path / "_schemas" / "victory").mkdir(parents=True)
    (tmp_path / "_schemas" / "orders.schema.json").write_text('{"title": "orders"}')
    (tmp_path / "_schemas" / "victory" / "bid.schema.json").write_text('{"title": "bid"}')
    (tmp_path / "secret.json").write_text("{}")
    monkeypatch.setattr(schemas.resources, "files", lambda _: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "title"),
    [("orders", "orders"), ("orders.schema.json", "orders"), ("victory/bid", "bid")],
)
def test_a_schema_is_found_by_its_name(name: str, title: str, folder: Path) -> None:
    assert find(name)["title"] == title


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "", "victory", "victory/../orders", "a b"])
def test_names_that_are_none_lead_nowhere(name: str, folder: Path) -> None:
    with pytest.raises(NoSuchSchema, match="there is no schema"):
        find(name)


def test_a_misspelt_schema_is_told_with_what_was_meant(folder: Path) -> None:
    with pytest.raises(NoSuchSchema, match='did you mean "orders"'):
        find("ordres")


def test_in_a_checkout_the_schemas_lie_beside_the_package() -> None:
    for path in sorted((Path(__file__).parents[3] / "schemas").glob("*.schema.json")):
        assert find(path.name.removesuffix(".schema.json"))["$schema"].startswith("https://json-schema.org/")
