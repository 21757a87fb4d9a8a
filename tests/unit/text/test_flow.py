"""What is printed to be pasted reads as YAML people write, and means what it meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from pbem.text.flow import flow
from pbem.text.yaml import load

texts = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12)
odd = st.sampled_from(
    ["yes", "No", "null", "~", "0506", "1e5", "1_0", "12:30", "- a", "a: b", "a #b", "", " a"]
)
keys = st.from_regex(r"[A-Za-z0-9_./:-]{1,12}", fullmatch=True)
leaves = texts | odd | st.integers(-(2**53) + 1, 2**53 - 1) | st.booleans() | st.none()
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"unit": "R-IN1", "path": ["0506", "0405"]}, '{unit: R-IN1, path: ["0506", "0405"]}'),
        (["yes", "y", "off", "turn"], '["yes", "y", "off", turn]'),
        (
            {"steps": 2, "add": None, "late": True, "0506": "Karsk"},
            '{steps: 2, add: null, late: true, "0506": Karsk}',
        ),
        ("GT1/2.C/turn-order", "GT1/2.C/turn-order"),
        ("a b", '"a b"'),
        ('say "hi"', r'"say \"hi\""'),
        ([], "[]"),
        ({}, "{}"),
    ],
)
def test_quotes_stand_only_where_they_are_needed(value: Any, text: str) -> None:
    assert flow(value) == text


def _nfc(value: Any) -> Any:
    from pbem.text.normal import nfc

    if isinstance(value, dict):
        return {nfc(key): _nfc(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_nfc(item) for item in value]
    return nfc(value) if isinstance(value, str) else value


@settings(max_examples=150, deadline=None)
@given(values)
def test_our_own_loader_reads_the_value_back(value: Any) -> None:
    assert load(f"answer: {flow(value)}   # a comment\n", "x").data == {"answer": _nfc(value)}


@settings(max_examples=80, deadline=None)
@given(values, st.sampled_from([(1, 1), (1, 2)]))
def test_other_readers_read_the_value_back(value: Any, version: tuple[int, int]) -> None:
    reader = YAML(typ="safe", pure=True)
    reader.version = version  # type: ignore[assignment]
    assert reader.load(f"answer: {flow(value)}\n") == {"answer": value}
