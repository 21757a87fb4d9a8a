"""Decisions whose answers grow: what may come next is legal, and says what it points at."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.model.elements import form_of
from pbem.rules import Growing
from pbem.testing.growing import growth_faults
from tests.conformance.systems import ALL, over_scenarios
from tests.conformance.test_decisions import asked_in

EACH = 3
FOLLOWS = ("options", "check", "repair", "words", "warnings")
GROWING = [
    (system, kind)
    for system in ALL
    for kind, cls in sorted(system.registry.decisions.items())
    if issubclass(cls, Growing)
]


@pytest.mark.parametrize(("system", "kind"), GROWING, ids=[f"{s.name}/{k}" for s, k in GROWING])
def test_what_follows_from_the_draft_is_not_written_again(system: Any, kind: str) -> None:
    cls = system.registry.decisions[kind]
    assert form_of(cls.answer)
    again = [name for name in FOLLOWS if getattr(cls, name) is not getattr(Growing, name)]
    assert again == [], f"{kind} has its own {', '.join(again)}"


@over_scenarios
def test_answers_of_a_whole_game_grow_legally(system: Any, scenario: str) -> None:
    seen: dict[str, int] = {}
    for decision, view in asked_in(system, scenario):
        if isinstance(decision, Growing):
            seen[decision.kind] = seen.get(decision.kind, 0) + 1
            if seen[decision.kind] <= EACH:
                rng = random.Random(f"{decision.kind}/{seen[decision.kind]}")
                assert list(growth_faults(decision, view, rng)) == []
