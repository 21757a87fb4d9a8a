"""Decisions whose answers grow: what may come next is legal, and says what it points at."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.model.codec import to_json
from pbem.model.elements import form_of
from pbem.rules import Drafting, Game, Growing
from tests.conformance.systems import ALL, over_scenarios
from tests.conformance.test_decisions import asked_in
from tests.properties.growing import drawn, plainly_next

EACH, MOST = 3, 8
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
                grows_legally(decision, view, random.Random(f"{decision.kind}/{seen[decision.kind]}"))


def grows_legally(decision: Growing[Any], view: Game, rng: random.Random) -> None:
    """Grow an answer by chance and look at every step of it."""
    drafting = Drafting(decision, view)
    for _ in range(MOST):
        offered = list(drafting.next())
        assert offered == plainly_next(decision, view, list(drafting.elements)), (
            "a draft that is kept differs"
        )
        if not offered:
            break
        one = drawn(offered, rng)
        assert one.text.strip()
        for of in one.points.counters[:1]:
            assert one in list(drafting.next(of)), f"{one.text} is not listed for {of}"
        drafting.add(one)
        assert drafting.complete == one.complete, one.text
    if drafting.complete:
        answer = drafting.answer()
        assert to_json(answer) == drafting.json()
        assert decision.check(view, answer) == [], f"{decision.kind}: {drafting.json()}"
        assert decision.repair(view, answer) == answer
