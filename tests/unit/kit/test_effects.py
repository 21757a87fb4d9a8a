"""Effects and predicates: data become typed verbs; all faults are found when they are read, not later."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.effects import Effect, Not, Predicate, Vocabulary, effect, predicate
from pbem.kit.faults import bad_data
from pbem.model.codec import Name
from pbem.text.diagnostics import Diagnostic, Refused

WORDS = Vocabulary()


@effect(WORDS, "add_units", rule="5.14")
class AddUnits(Effect):
    """Counters come into a pool."""

    faction: Literal["axis", "allied"]
    counters: tuple[Name, ...]
    times: int = 1

    async def run(self, game: Any) -> None:
        game.pool += list(self.counters) * self.times

    def faults(self, world: Any) -> Iterator[Diagnostic]:
        for n, id in enumerate(self.counters):
            if id not in world:
                yield bad_data("unknown-unit", f"no counter {id}", "counters", n, name=id, names=world)


@effect(WORDS, "clear", rule="5.14")
class Clear(Effect):
    """The pool is emptied."""

    async def run(self, game: Any) -> None:
        game.pool.clear()


@predicate(WORDS, "pool_has", rule="5.14")
class PoolHas(Predicate):
    """A counter is in the pool."""

    counter: Name

    def holds(self, game: Any) -> bool:
        return self.counter in game.pool


WORLD = ("tank", "foot")


def game(*pool: str) -> Any:
    return SimpleNamespace(pool=list(pool))


def test_effects_run_in_the_order_listed_each_on_what_the_one_before_left() -> None:
    data = [{"add_units": {"faction": "axis", "counters": ["tank"]}}, "clear"]
    data.append({"add_units": {"faction": "axis", "counters": ["foot"], "times": 2}})
    here = game("old")
    for effect_ in WORDS.effects_of(data, world=WORLD):
        asyncio.run(effect_.run(here))
    assert here.pool == ["foot", "foot"]


def test_all_faults_are_found_with_their_paths() -> None:
    data: Any = [
        {"add_unts": {}},
        {"add_units": {"faction": "xis", "counters": ["tank"]}},
        {"add_units": {"faction": "axis", "counters": ["tank", "tnak"]}},
        {"clear": {}, "add_units": {}},
        7,
    ]
    with pytest.raises(Refused) as caught:
        WORDS.effects_of(data, ("card",), WORLD)
    assert [(fault.code, fault.path) for fault in caught.value.diagnostics] == [
        ("unknown-verb", ("card", 0, "add_unts")),
        ("not-one-of", ("card", 1, "add_units", "faction")),
        ("unknown-unit", ("card", 2, "add_units", "counters", 1)),
        ("wrong-type", ("card", 3)),
        ("wrong-type", ("card", 4)),
    ]
    assert caught.value.diagnostics[0].help == ("did you mean 'add_units'?",)


ATOMS = st.sampled_from(["a", "b", "c"]).map(lambda id: {"pool_has": {"counter": id}})
TREES: st.SearchStrategy[Any] = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds(lambda of: {"all": of}, st.lists(inner, max_size=3)),
        st.builds(lambda of: {"any": of}, st.lists(inner, max_size=3)),
        st.builds(lambda of: {"not": of}, inner),
    ),
    max_leaves=8,
)


def plainly(data: Any, pool: set[str]) -> bool:
    """The same question asked of the data."""
    ((word, inner),) = data.items()
    match word:
        case "all":
            return all(plainly(each, pool) for each in inner)
        case "any":
            return any(plainly(each, pool) for each in inner)
        case "not":
            return not plainly(inner, pool)
    return inner["counter"] in pool


@given(TREES, st.sets(st.sampled_from("abc")))
def test_predicates_hold_as_their_parts_do(data: Any, pool: set[str]) -> None:
    read = WORDS.predicate_of(data)
    assert read.holds(game(*pool)) == plainly(data, pool)
    assert read.as_json() == data
    assert read.said({}) or data in ({"all": []}, {"any": []}) or "[]" in str(data)


def test_no_predicate_always_holds() -> None:
    assert WORDS.predicate_of(None).holds(game())


@pytest.mark.parametrize("empty", [{}, [], "", 0, False])
def test_what_is_empty_is_no_predicate(empty: Any) -> None:
    with pytest.raises(Refused):
        WORDS.predicate_of(empty)


def test_faults_inside_combined_predicates_are_found() -> None:
    data: Any = {
        "all": [{"not": {"pool_hs": {"counter": "a"}}}, {"any": {"pool_has": {"counter": "a"}}}, {"not": 3}]
    }
    with pytest.raises(Refused) as caught:
        WORDS.predicate_of(data, ("when",))
    assert [fault.path for fault in caught.value.diagnostics] == [
        ("when", "all", 0, "not", "pool_hs"),
        ("when", "all", 1, "any"),
        ("when", "all", 2, "not"),
    ]


def test_verbs_are_said_in_the_sentences_of_the_system() -> None:
    made = AddUnits("axis", ("tank", "foot"))
    assert made.said({"add_units": "{counters} join {faction}"}) == "tank, foot join axis"
    assert made.said({}) == "add units: faction axis, counters tank, foot, times 1"
    assert Not(PoolHas("tank")).said({"pool_has": "{counter} is there"}) == "not tank is there"


def test_a_verb_cannot_be_made_twice() -> None:
    with pytest.raises(AssertionError, match="clear is there already"):

        @effect(WORDS, "clear", rule="1")
        class Again(Effect):
            """Twice."""


@pytest.mark.parametrize("data", [{"clear": None}, "clear", None, 3])
def test_effects_stand_in_a_list(data: Any) -> None:
    with pytest.raises(Refused) as error:
        WORDS.effects_of(data, ("cards", 2))
    assert [(fault.code, fault.path) for fault in error.value.diagnostics] == [("wrong-type", ("cards", 2))]
