"""However an answer grows, it is legal; and what the engine keeps from element to element changes nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.model.elements import form_of
from pbem.rules import Diagnostic, Drafting, Entry, Game, Growing, Part, to_json
from pbem.testing.growing import drawn, plainly_next, replayed
from tests.benchmarks.big_orders import March, OrdersForTheFront, Recruits, front
from tests.unit.engine.parade import Gifts, Load, Parade, Route, Step, game

MOST = 14
WRONG: dict[str, list[Any]] = {
    "parade": [
        Part("word", "fly"),
        Part("loads", Load("W1", ("x", "x"))),
        Part("steps", Step("U2", "9")),
        Part("steps", Step("E1", "8")),
    ],
    "route": ["d", "a"],
    "gifts": [Entry("q", 1), Entry("a", 9)],
    "front-orders": [
        Part("recruits", Recruits("0000", 9)),
        Part("moves", March("S-1", ("0101",))),
        Part("moves", March("N-1", ())),
        Part("bombard", Entry("N-9", "0101")),
    ],
}


def small_front() -> Game:
    return front(24)


CASES: list[tuple[Growing[Any], Callable[[], Game]]] = [
    (Parade("red"), game),
    (Route("red"), game),
    (Gifts("red"), game),
    (OrdersForTheFront("north"), small_front),
]
over_cases = pytest.mark.parametrize(("asked", "make"), CASES, ids=[one.kind for one, _ in CASES])
over_seeds = pytest.mark.parametrize("seed", range(8))


def plainly_checked(decision: Growing[Any], game: Game, answer: Any) -> list[Diagnostic]:
    """Return the faults of each element of an answer, each on a board made for it."""
    faults_here: list[Diagnostic] = []
    before: list[tuple[Any, bool]] = []
    for path, element in form_of(decision.answer).elements(answer):
        draft = decision.draft(game.copy())
        for one, legal in before:
            if legal:
                draft.do(one)
                draft.elements.append(one)
            else:
                draft.suppose(one)
        faults = draft.faults(element)
        faults_here += [replace(fault, path=(*path, *fault.path)) for fault in faults]
        before.append((element, not faults))
    return faults_here


def plainly_repaired(decision: Growing[Any], game: Game, answer: Any) -> Any:
    """Return the elements that are legal, at least in part, after the legal ones before them."""
    legal: list[Any] = []
    for _, element in form_of(decision.answer).elements(answer):
        draft = replayed(decision, game, legal)
        left = draft.mend(element) if draft.faults(element) else element
        legal += [left] if left is not None and not draft.faults(left) else []
    lacks = form_of(decision.answer).missing(legal) or replayed(decision, game, legal).lacking()
    return decision.default(game) if lacks else form_of(decision.answer).whole(legal)


def grown(decision: Growing[Any], game: Game, rng: random.Random, most: int) -> Drafting[Any]:
    """Return an answer of at most `most` elements, each drawn from those that may come next."""
    drafting = Drafting(decision, game)
    for _ in range(most):
        offered = list(drafting.next())
        if not offered:
            break
        drafting.add(drawn(offered, rng))
    return drafting


def broken(asked: Growing[Any], game: Game, rng: random.Random) -> Any:
    """An answer of elements that were legal somewhere, and of some that never are, in a wild order."""
    seen = [*WRONG[asked.kind], *WRONG[asked.kind]]
    for _ in range(3):
        seen += grown(asked, game, rng, MOST).elements
    first = seen[0]
    rng.shuffle(seen)
    whole = form_of(asked.answer)
    return whole.whole([first, *seen] if whole.missing(seen) else seen)


@over_cases
@over_seeds
def test_what_grows_by_what_may_come_next_has_no_faults(
    asked: Growing[Any], make: Callable[[], Game], seed: int
) -> None:
    drafting = grown(asked, make(), random.Random(f"{asked.kind}/{seed}"), MOST)
    if drafting.complete:
        assert asked.check(make(), drafting.answer()) == []
        assert asked.repair(make(), drafting.answer()) == drafting.answer()
        assert len(asked.words(make(), drafting.answer())) == max(1, len(_counted(drafting)))
        assert to_json(drafting.answer()) == drafting.json()


def _counted(drafting: Drafting[Any]) -> list[Any]:
    return list(form_of(drafting.decision.answer).elements(drafting.answer()))


@over_cases
@over_seeds
def test_what_may_come_next_is_what_it_is_when_all_is_done_again(
    asked: Growing[Any], make: Callable[[], Game], seed: int
) -> None:
    rng, before = random.Random(f"{asked.kind}/{seed}"), make()
    drafting = Drafting(asked, before)
    for _ in range(MOST):
        offered = list(drafting.next())
        assert offered == plainly_next(asked, before, list(drafting.elements))
        if not offered:
            break
        for of in {id for option in offered for id in option.points.counters[:1]}:
            only = list(drafting.next(of))
            assert [option for option in offered if of in option.points.counters] == only
        one = drawn(offered, rng)
        drafting.add(one)
        assert drafting.complete == one.complete, one.text
        assert drafting.draft.game.position == replayed(asked, before, list(drafting.elements)).game.position
    if drafting.elements:
        kept = list(drafting.elements)[:-1]
        drafting.back()
        assert list(drafting.elements) == kept and list(drafting.next()) == plainly_next(asked, before, kept)


@over_cases
@over_seeds
def test_the_faults_of_an_answer_are_those_of_its_elements(
    asked: Growing[Any], make: Callable[[], Game], seed: int
) -> None:
    answer = broken(asked, make(), random.Random(f"{asked.kind}/{seed}"))
    found = asked.check(make(), answer)
    plain = plainly_checked(asked, make(), answer)
    lacking = [one for one in found if one not in plain]
    assert [one for one in found if one in plain] == plain and len(lacking) <= 1
    assert found, "an answer with elements that are never legal"


@over_cases
@over_seeds
def test_what_is_left_of_a_broken_answer_has_no_faults(
    asked: Growing[Any], make: Callable[[], Game], seed: int
) -> None:
    answer = broken(asked, make(), random.Random(f"{asked.kind}/{seed}"))
    if asked.kind == "route":
        answer = ("a", "b", *answer)  # it has no default
    left = asked.repair(make(), answer)
    assert asked.check(make(), left) == []
    assert left == plainly_repaired(asked, make(), answer)
    assert asked.repair(make(), left) == left
