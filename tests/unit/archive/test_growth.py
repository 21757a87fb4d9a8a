"""Answers that grow: what one has more than another, and the whole of it in words, a line an element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.archive.growth import Element, element, elements, words
from pbem.engine.decisions import Option
from pbem.text.canonical import Json

TURN: Json = {
    "choice": "turn",
    "reveal": [{"su": "S1", "mode": "remote", "targets": ["A1", "A2"]}],
    "moves": [{"unit": "A1", "path": ["0305", "0306"]}, {"unit": "A2", "path": ["0305", "0405"]}],
    "doctrine": {"rules": [{"do": "retreat"}]},
}


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ({"a": 1}, {"a": 1, "moves": [{"unit": "A1"}]}, Element("moves", {"unit": "A1"})),
        ({"moves": ["x"]}, {"moves": ["x", "y"]}, Element("moves", "y")),
        ({"moves": [{"n": 1}]}, {"moves": [{"n": 2}]}, Element("moves", {"n": 2}, instead={"n": 1})),
        (["x"], ["x", "y"], Element(None, "y")),
        ([], ["y"], Element(None, "y")),
        ({}, {"to": "0305"}, Element("to", "0305", listed=False)),
        ({"a": 1}, {"a": 1}, None),
        ({"a": 1}, {"b": 1}, None),
        ({"a": 1}, {"a": 1, "b": 2, "c": 3}, None),
        ({"a": [1, 2]}, {"a": [2]}, None),
        ({"a": [1, 2]}, {"a": [3, 4]}, None),
        ([1], {"a": 1}, None),
        (None, [1], None),
    ],
)
def test_the_element_that_is_new(before: Json, after: Json, new: Element | None) -> None:
    assert element(before, after) == new


def test_an_element_is_shown_as_it_is_written() -> None:
    assert str(Element("moves", {"unit": "A1", "to": "0305"})) == 'moves: {unit: A1, to: "0305"}'
    assert str(Element(None, "y")) == '"y"'


class Grown:
    """A decision whose answers grow through the given answers, one a step."""

    def __init__(self, *steps: Json) -> None:
        self.answer = Any
        self.steps = steps
        self.looked_at = 0

    def options(self, game: object, so_far: Json = None) -> Iterator[Option]:
        for number, step in enumerate(self.steps):
            self.looked_at += 1
            at = self.steps.index(so_far) if so_far in self.steps else -1
            if number == at + 1:
                yield Option(step, f"step {number}", complete=step != {"choice": "turn"})


def _told(decision: Grown, answer: Json, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr("pbem.archive.growth.from_json", lambda kind, data: data)
    return words(cast(Any, decision), cast(Any, None), answer)


def _without(answer: Json, **changed: Json) -> Json:
    assert isinstance(answer, dict)
    return {key: value for key, value in {**answer, **changed}.items() if value is not None}


STEPS = (
    {"choice": "turn"},
    {"choice": "turn", "reveal": [{"su": "S1", "mode": "remote"}]},
    {"choice": "turn", "reveal": [{"su": "S1", "mode": "remote", "targets": ["A1"]}]},
    _without(TURN, moves=None, doctrine=None),
    _without(TURN, moves=[TURN["moves"][0]], doctrine=None),  # type: ignore[index,call-overload]
    _without(TURN, doctrine=None),
)


def test_a_long_answer_is_told_in_the_words_of_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    told = _told(Grown(*STEPS), TURN, monkeypatch)
    assert told == [*(f"step {n}" for n in range(6)), "doctrine: {rules: [{do: retreat}]}"]


def test_what_no_option_offers_is_shown_as_written_and_the_rest_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Detour(Grown):
        """The first move is legal, but the options know another way to the same place."""

        def options(self, game: object, so_far: Json = None) -> Iterator[Option]:
            for option in super().options(game, so_far):
                moves = cast(Any, option.answer).get("moves", [])
                if len(moves) != 1:
                    yield option
                else:
                    shorter = {"unit": "A1", "path": ["0305"]}
                    yield Option({**cast(Any, option.answer), "moves": [shorter]}, "shorter")

    told = _told(Detour(*STEPS), TURN, monkeypatch)
    assert told[4:6] == ['moves: {unit: A1, path: ["0305", "0306"]}', "step 5"]
    assert "shorter" not in told


def test_one_option_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _told(Grown([]), [], monkeypatch) == ["step 0"]
    assert _told(Grown({"do": "hold"}), {"do": "hold"}, monkeypatch) == ["step 0"]
    assert _told(Grown("a"), "b", monkeypatch) == ["b"]
    assert _told(Grown(["a"]), [], monkeypatch) == ["[]"]


def test_an_answer_too_long_to_look_up_is_still_told_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.archive.growth.MOST_LOOKED_AT", 3)
    decision = Grown(*STEPS)
    told = _told(decision, TURN, monkeypatch)
    assert told[0] == "step 0"
    assert told[-1] == "doctrine: {rules: [{do: retreat}]}"
    assert 'moves: {unit: A2, path: ["0305", "0405"]}' in told


jsons: st.SearchStrategy[Json] = st.recursive(
    st.integers(0, 3) | st.sampled_from(["a", "0305"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=150, deadline=None)
@given(jsons)
def test_of_every_answer_each_element_has_a_line(answer: Json) -> None:
    told = elements(answer)
    entries = answer.values() if isinstance(answer, dict) else [answer]
    lists = [len(entry) for entry in entries if isinstance(entry, list)]
    assert told and all(told)
    assert len(told) >= sum(lists)
    assert len(told) <= sum(max(1, n) for n in lists) + len(list(entries)) + 1
