"""Answers that grow by elements: what may come next, what is wrong, what is left, and what it means."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.model.elements import form_of
from pbem.rules import (
    NOTHING,
    Diagnostic,
    Draft,
    Drafting,
    Entry,
    Game,
    Growing,
    Next,
    NoDefault,
    Part,
    Points,
    from_json,
    to_json,
)
from pbem.testing.growing import growth_faults
from tests.benchmarks.big_orders import OrdersForTheFront, Staff, front
from tests.unit.engine.parade import Gifts, Load, Marching, Orders, Parade, Route, Step, Walk, game

MARCH = Part("word", "march")


def marching(*elements: Any) -> Drafting[Orders]:
    drafting = Drafting(Parade("red"), game())
    for element in (MARCH, *elements):
        assert drafting.offer(element) == []
    return drafting


def offered(drafting: Drafting[Any], of: str | None = None) -> list[str]:
    return [one.text for one in drafting.next(of)]


def faults(answer: Any) -> list[tuple[str, tuple[str | int, ...]]]:
    found = Parade("red").check(game(), from_json(Orders, answer))
    return [(one.code, one.path) for one in found]


# what may come next


def test_an_answer_begins_with_what_must_be_given() -> None:
    drafting = Drafting(Parade("red"), game())
    assert [(one.text, one.complete) for one in drafting.next()] == [("halt", True), ("march", False)]
    assert [one.path for one in drafting.lacking] == [()] and "word" in drafting.lacking[0].message


def test_each_element_is_listed_on_the_board_that_those_before_it_leave() -> None:
    drafting = marching()
    assert "U2 steps from 2 to 3" in offered(drafting) and "U1 steps from 1 to 2" not in offered(drafting)
    drafting.offer(Part("steps", Step("U2", "3")))
    assert "U1 steps from 1 to 2" in offered(drafting) and "U2 steps from 3 to 4" not in offered(drafting)


def test_an_answer_grows_in_the_order_of_its_sections() -> None:
    drafting = marching(Part("steps", Step("U2", "3")))
    assert not any("ready" in text for text in offered(drafting))
    drafting.put(Part("with", True))
    assert offered(drafting) == []


def test_of_a_counter_or_a_place_only_what_begins_there_is_listed() -> None:
    drafting = marching(Part("loads", Load("W1")))
    of_unit = ["U2 steps from 2 to 3", "U2 keeps the rear", "U2 gets 2"]
    assert offered(drafting, "U2") == of_unit == offered(drafting, "2")
    assert offered(drafting, "E1") == [] == offered(drafting, "5")
    drafting.offer(Part("steps", Step("U2", "3")))
    assert offered(drafting, "2") == [] and offered(drafting, "3") == of_unit[1:]


def test_of_a_place_that_an_option_points_at_without_a_counter() -> None:
    assert offered(Drafting(Route("red"), game()), "b") == ["to b"]


def test_a_longer_form_takes_the_place_of_the_last_element() -> None:
    drafting = marching(Part("loads", Load("W1")))
    for man in ("x", "y"):
        drafting.add(next(one for one in drafting.next("W1") if one.text.startswith(man)))
    assert drafting.answer() == Orders("march", loads=(Load("W1", ("x", "y")),))
    assert drafting.json() == {"word": "march", "loads": [{"wagon": "W1", "men": ["x", "y"]}]}
    assert [text for text in offered(drafting) if "gets on" in text] == ["z gets on W1"]


def test_a_longer_form_that_the_draft_cannot_do_itself_is_done_on_a_board_without_the_last() -> None:
    drafting = marching(Part("steps", Step("U2", "3")))
    drafting.put(Part("steps", Step("U3", "5")), instead=True)
    on_board = drafting.draft.game.position
    assert (on_board.hex("U2"), on_board.hex("U3")) == ("2", "5")


def test_a_longer_form_is_of_the_same_section(monkeypatch: pytest.MonkeyPatch) -> None:
    drafting = marching(Part("steps", Step("U2", "3")))
    wrong = Next(Part("with", True), "with music in place of a step", instead=True)
    monkeypatch.setattr(drafting.draft, "next", lambda of: iter([wrong]))
    assert list(drafting.next()) == []


def test_elements_are_taken_back() -> None:
    drafting = marching(Part("steps", Step("U2", "3")), Part("steps", Step("U1", "2")))
    drafting.back()
    assert drafting.json() == to_json(Orders("march", steps=(Step("U2", "3"),)))
    assert drafting.draft.game.position.hex("U1") == "1"


def test_the_game_is_not_touched() -> None:
    before = game()
    was = before.position.copy()
    drafting = Drafting(Parade("red"), before, Orders("march", steps=(Step("U2", "3"),)))
    list(drafting.next())
    Parade("red").check(before, drafting.answer())
    assert before.position == was


def test_a_section_that_is_there_and_empty_is_not_a_section_that_is_left_out() -> None:
    drafting = marching(Part("loads", Load("W1")), Part("rear", NOTHING))
    assert drafting.json() == {"word": "march", "loads": [{"wagon": "W1"}], "rear": []}
    assert drafting.answer().rear == ()
    assert marching(Part("loads", Load("W1"))).answer().rear is None


def test_a_section_that_was_begun_empty_grows() -> None:
    drafting = marching(Part("loads", Load("W1")), Part("rear", NOTHING))
    before = drafting.json()
    drafting.put(Part("rear", "U1"))
    assert drafting.json() == {"word": "march", "loads": [{"wagon": "W1"}], "rear": ["U1"]}
    assert before == {"word": "march", "loads": [{"wagon": "W1"}], "rear": []}


def test_mappings_grow_by_entries() -> None:
    drafting = Drafting(Gifts("red"), game())
    assert drafting.complete and drafting.answer() == {}
    drafting.add(list(drafting.next())[1])
    drafting.add(next(drafting.next()))
    assert drafting.answer() == {"a": 2, "b": 1} == drafting.json()


def test_whole_answers_are_listed_for_whoever_does_not_grow_them() -> None:
    options = list(Route("red").options(game()))
    assert [(one.answer, one.complete) for one in options] == [(["a"], False), (["b"], False), (["c"], False)]
    assert [(o.answer, o.text, o.complete, o.points) for o in Route("red").options(game(), ("b",))] == [
        (["b", "a"], "to a", True, Points(start="a")),
        (["b", "c"], "to c", True, Points(start="c")),
    ]
    assert next(Gifts("red").options(game())).text == "nothing"


# what is wrong, and what is left


def test_every_fault_is_told_with_its_path_in_the_answer() -> None:
    answer = {
        "word": "march",
        "loads": [{"wagon": "W1", "men": ["x", "x", "q"]}],
        "steps": [{"unit": "U2", "to": "3"}, {"unit": "E1", "to": "8"}, {"unit": "U2", "to": "4"}],
    }
    assert faults(answer) == [
        ("no-man", ("loads", 0, "men", 1)),
        ("no-man", ("loads", 0, "men", 2)),
        ("no-unit", ("steps", 1, "unit")),
        ("in-the-way", ("steps", 2, "to")),
    ]


def test_what_is_supposed_keeps_one_fault_from_being_told_twice() -> None:
    assert faults({"word": "fly", "steps": [{"unit": "U2", "to": "3"}]}) == [
        ("no-word", ("word",)),
    ]


def test_an_answer_that_lacks_something_may_not_be_sent() -> None:
    assert faults({"word": "march"}) == [("nothing-marches", ("word",))]
    assert faults({"word": "halt"}) == []


def test_paths_into_mappings_and_lists() -> None:
    assert [one.path for one in Gifts("red").check(game(), {"a": 1, "q": 1})] == [("q",)]
    assert [one.path for one in Route("red").check(game(), ("a", "b", "a"))] == [(2,)]


def test_faulty_elements_are_dropped_and_the_rest_stays_in_order() -> None:
    steps = tuple(Step(*one) for one in [("U2", "3"), ("U3", "9"), ("U1", "2"), ("E1", "8")])
    left = Parade("red").repair(game(), Orders("march", steps=steps))
    assert left == Orders("march", steps=(Step("U2", "3"), Step("U1", "2")))


def test_what_can_be_mended_of_an_element_stays() -> None:
    broken = Orders("march", loads=(Load("W1", ("q", "x", "x", "y")), Load("W2", ("x",))))
    left = Parade("red").repair(game(), broken)
    assert left == Orders("march", loads=(Load("W1", ("x", "y")), Load("W2")))


def test_what_cannot_be_sent_after_repair_gives_the_default() -> None:
    assert Parade("red").repair(game(), Orders("fly", steps=(Step("U2", "3"),))) == Orders("halt")
    assert Parade("red").repair(game(), Orders("march", steps=(Step("E1", "8"),))) == Orders("halt")


def test_doubts_are_told_of_a_legal_answer() -> None:
    answer = Orders("march", steps=(Step("U2", "3"), Step("W2", "8")))
    assert Parade("red").check(game(), answer) == []
    assert [one.path for one in Parade("red").warnings(game(), answer)] == [("steps", 1, "to")]


# in words


def test_an_answer_in_words_is_a_line_an_element() -> None:
    steps = (Step("U2", "3"), Step("U2", "4"), Step("U1", "2"))
    answer = Orders("march", steps=steps, pay={"U1": 2})
    assert Parade("red").words(game(), answer)[:2] == ["word: march", "U2 steps from 2 to 3"]
    assert Parade("red").words(game(), answer)[-1] == "pay: U1: 2"
    assert Gifts("red").words(game(), {}) == ["nothing"]


def test_what_only_doing_an_element_shows_is_told_where_the_answer_is_wanted_in_words() -> None:
    class Counting(Draft[Entry[int]]):
        done = 0

        def faults(self, element: Entry[int]) -> list[Diagnostic]:
            return []

        def do(self, element: Entry[int]) -> None:
            assert self.speaks
            self.done += element.value

        def told(self, element: Entry[int]) -> str | None:
            return f"{self.done} by now" if element.value > 1 else None

    class Pay(Gifts):
        def draft(self, game: Game) -> Any:
            return Counting(game, self.player)

    assert Pay("red").words(game(), {"a": 2, "b": 1, "c": 4}) == ["2 by now", "b: 1", "7 by now"]


@pytest.mark.parametrize("to", ["8", "9"])
def test_all_that_is_told_of_an_answer_comes_of_one_look_at_it(to: str) -> None:
    answer, red = Orders("march", steps=(Step("U2", "3"), Step("W2", to), Step("E1", "8"))), Parade("red")
    for one in (answer, replace(answer, steps=answer.steps[:2])):
        told = red.explained(game(), one)
        assert list(told.faults) == red.check(game(), one)
        assert list(told.doubts) == ([] if told.faults else red.warnings(game(), one))
        assert list(told.words) == ([] if told.faults else red.words(game(), one))


# what the authors' test of growing drafts finds


def test_a_sound_draft_grows_without_faults() -> None:
    assert [f for n in range(20) for f in growth_faults(Parade("red"), game(), random.Random(n), 12)] == []


@pytest.mark.parametrize(
    ("what", "broken", "told"),
    [
        ("words", lambda self, element: " ", "no words"),
        ("lacking", lambda self: [Diagnostic("x", "never")], "says complete=True"),
        ("concerns", lambda self, of, id: of is None, "is not listed for"),
        ("faults", lambda self, element: [Diagnostic("x", "never")], "grew and is refused"),
    ],
)
def test_a_draft_that_contradicts_itself_is_found_out(
    monkeypatch: pytest.MonkeyPatch, what: str, broken: Any, told: str
) -> None:
    if what == "faults":
        monkeypatch.setattr(Walk, "faults", broken)
        found = [f for n in range(9) for f in growth_faults(Route("red"), game(), random.Random(n))]
    else:
        monkeypatch.setattr(Marching, what, broken)
        found = [f for n in range(40) for f in growth_faults(Parade("red"), game(), random.Random(n))]
    assert any(told in fault for fault in found), found[:3]


def test_a_draft_that_keeps_something_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, board = OrdersForTheFront("north"), front(24)
    monkeypatch.setattr(Staff, "lengthen", lambda self, last, longer: True)
    found = [f for n in range(20) for f in growth_faults(asked, board, random.Random(f"keep/{n}"))]
    assert any("offers something else than a new one" in fault for fault in found)


# how answers come apart


@pytest.mark.parametrize(
    "answer",
    [
        Orders("halt"),
        Orders("march", (Load("W1", ("x",)),), (Step("U1", "2"), Step("U2", "3")), ("U1",), {"U1": 2}, True),
        Orders("march", rear=(), pay={}),
    ],
)
def test_an_answer_is_put_together_from_its_elements(answer: Orders) -> None:
    form = form_of(Orders)
    elements = [element for _, element in form.elements(answer)]
    assert form.whole(elements) == answer
    grown = form.nothing()
    for element in elements:
        grown = form.add(grown, form.written(element))
    assert grown == to_json(answer) == form.together([form.written(one) for one in elements])


def test_elements_as_they_stand_in_an_order_file() -> None:
    form = form_of(Orders)
    assert str(form.written(Part("steps", Step("U1", "2")))) == 'steps: {unit: U1, to: "2"}'
    assert str(form.written(Part("pay", Entry("U1", 2)))) == "pay: U1: 2"
    assert str(form.written(Part("rear", NOTHING))) == "rear: []"
    assert str(form_of(tuple[str, ...]).written("a")) == "a"


def test_a_type_without_elements_cannot_grow() -> None:
    with pytest.raises(TypeError, match="no elements"):
        form_of(int)


# what an option points at


def test_an_option_ends_where_its_way_does_unless_it_says_otherwise() -> None:
    assert Points(way=("2", "3")).last == "3" and Points(way=("2",), end="9").last == "9"
    assert Points().last is None and Points().to_json() == {"kind": "other"}


def test_cost_and_risk_on_one_line() -> None:
    assert Points(cost=(("MP", 3), ("SP", 1)), risk="3:1").text == "3 MP, 1 SP; 3:1"
    found = Points(("U1",), way=("2",), cost=(("MP", 3),)).to_json()
    assert found.pop("kind") == "move" and found.pop("units") == ["U1"]
    assert found == {"counters": ["U1"], "way": ["2"], "end": "2", "cost": {"MP": 3}}


def test_next_elements_are_values() -> None:
    assert Next("a", "to a") == Next("a", "to a")


# what counts for those who do not answer


def test_who_does_not_answer_does_nothing_where_that_may_be_sent() -> None:
    assert Gifts("red").default(game()) == {}


def test_there_is_no_default_where_something_must_be_given_or_nothing_may_not_be_sent() -> None:
    with pytest.raises(NoDefault, match="two towns at least"):
        Route("red").default(game())
    with pytest.raises(NoDefault, match="'word' is missing"):
        Growing.default(Parade("red"), game())
