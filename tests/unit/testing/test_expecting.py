"""What an example expects, compared with what was told, and faults of sentences, case by case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from pbem.testing.expecting import event_faults, refusals, subset
from pbem.testing.wording import faults
from pbem.text.diagnostics import Diagnostic

A, B, C = {"event": "a", "n": 1}, {"event": "b"}, {"event": "a", "n": 2}
TOLD = [A, B, C]


@pytest.mark.parametrize(
    ("expect", "count"),
    [
        ({}, 0),
        ({"events": ["a", "b", "a"]}, 0),
        ({"events": ["a", "a"]}, 0),
        ({"events": ["b"]}, 0),
        ({"events": ["a"]}, 1),
        ({"events": ["a", "a", "b"]}, 1),
        ({"events": [{"event": "a", "n": 2}, "b"]}, 2),
        ({"events": ["c"]}, 1),
        ({"events_among": ["a"]}, 0),
        ({"events_among": ["a", "b"]}, 0),
        ({"events_among": ["b", {"event": "a", "n": 1}]}, 1),
        ({"events_exactly": ["a", "b", "a"]}, 0),
        ({"events_exactly": ["a", "b"]}, 1),
        ({"events_exactly": ["a", "a", "b"]}, 2),
        ({"events_exactly": []}, 1),
        ({"not_events": ["c", {"event": "a", "n": 3}]}, 0),
        ({"not_events": ["a"]}, 2),
        ({"not_events": [{"event": "a", "n": 2}]}, 1),
    ],
)
def test_events_that_are_expected(expect: dict[str, Any], count: int) -> None:
    assert len(event_faults(TOLD, expect)) == count


@pytest.mark.parametrize(
    ("have", "want", "said"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["x.a is 1, expected 2"]),
        ({"a": {"b": [1], "c": 3}}, {"a": {"b": [1]}}, []),
        ({"a": {"b": [1]}}, {"a": {"b": [1, 2]}}, ["x.a.b is [1], expected [1, 2]"]),
        ({}, {"a": None}, []),
        (3, {"a": 1}, ["x is 3, expected {'a': 1}"]),
    ],
)
def test_only_named_keys_are_compared(have: Any, want: Any, said: list[str]) -> None:
    assert subset(have, want, "x") == said


REFUSED = [
    Diagnostic("too-far", "it is 3 hexes away", rule="4.1", path=("moves", 0), help=("go nearer",)),
    Diagnostic("no-unit", "there is none", rule="4.2"),
]


@pytest.mark.parametrize(
    ("wanted", "good"),
    [
        (["too-far", "no-unit"], True),
        (["no-unit", "too-far"], False),
        (["too-far"], False),
        ([], False),
        ([{"code": "too-far", "rule": "4.1", "path": ["moves", 0], "says": "3 hexes"}, "no-unit"], True),
        ([{"says": "nearer"}, {"rule": "4.2"}], True),
        ([{"says": "nearer"}, {"says": "nearer"}], False),
        ([{"rule": "4.2"}, "no-unit"], False),
        ([{"path": ["moves"]}, "no-unit"], False),
        ({"contains": ["no-unit"]}, True),
        ({"contains": ["no-unit", "too-far"]}, True),
        ({"contains": ["no-unit", "too-near"]}, False),
        ({"contains": [{"code": "no-unit", "rule": "4.1"}]}, False),
    ],
)
def test_refusals_that_are_expected(wanted: Any, good: bool) -> None:
    assert (refusals(REFUSED, wanted) == []) is good


@dataclass
class Loss:
    steps: int


@dataclass
class Fought:
    hex: str
    losses: tuple[Loss, ...]


@dataclass
class Attack:
    player: str


SOUND: dict[str, dict[str, Any]] = {
    "events": {"fought": "{hex} was fought over"},
    "decisions": {"attack": "Attack, {player}?"},
}


@pytest.mark.parametrize(
    ("section", "texts", "codes"),
    [
        ("events", {"fought": "{hex}"}, []),
        ("events", {}, ["no-sentence"]),
        ("events", {"fought": "{hax}"}, ["unknown-name"]),
        ("events", {"fought": "x", "fouhgt": "y"}, ["unknown-name"]),
        ("events", {"fought": "{hex}{"}, ["bad-sentence"]),
        ("events", {"fought": "{hex|a|b} and {hex}"}, []),
        ("decisions", {}, ["no-sentence"]),
        ("decisions", {"attack": "Attack {hex}?"}, ["unknown-name"]),
        ("headlines", {"fought": "{hex}", "flown": "x"}, ["unknown-name"]),
        ("luck", {"fought": "{steps} of {hex}"}, []),
        ("luck", {"fought": "{stairs}"}, ["unknown-name"]),
        ("cards", {"fought": "{hex_name} {losses_count}"}, []),
        ("cards", {"fought": "{name_hex}"}, ["unknown-name"]),
        ("headlines", {"fought": "{hex_name}"}, ["unknown-name"]),
        ("headlines", {"fought": "{steps}"}, ["unknown-name"]),
        ("members", {"fought.losses": "losses", "tracks.x": "x"}, []),
        ("members", {"fought.lost": "losses"}, ["unknown-name"]),
        ("facts", {"turn": "the turn"}, ["unknown-name"]),
        ("answers", {"attack": "{a: {b: 1}}"}, []),
        ("terms", {"x": 7}, ["unknown-name", "wrong-type"]),
    ],
)
def test_sentences_and_what_is_in_them(section: str, texts: dict[str, Any], codes: list[str]) -> None:
    words = {**SOUND, section: texts}
    assert [fault.code for fault in faults(words, {"fought": Fought}, {"attack": Attack})] == codes


def test_a_fault_of_words_has_its_place_and_what_may_be_meant() -> None:
    words = {**SOUND, "headlines": {"fought": "{hax}"}, "luck": {"fought": 7}}
    (field, no_text) = faults(words, {"fought": Fought}, {"attack": Attack})[:2]
    assert (field.path, "hex" in str(field.help)) == (("headlines", "fought"), True)
    assert no_text.path == ("luck", "fought") and "luck" in no_text.message and "7" in no_text.message
