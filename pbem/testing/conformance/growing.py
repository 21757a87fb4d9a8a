"""Decisions whose answers grow: what may come next is legal, and says what it points at."""

from __future__ import annotations

import random

from pbem.engine.system import System
from pbem.model.elements import form_of
from pbem.rules import Growing
from pbem.testing.conformance.decisions import asked_in
from pbem.testing.growing import growth_faults

EACH = 3
FOLLOWS = ("options", "check", "repair", "words", "warnings")


def test_what_follows_from_the_draft_is_not_written_again(system: System, growing: str) -> None:
    cls = system.registry.decisions[growing]
    assert form_of(cls.answer)
    again = [name for name in FOLLOWS if getattr(cls, name) is not getattr(Growing, name)]
    assert again == [], f"{growing} has its own {', '.join(again)}"


def test_answers_of_a_whole_game_grow_legally(system: System, scenario: str) -> None:
    seen: dict[str, int] = {}
    for decision, view in asked_in(system, scenario):
        if isinstance(decision, Growing):
            seen[decision.kind] = seen.get(decision.kind, 0) + 1
            if seen[decision.kind] <= EACH:
                rng = random.Random(f"{decision.kind}/{seen[decision.kind]}")
                assert list(growth_faults(decision, view, rng)) == []
