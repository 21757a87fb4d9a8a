"""What comes later: everything put on the track arrives once, when it is due, in the order put in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.position import Position
from pbem.kit.schedule import Schedule, delay, first_place
from pbem.model.typed import Tracks


class T(Tracks):
    coming: dict[str, tuple[str, ...]] = {}


def schedule() -> tuple[Schedule[str], Any]:
    board = SimpleNamespace(position=Position(), world=None)
    return Schedule(T.of(board).coming), board.position


@given(st.lists(st.tuples(st.integers(1, 12), st.text("abc", min_size=1)), max_size=12), st.integers(0, 12))
def test_what_is_due_is_what_a_list_sorted_by_turn_has(put: list[tuple[int, str]], turn: int) -> None:
    track, position = schedule()
    for when, item in put:
        track.put(when, item)
    in_order = sorted(put, key=lambda entry: entry[0])
    assert list(track) == in_order
    assert list(track.due(turn)) == [item for when, item in in_order if when <= turn]
    assert list(track) == [entry for entry in in_order if entry[0] > turn]
    kept = position.tracks.get("coming", {})
    assert {int(when): items for when, items in kept.items()} == {
        when: [item for other, item in in_order if other == when] for when, _ in in_order if when > turn
    }


def test_an_item_can_be_found_taken_and_postponed() -> None:
    track, position = schedule()
    track.put(3, "a", "b")
    track.put(5, "c")
    assert (track.turn_of("b"), track.turn_of("x"), track.at(3), track.at(4)) == (3, None, ("a", "b"), ())
    assert track.postpone("a", 2) == 5
    assert list(track) == [(3, "b"), (5, "c"), (5, "a")]
    assert track.take("b") == 3
    assert position.tracks == {"coming": {"5": ["c", "a"]}}
    with pytest.raises(KeyError):
        track.take("b")


def test_turns_are_in_the_order_of_numbers_not_of_texts() -> None:
    track, _ = schedule()
    track.put(10, "late")
    track.put(9, "early")
    assert track.due(10) == ("early", "late")


def test_delays_and_places() -> None:
    assert (delay(4), delay(2, -4), delay(6, 2, most=6), delay(1, -3, least=0)) == (4, 1, 6, 0)
    assert first_place(["0101", "0102"], lambda hex: hex != "0101") == "0102"
    assert first_place(["0101"], lambda hex: False) is None
