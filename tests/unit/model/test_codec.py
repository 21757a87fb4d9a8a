"""Answers between JSON and typed values: one form, every fault with its path, a schema that agrees."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.model.codec import HexNumber, Range, faults_in, from_json, schema_of, to_json
from pbem.text.diagnostics import Refused


@dataclass(frozen=True)
class Step:
    """A unit and where it goes."""

    unit: str
    kind: Literal["march", "sail"] = "march"
    path: tuple[HexNumber, ...] = ()
    to: HexNumber | None = None


@dataclass(frozen=True)
class Turn:
    """A player turn."""

    choice: Literal["pass", "turn"]
    moves: tuple[Step, ...] = ()
    bid: Annotated[int, Range(0, 5)] | None = None
    wishes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    from_: str | None = None


TURN = {
    "choice": "turn",
    "moves": [{"unit": "R-IN1", "path": ["0305", "0306"]}],
    "bid": 3,
    "from": "here",
    "wishes": {"R-F1": [1, 2]},
}


def test_an_answer_is_read_and_written_in_one_form() -> None:
    turn = from_json(Turn, TURN)
    assert turn.moves[0].path == ("0305", "0306") and turn.from_ == "here"
    assert to_json(turn) == TURN


def test_a_field_that_says_its_default_is_left_out() -> None:
    assert to_json(from_json(Turn, {"choice": "pass", "moves": [], "bid": None})) == {"choice": "pass"}


def test_all_faults_are_named_with_their_paths() -> None:
    bad = {"choice": "trun", "moves": [{"path": ["305"]}, 7], "bid": 9, "mvoes": []}
    found = {(fault.code, fault.path) for fault in faults_in(Turn, bad)}
    assert found == {
        ("not-one-of", ("choice",)),
        ("missing-key", ("moves", 0)),
        ("bad-pattern", ("moves", 0, "path", 0)),
        ("wrong-type", ("moves", 1)),
        ("out-of-range", ("bid",)),
        ("unknown-key", ("mvoes",)),
    }
    near = {fault.help for fault in faults_in(Turn, bad) if fault.help}
    assert ("did you mean 'turn'?",) in near and ("did you mean 'moves'?",) in near


@pytest.mark.parametrize("value", [True, "3", 3.0, None, [3]])
def test_a_number_is_a_number(value: Any) -> None:
    with pytest.raises(Refused):
        from_json(int, value)


def test_the_schema_accepts_and_refuses_what_the_codec_does() -> None:
    schema = schema_of(Turn)
    jsonschema.validate(TURN, schema)
    for bad in (
        {},
        {"choice": "turn", "bid": 9},
        {"choice": "turn", "moves": [{"unit": 1}]},
        {"choice": "pass", "x": 1},
    ):
        assert faults_in(Turn, bad)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)


hexes = st.from_regex(r"[0-9]{4}", fullmatch=True)
steps = st.builds(Step, st.text(max_size=8), st.sampled_from(["march", "sail"]), st.lists(hexes).map(tuple))
turns = st.builds(
    Turn, st.sampled_from(["pass", "turn"]), st.lists(steps).map(tuple), st.integers(0, 5) | st.none()
)


@given(turns)
def test_written_and_read_again_is_the_same(turn: Turn) -> None:
    assert from_json(Turn, to_json(turn)) == turn
    jsonschema.validate(to_json(turn), schema_of(Turn))


@dataclass(frozen=True)
class Mixed:
    """Words beside numbers, hexes and lists."""

    turn: int | Literal["any"] = "any"
    hex: HexNumber | Literal["any", "none"] = "any"
    limit: tuple[int, int] | None = None
    stance: Literal["stand", "retreat"] | None = None


@pytest.mark.parametrize(
    ("data", "good"),
    [
        ({"turn": 3, "hex": "0305"}, True),
        ({"turn": "any", "hex": "none", "limit": [1, 2], "stance": None}, True),
        ({"turn": "all"}, False),
        ({"hex": "305"}, False),
        ({"hex": 305}, False),
        ({"stance": "run"}, False),
        ({"limit": [1]}, False),
    ],
)
def test_words_may_stand_beside_other_types(data: dict[str, Any], good: bool) -> None:
    assert (not faults_in(Mixed, data)) == good
    assert jsonschema.Draft202012Validator(schema_of(Mixed)).is_valid(data) == good


@dataclass(frozen=True)
class Share:
    """A part of a strength."""

    part: Fraction = Fraction(1)


@given(st.fractions(max_denominator=99, min_value=-99, max_value=99))
def test_fractions_are_exact_and_have_one_form(number: Fraction) -> None:
    written = to_json(Share(number))
    assert from_json(Share, written) == Share(number)
    assert jsonschema.Draft202012Validator(schema_of(Share)).is_valid(written)
    assert written == ({} if number == 1 else {"part": int(number) if number == int(number) else str(number)})


@pytest.mark.parametrize("bad", ["2/4", "4/2", "1/0", "0.5", "1/-2", "", "1", True, [1, 2], "01/2"])
def test_what_is_no_fraction_in_lowest_terms_is_refused(bad: object) -> None:
    with pytest.raises(Refused):
        from_json(Share, {"part": bad})


@dataclass(frozen=True)
class Named:
    """Single ones of a kind."""

    hq: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shapes:
    """Words beside a mapping, one thing beside a list of them."""

    allow: tuple[Literal["near", "far"] | Named, ...] = ()
    steps: tuple[Step, ...] | Step = ()


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"allow": ["near", {"hq": ["A"]}], "steps": {"unit": "R"}}, None),
        ({"steps": [{"unit": "R"}, {"unit": "B", "kind": "sail"}]}, None),
        ({"allow": ["nearby"]}, ("wrong-type", ("allow", 0))),
        ({"allow": [{"hqs": ["A"]}]}, ("unknown-key", ("allow", 0, "hqs"))),
        ({"steps": [{"unit": "R", "kind": "fly"}]}, ("not-one-of", ("steps", 0, "kind"))),
        ({"steps": "R"}, ("wrong-type", ("steps",))),
    ],
)
def test_a_mapping_or_a_list_may_stand_beside_other_types(data: dict[str, Any], fault: Any) -> None:
    """What is wrong inside the one that fits by its shape is told there, not that the whole is wrong."""
    found = [(one.code, one.path) for one in faults_in(Shapes, data)]
    assert found == ([] if fault is None else [fault])
    assert jsonschema.Draft202012Validator(schema_of(Shapes)).is_valid(data) == (fault is None)
