"""A saved game as text: laid out for people and for git, and read again as it was written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.model.state import GameState, Open, dump, from_json

TEXTS: dict[str, tuple[Any, str]] = {
    "words": ({"name": "Grün"}, '{\n "name": "Grün"}\n'),
    "several": ({"b": 1, "a": [1, 2]}, '{\n "b": 1,\n "a": [1, 2]}\n'),
    "nothing": ({"kept": [], "game": {}}, '{\n "kept": [],\n "game": {}}\n'),
    "a plain mapping": ({"game": {"stage": 3, "head": "ab"}}, '{\n "game": {"head": "ab", "stage": 3}}\n'),
    "an empty part": ({"game": {"b": {}, "a": []}}, '{\n "game": {"a": [], "b": {}}}\n'),
    "entries": ({"kept": [{"b": 1, "a": 2}, {}]}, '{\n "kept": [\n  {"a": 2, "b": 1},\n  {}]}\n'),
    "a mixed list": ({"at": [{"a": 1}, 2]}, '{\n "at": [{"a": 1}, 2]}\n'),
    "lists by name": (
        {"standing": {"red": [{"a": 1}, {"b": 2}], "blue": [1]}},
        '{\n "standing": {\n  "blue": [1],\n  "red": [\n   {"a": 1},\n   {"b": 2}]}}\n',
    ),
    "counters": (
        {"position": {"counters": {"R-2": {"hex": "0101"}, "R-1": {}}, "turn": 1}},
        '{\n "position": {\n  "counters": {\n   "R-1": {},\n   "R-2": {"hex": "0101"}},\n  "turn": 1}}\n',
    ),
    "depth": (
        {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}},
        '{\n "a": {\n  "b": {\n   "c": {\n    "d": {"e": {"f": 1}}}}}}\n',
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_table_of_entries_has_a_line_for_each(name: str) -> None:
    data, text = TEXTS[name]
    assert dump(data) == text and json.loads(text) == data


def state(**more: Any) -> GameState:
    first: dict[str, Any] = {
        "rules": {"name": "primer"},
        "scenario": "ford",
        "options": {},
        "players": ("north", "south"),
        "at": [],
        "position": Position.from_json({"counters": {"N-1": {"hex": "0101"}}}),
    }
    return GameState(**first | more)


WHOLE: dict[str, Any] = {
    "options": {"fog": True},
    "at": ["turn", 2],
    "standing": {"north": [{"bid": 1}]},
    "open": Open([{"roll": [3]}], "ab", 4, [{"key": "K/x"}], {"south": {"bid": 2}}),
    "kept": [{"key": "k"}],
    "game": {"stage": 3},
    "previous": "cd",
    "rulings": [{"rule": "1"}],
    "spent": {"south": ["early"]},
}


@pytest.mark.parametrize("name", [*WHOLE, None])
def test_a_state_is_read_as_it_was_written(name: str | None) -> None:
    """With one of the members that may be left out, and with all."""
    made = state(**(WHOLE if name is None else {name: WHOLE[name]}))
    data = json.loads(dump(made.to_json()))
    assert from_json(data).to_json() == made.to_json() == data
    for member in WHOLE if name is not None else ():
        assert getattr(from_json(data), member) == getattr(made, member)
        assert (member in data) == (member in (name, "options", "at"))
    assert from_json(data).digest() == made.digest() != state(scenario="mill").digest()


def test_a_leaf_that_has_asked_nothing_yet_says_only_where_it_stands() -> None:
    assert Open().to_json() == {"interim": ""}
    assert from_json({**state().to_json(), "open": {}}).open == Open()


def test_what_was_read_is_nobody_else_s() -> None:
    """Whoever changes a state that was read changes not the data that others have read too."""
    data = json.loads(dump(state(**WHOLE).to_json()))
    once = from_json(data)
    assert once.open is not None
    for listed in (once.kept, once.rulings, once.at, once.open.journal, once.open.pending):
        listed.append({})
    for named in (once.game, once.options, once.open.held, once.rules):
        named["more"] = 1
    once.standing["north"].append({})
    once.spent["south"].append("late")
    assert data == json.loads(dump(state(**WHOLE).to_json()))
