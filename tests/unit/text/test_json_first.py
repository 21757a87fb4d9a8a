"""State files: JSON is read as JSON, YAML as YAML, and neither lets through what the other would refuse."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text import yaml
from pbem.text.diagnostics import Diagnostic, Refused, Span
from pbem.text.json_first import load_json_first, read_state_text
from pbem.text.yaml import Limits

STATE = """\
{"format": "pbem-state/1",
 "position": {
  "counters": {
   "16-pz": {"hex": "2113", "steps": 3, "moved": false},
   "21-pz": {"hex": "2214", "steps": 2, "name": "21. \\"Pz\\" Überfall"}}}}
"""


def faults(text: str | bytes, **limits: int) -> list[Diagnostic]:
    with pytest.raises(Refused) as refusal:
        load_json_first(text, "state.yaml", Limits(**limits))
    return list(refusal.value.diagnostics)


def test_a_state_file_is_read_whichever_way() -> None:
    counters = "position:\n  counters:\n    16-pz: {hex: '2113', steps: 3, moved: false}\n"
    assert read_state_text(STATE, "s").data == json.loads(STATE)
    by_hand = read_state_text(counters, "s").data["position"]["counters"]["16-pz"]
    assert by_hand == json.loads(STATE)["position"]["counters"]["16-pz"]


def test_a_schema_types_a_state_written_by_hand() -> None:
    schema = {"additionalProperties": {"properties": {"hex": {"type": "string"}}}}
    assert read_state_text("16-pz: {hex: 2113, steps: 3}\n", "s", schema).data["16-pz"] == {
        "hex": "2113",
        "steps": 3,
    }


@pytest.mark.parametrize(
    "path",
    [
        (),
        ("position",),
        ("position", "counters", "21-pz", "name"),
        ("position", "counters", "16-pz", "moved"),
    ],
    ids=str,
)
def test_places_are_those_that_the_yaml_loader_finds(path: Any) -> None:
    quick, slow = read_state_text(STATE, "s"), yaml.load(STATE, "s")
    assert quick.span(path) == slow.span(path)
    if path:
        assert quick.key_span(path) == slow.key_span(path)


def test_places_are_found_in_json_that_yaml_cannot_read() -> None:
    text = '{\t"a": ["\\ud83d\\ude00",\n\t{"b": 1}]}'
    document = load_json_first(text, "s")
    assert document.data == {"a": ["😀", {"b": 1}]}
    assert document.span(("a", 1, "b")) == Span("s", 2, 8, 2, 9)
    assert document.key_span(("a", 1, "b")) == Span("s", 2, 3, 2, 6)


@pytest.mark.parametrize(
    ("text", "code", "column", "path"),
    [
        ('{"a": 1.5}', "not-an-integer", 7, ("a",)),
        ('{"a": [1, 1e3]}', "not-an-integer", 11, ("a", 1)),
        ('{"a": NaN}', "not-an-integer", 7, ("a",)),
        ('{"a": -Infinity}', "not-an-integer", 7, ("a",)),
        ('{"a": -0}', "minus-zero", 7, ("a",)),
        ('{"a": 9007199254740992}', "out-of-range", 7, ("a",)),
        ('{"a": {"b": 1, "b": 2}}', "duplicate-key", 16, ("a", "b")),
        ('{"\\u00e9": 1, "e\\u0301": 2}', "duplicate-key", 15, ("é",)),
        ('{"a": ["x", "\\u202e"]}', "bad-character", 13, ("a", 1)),
        ('{"a\x7f": 1}', "bad-character", 2, ("a\x7f",)),
        ('{"a": "\\ud800"}', "bad-character", 7, ("a",)),
    ],
)
def test_json_that_holds_what_is_not_allowed_is_refused_at_its_place(
    text: str, code: str, column: int, path: Any
) -> None:
    (fault,) = faults(text)
    assert (fault.code, fault.path) == (code, path)
    assert fault.span and (fault.span.line, fault.span.column) == (1, column)


def test_all_faults_of_a_json_file_are_told_at_once() -> None:
    found = faults('{"a": 1.5,\n "b": [1e5, {"c": 1, "c": -0}],\n "a": 3,\n "a": 4}')
    assert [(one.code, one.span.line if one.span else 0) for one in found] == [
        ("not-an-integer", 1),
        ("not-an-integer", 2),
        ("duplicate-key", 2),
        ("minus-zero", 2),
        ("duplicate-key", 3),
        ("duplicate-key", 4),
    ]
    assert all("line 1" in one.message for one in found[-2:]), "the first is named, however often it comes"


def test_limits_hold_for_json_too() -> None:
    assert [fault.code for fault in faults("[" * 33 + "]" * 33)] == ["too-deep"]
    assert [fault.code for fault in faults("[1, 2, 3]", values=3)] == ["too-many-values"]
    assert [fault.code for fault in faults("[1, 2, 3]", size=8)] == ["too-big"]
    assert [fault.code for fault in faults("[" * 200_000)] == ["too-deep"]
    assert load_json_first("[" * 32 + "]" * 32, "s").data is not None


def test_text_in_json_is_put_into_one_spelling() -> None:
    assert load_json_first('{"e\\u0301": ["u\\u0308"]}', "s").data == {"\u00e9": ["\u00fc"]}


@pytest.mark.parametrize("source", ["{}".encode("utf-16"), b"\xef\xbb\xbf{}", b'{"a": "\xfc"}'])
def test_the_wrong_encoding_is_refused_as_everywhere(source: bytes) -> None:
    assert faults(source)[0].code in ("wrong-encoding", "byte-order-mark")


def test_broken_json_is_told_as_yaml_would_be() -> None:
    (fault,) = faults('{"a": [1, 2, "b": 3}')
    assert fault.code == "unclosed-bracket"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text("ab é{[:,\"'\\\n", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab -", min_size=1), inner, max_size=4)
    ),
    max_leaves=12,
)


def paths(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [here]
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found += paths(inner, (*here, step))
    return found


@given(values, st.sampled_from([None, 1]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_both_readers_agree_on_values_and_places(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    quick, slow = load_json_first(text, "s"), yaml.load(text, "s")
    assert quick.data == slow.data == value
    for path in paths(value):
        assert quick.span(path) == slow.span(path), path


@given(st.text('{}[]:,"\\ab1.-e0 \n\t', max_size=40))
@settings(max_examples=200, deadline=None)
def test_anything_is_read_or_refused(text: str) -> None:
    try:
        load_json_first(text, "s").span(("a", 0))
    except Refused as refusal:
        assert all(fault.span for fault in refusal.diagnostics)
