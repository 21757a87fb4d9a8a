"""Facts of a decision: declared, typed, tested by `when:` of standing orders."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest

from pbem.engine import knowing
from pbem.engine.conditions import holds
from pbem.engine.resolve import question_of
from pbem.rules import Decision, Range, decision, fact
from pbem.stages.standing_orders import fact_faults
from tests.primer import SYSTEM
from tests.primer.rules import Bid


@decision("odd", rule="1", answer=int, facts=("hex", "role"))
class Odd(Decision[int]):
    """A question."""

    player: str
    hex: str
    role: Literal["attack", "defend"]
    ratio: int | None = None

    @fact
    def turn(self, game: dict[str, int]) -> int:
        return game["turn"]

    @fact("ratio")
    def ratio_now(self, game: dict[str, int]) -> int:
        return 0 if self.ratio is None else self.ratio


def test_facts_are_named_fields_and_marked_methods_with_their_types() -> None:
    known = Odd.known_facts()
    assert {name: one.type for name, one in known.items()} == {
        "hex": str, "role": Literal["attack", "defend"], "turn": int, "ratio": int
    }  # fmt: skip
    assert [name for name, one in known.items() if one.is_number] == ["turn", "ratio"]
    facts: Any = Odd("red", "0101", "attack").facts({"turn": 3})  # type: ignore[arg-type]
    assert facts == {"hex": "0101", "role": "attack", "turn": 3, "ratio": 0}


def test_a_fact_that_hides_a_field_is_refused_when_the_class_is_made() -> None:
    def ratio(self: Any, game: object) -> int:
        return 1

    body = {"__annotations__": {"player": str, "ratio": int}, "ratio": fact(ratio)}
    Hidden = type("Hidden", (Decision,), body)
    with pytest.raises(TypeError, match="the fact 'ratio' hides the field"):
        decision("hidden", rule="1", answer=int)(Hidden)


@pytest.mark.parametrize(
    ("value", "test", "wanted"),
    [
        (3, 3, True), (3, 4, False), ("red", ["blue", "red"], True), ("red", ["blue"], False),
        (2, [1, 2], True),
        (3, {"at_least": 3}, True), (2, {"at_least": 3}, False), (4, {"at_most": 3}, False),
        (3, {"at_least": 1, "at_most": 3}, True), ("red", {"at_least": 1}, False),
    ],
)  # fmt: skip
def test_a_value_one_of_a_list_or_bounds(value: Any, test: Any, wanted: bool) -> None:
    assert holds(value, test) is wanted


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"turn": 2}, None),
        ({"turn": [1, 2]}, None),
        ({"turn": {"at_least": 2}}, None),
        ({"trun": 2}, "unknown fact of this question 'trun'. Use one of: turn"),
        ({"turn": "two"}, "found 'two', wanted a whole number"),
        ({"turn": [1, "two"]}, "found 'two', wanted a whole number"),
    ],
)
def test_a_test_that_can_never_hold_is_named_to_its_author(when: dict[str, Any], words: str | None) -> None:
    found = fact_faults(SYSTEM, [{"decision": "bid", "when": when, "answer": 1}])
    assert [fault.message for fault in found] == ([words] if words else [])


def test_bounds_are_for_numbers() -> None:
    order = {"decision": "reaction", "when": {"origin": {"at_least": 1}}, "answer": "stand"}
    (fault,) = fact_faults(SYSTEM, [order])
    assert fault.code == "bad-test" and fault.path == ("standing", 0, "when", "origin")


@pytest.mark.parametrize("opening", [True, False])
def test_a_question_to_open_what_was_sealed_says_so(opening: bool) -> None:
    asked = question_of(Bid("north"), "T1/bid", hidden=False, opening=opening, commit="ab")
    assert asked.opening is opening
    assert (asked.to_json().get("opening"), asked.to_json().get("commit")) == (
        (True, "ab") if opening else (None, None)
    )


@pytest.mark.parametrize(
    ("kind", "simple"),
    [
        (int, True), (str, True), (bool, True), (Literal["a", 1], True), (Annotated[int, Range(0, 9)], True),
        (dict, False), (tuple[int, ...], False), (int | None, False), (Literal[None], False),
    ],
)  # fmt: skip
def test_a_fact_is_a_text_a_number_or_yes_and_no(kind: Any, simple: bool) -> None:
    assert knowing.is_simple(kind) is simple


def test_fields_of_a_question_may_be_tested_too_and_keep_the_bounds_of_their_types() -> None:
    @decision("bounded", rule="1", answer=int, facts=("most",))
    class Bounded(Decision[int]):
        """A question."""

        player: str
        most: Annotated[int, Range(0, 9)]
        least: Annotated[int, Range(0, 9)]

        @fact
        def odds(self, game: object) -> Annotated[int, Range(1, 3)]:
            return 2

    known = knowing.testable(Bounded)
    assert {name: one.type for name, one in known.items()} == {
        "most": Annotated[int, Range(0, 9)],
        "least": Annotated[int, Range(0, 9)],
        "odds": Annotated[int, Range(1, 3)],
    }
    assert list(Bounded.known_facts()) == ["most", "odds"]
    assert known["least"].value(Bounded("red", 3, 1), None) == 1 and known["least"].is_number
    assert known["odds"].value(Bounded("red", 3, 1), None) == 2
