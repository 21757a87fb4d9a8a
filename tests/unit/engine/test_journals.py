"""The journal of a leaf that waits: what it holds, and that nobody changes anything before it unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.adjudicate import Outcome
from pbem.engine.leaf import Divergence
from pbem.model.state import GameState, Open
from tests.primer import SYSTEM
from tests.unit.engine.test_engine import answer, first

Change = Callable[[GameState, Open], object]


def waiting() -> Outcome:
    """A leaf that has asked twice, and whose events were told."""
    outcome = answer(SYSTEM, answer(SYSTEM, first(SYSTEM), 1, card="calm"), 2, bid=0)
    outcome = answer(SYSTEM, outcome, 3, next_move={"unit": "n1", "to": "0102"})
    return answer(SYSTEM, outcome, 4, next_move={"unit": "n2", "to": "0202"})


def test_the_marks_of_a_journal_are_what_they_were() -> None:
    """Games that wait go on with another version of the program, which makes the same marks."""
    left = waiting().state.open
    assert left is not None
    assert [entry["h"] for entry in left.journal] == ["609586904d72", "2c670c2cf1ee"]


CHANGES: dict[str, Change] = {
    "an answer": lambda state, left: left.journal[0].update(answer={"unit": "n2", "to": "0202"}),
    "a mark": lambda state, left: left.journal[-1].update(h="0" * 12),
    "an entry gone": lambda state, left: left.journal.pop(0),
    "an entry twice": lambda state, left: left.journal.insert(0, left.journal[0]),
    "the order": lambda state, left: left.journal.reverse(),
    "an event more": lambda state, left: setattr(left, "told", left.told + 1),
    "the position": lambda state, left: state.position.set("s1", steps=1),
    "its digest": lambda state, left: setattr(left, "interim", "0" * 64),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_game_does_not_go_on_from_what_was_changed(name: str) -> None:
    outcome = waiting()
    left = outcome.state.open
    assert left is not None
    CHANGES[name](outcome.state, left)
    with pytest.raises(Divergence):
        answer(SYSTEM, outcome, 5, next_move={}, reaction="stand")


def test_a_game_goes_on_from_what_was_not() -> None:
    once: Any = answer(SYSTEM, waiting(), 5, next_move={}, reaction="stand")
    again: Any = answer(SYSTEM, waiting(), 5, next_move={}, reaction="stand")
    assert once.state.digest() == again.state.digest()
