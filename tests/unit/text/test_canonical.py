"""Canonical JSON: what protocol 3 allows has one byte form, all else is refused."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text.canonical import LARGEST, NotCanonical, dumps, loads
from pbem.text.chars import FORBIDDEN

STATEMENTS = json.loads((Path(__file__).parent / "data" / "statements.json").read_text())
JCS = Path(__file__).parents[4] / "shared" / "data" / "rfc8785"

keys = st.text("abcXYZ019_./:-", min_size=1, max_size=100)
texts = st.text().filter(lambda text: not FORBIDDEN.search(text))
scalars = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=25,
)


def nested(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


@given(values)
@settings(max_examples=200, deadline=None)
def test_what_is_written_is_read_back_as_it_was(value: Any) -> None:
    assert loads(dumps(value)) == value


@given(values)
@settings(max_examples=200, deadline=None)
def test_the_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert dumps(value) == rfc8785.dumps(value)


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=300, deadline=None)
def test_arbitrary_bytes_are_canonical_or_refused(data: bytes) -> None:
    try:
        value = loads(data)
    except NotCanonical:
        return
    assert dumps(value) == data


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_any_other_way_to_write_a_value_is_refused(data: st.DataObject) -> None:
    value = data.draw(st.dictionaries(keys, scalars, min_size=2, max_size=5))
    pairs = data.draw(st.permutations(list(value.items())))
    separators = data.draw(st.sampled_from([(",", ":"), (", ", ": "), (",", ": ")]))
    written = json.dumps(dict(pairs), separators=separators, ensure_ascii=data.draw(st.booleans())).encode()
    if written == dumps(value):
        assert loads(written) == value
    else:
        with pytest.raises(NotCanonical):
            loads(written)


@pytest.mark.parametrize("text", STATEMENTS["canonical"], ids=["statement", "roster"])
def test_the_protocols_own_statements_are_canonical(text: str) -> None:
    assert dumps(loads(text.encode())) == text.encode()


@pytest.mark.parametrize("case", STATEMENTS["refused"], ids=lambda case: case["fault"])
def test_the_protocols_bad_statements_are_refused_by_name(case: dict[str, Any]) -> None:
    data = case["text"].encode()
    if case["code"] is None:  # canonical; what is wrong with it is for the schema to say
        assert dumps(loads(data)) == data
        return
    with pytest.raises(NotCanonical) as refusal:
        loads(data)
    assert refusal.value.code == case["code"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-json"),
        (b" 1", "not-canonical"),
        (b"01", "not-json"),
        (b"-", "not-json"),
        (b"1e400", "fraction"),
        (b"Infinity", "not-json"),
        (b"-Infinity", "not-json"),
        (b"9" * 5000, "out-of-range"),
        (b"9007199254740992", "out-of-range"),
        (b"-9007199254740992", "out-of-range"),
        (b'"\xff"', "not-utf-8"),
        (b'"\xed\xa0\x80"', "not-utf-8"),
        (b'"\xc0\x80"', "not-utf-8"),
        (b'"\\ud83d\\ude00"', "not-canonical"),
        (b'"a\tb"', "not-json"),
        (b'"\\u0008"', "bad-character"),
        ('"\ufeff"'.encode("utf-16"), "not-utf-8"),
        ('"\ufdd0"'.encode(), "bad-character"),
        ('"\U0010ffff"'.encode(), "bad-character"),
        ('"\u2066"'.encode(), "bad-character"),
        ('"\u0085"'.encode(), "bad-character"),
        (b'{"":1}', "bad-key"),
        ('{"ä":1}'.encode(), "bad-key"),
        (b'{"%s":1}' % (b"k" * 101), "bad-key"),
        (b'{"a\\n":1}', "bad-key"),
        (b'{"a":{"b":1,"b":1}}', "duplicate-key"),
        (b"1\r", "trailing-newline"),
        (b"[1,]", "not-json"),
        (b"{}{}", "not-json"),
        (b"[" * 400_000, "too-deep"),
        (b'{"a":' * 400_000, "too-deep"),
        (b"[" + b"[]," * 600_000 + b"1]", "too-many-values"),
        (b"[" + b"1," * 2_100_000 + b"1]", "too-many-values"),
    ],
    ids=lambda value: str(value)[:80],
)
def test_refused_by_name(data: bytes, code: str) -> None:
    with pytest.raises(NotCanonical) as refusal:
        loads(data)
    assert refusal.value.code == code
    assert str(refusal.value)


def test_thirty_two_levels_are_read_and_thirty_three_are_not() -> None:
    assert dumps(loads(nested(32))) == nested(32)
    with pytest.raises(NotCanonical, match="more than 32 deep"):
        loads(nested(33))


def test_the_largest_integers_are_allowed() -> None:
    assert loads(b"[-9007199254740991,9007199254740991]") == [-LARGEST, LARGEST]


def test_a_key_of_a_hundred_characters_is_allowed() -> None:
    assert loads(b'{"%s":1}' % (b"k" * 100)) == {"k" * 100: 1}


def test_newline_tab_and_all_the_scripts_of_the_world_are_allowed_in_text() -> None:
    text = "a\n\tb \u2028 \u00a0 \u200d é 漢 עברית 😀"
    assert loads(dumps([text])) == [text]


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        ({"a": [1, 2.0]}, "wrong-type", ("a", 1)),
        ([math.nan], "wrong-type", (0,)),
        ({"a": (1, 2)}, "wrong-type", ("a",)),
        ({"a": b"x"}, "wrong-type", ("a",)),
        ({"a": {"b": LARGEST + 1}}, "out-of-range", ("a", "b")),
        ({1: 2}, "bad-key", (1,)),
        ({"a": [{"b c": 1}]}, "bad-key", ("a", 0, "b c")),
        (["\ud800"], "bad-character", (0,)),
        ({"x": ["\x1b[2J"]}, "bad-character", ("x", 0)),
    ],
    ids=str,
)
def test_values_without_canonical_form_are_not_written(value: Any, code: str, path: Any) -> None:
    with pytest.raises(NotCanonical) as refusal:
        dumps(value)
    assert (refusal.value.code, refusal.value.path) == (code, path)
    assert refusal.value.diagnostic().path == path


def test_a_value_that_contains_itself_is_not_written() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotCanonical, match="deep"):
        dumps(loop)


def outside_case(name: str) -> tuple[bytes, bytes, bytes]:
    if not JCS.is_dir():
        pytest.skip("../shared/data/rfc8785 is not here")
    output = (JCS / "output" / f"{name}.json").read_bytes()
    expected = bytes.fromhex((JCS / "outhex" / f"{name}.txt").read_text())
    return (JCS / "input" / f"{name}.json").read_bytes(), output, expected


def test_the_outside_vector_within_our_restrictions_is_written_as_it_should_be() -> None:
    source, output, expected = outside_case("arrays")
    assert dumps(json.loads(source)) == expected == output
    assert dumps(loads(output)) == output


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("values", "fraction"),
        ("structures", "bad-key"),
        ("french", "bad-key"),
        ("weird", "bad-key"),
        ("unicode", "bad-key"),
    ],
)
def test_the_outside_vectors_beyond_our_restrictions_are_refused(name: str, code: str) -> None:
    _, output, _ = outside_case(name)
    with pytest.raises(NotCanonical) as refusal:
        loads(output)
    assert refusal.value.code == code


@pytest.mark.parametrize("name", ["arrays", "values", "structures", "french", "weird", "unicode"])
def test_outside_inputs_are_not_canonical(name: str) -> None:
    source, _, _ = outside_case(name)
    with pytest.raises(NotCanonical):
        loads(source)
