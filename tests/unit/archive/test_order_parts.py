"""Parts of an order file on their own: names and lists of answers ahead, faults at their places, forms."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.ordering import answers_ahead, in_one_wave, order_form, row_entries
from pbem.archive.ordering.nothing_more import NothingMore
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message, in_language
from tests.primer import FOG, SYSTEM
from tests.unit.engine.parade import Parade, game

LASTS: Any = {"reaction": "hold"}
ONE: Any = {"decision": "card", "once": "one", "answer": 1}
TWO: Any = {"decision": "card", "name": "two", "answer": 2}
THREE: Any = {"decision": "bid", "once": "three", "answer": 3}


# --- answers ahead --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("taken", "alone", "name"),
    [
        ([], False, "card-4"),
        (["card-4"], True, "card-after-4"),
        (["card-4"], False, "card-4-2"),
        (["card-4", "card-4-2", "card-4-4"], False, "card-4-3"),
        (["card-after-4"], True, "card-after-4-2"),
    ],
)
def test_an_answer_without_a_name_gets_a_free_one(taken: list[str], alone: bool, name: str) -> None:
    assert answers_ahead.fresh_name("card", 4, taken, alone=alone) == name


def test_what_is_signed_is_what_lasts_then_what_waits_then_what_is_new() -> None:
    before = [ONE, LASTS, TWO, THREE, "odd"]
    assert answers_ahead.waiting(before) == [ONE, TWO, THREE]
    assert answers_ahead.lasting(before) == [LASTS, "odd"]
    new = {**THREE, "answer": 9}
    other: Any = {"reaction": "go"}
    named: Any = {"reaction": "go", "name": "two"}
    merged = answers_ahead.merged
    assert merged(before, None, [], []) == [LASTS, "odd", ONE, TWO, THREE]
    assert merged(before, None, [new], ["one"]) == [LASTS, "odd", TWO, new]
    assert merged(before, [other], [], ["two", "four"]) == [other, ONE, THREE]
    assert merged(before, [named], [], []) == [named, ONE, THREE]
    assert merged(before, [], [], []) == [ONE, TWO, THREE]
    assert merged([], None, [new], []) == [new]


def test_what_is_withdrawn_waits() -> None:
    before = [ONE, LASTS, TWO]
    assert answers_ahead.withdrawn(before, "all", ("withdraw",)) == (["one", "two"], [])
    assert answers_ahead.withdrawn(before, ["two"], ("withdraw",)) == (["two"], [])
    names, (wrong,) = answers_ahead.withdrawn(before, {"one": 1}, ("withdraw",))
    assert (names, wrong.code, wrong.path) == ([], "wrong-type", ("withdraw",))
    names, faults = answers_ahead.withdrawn(before, ["one", "twoo", 7], ("withdraw",))
    assert [(fault.code, fault.path, bool(fault.help)) for fault in faults] == [
        ("unknown-name", ("withdraw", 1), True),
        ("unknown-name", ("withdraw", 2), False),
    ]
    assert "one" in faults[0].message and "two" in faults[0].help[0]


PLACES = [
    ("Movement", "", "movement"),
    ("movement", "", "movement"),
    ("Game turn", "", "T"),
    ("player turn", "", "P"),
    ("T", "", "T"),
    ("Nowhere", "", "Nowhere"),
    (3, "", 3),
]


@pytest.mark.parametrize(("until", "place", "found"), PLACES)
def test_a_part_of_the_turn_may_be_named_in_words(until: Any, place: str, found: Any) -> None:
    entries: Any = [{"decision": "card", "until": until}, {"decision": "card"}, 4]
    assert answers_ahead.with_ids(SYSTEM, entries, place) == [
        {"decision": "card", "until": found},
        *entries[1:],
    ]
    assert answers_ahead.with_ids(SYSTEM, "odd", place) == "odd"


def test_of_several_parts_with_one_name_the_one_here_counts() -> None:
    def node(id: str, label: str, *children: Any) -> Any:
        made = SimpleNamespace(id=id, label=label, children=children)
        made.find = lambda id: None
        return made

    turns = [node(f"T{n}", f"Week {{n}} of {n}", node(f"M{n}", "Movement")) for n in (1, 2)]
    system: Any = SimpleNamespace(outline=node("root", "", *turns))

    def found(place: str) -> Any:
        return answers_ahead.with_ids(system, [{"until": "movement"}], place)[0]["until"]

    assert found("Week 12 of 2, Movement, north") == "M2"
    assert found("Week 12 of 1, Movement") == "M1"
    assert found("Week 12 of 1, Movements") == "movement"
    assert found("elsewhere") == "movement", "nobody can say which one"


WRONG_LISTS: dict[str, tuple[Any, list[tuple[str, tuple[Any, ...]]]]] = {
    "no list": ({"decision": "card"}, [("wrong-type", ("ahead",))]),
    "no entries": ([3, {"answer": 1}, "x"], [("wrong-type", ("ahead", n)) for n in range(3)]),
    "nothing": ([], []),
    "an unknown kind": ([{"decision": "cord", "answer": 1}], [("unknown-key", ("ahead", 0, "decision"))]),
}


@pytest.mark.parametrize("case", WRONG_LISTS)
def test_a_list_ahead_that_is_none(case: str) -> None:
    listed, wanted = WRONG_LISTS[case]
    faults = answers_ahead.added_faults(SYSTEM, listed, ("ahead",))
    assert [(fault.code, fault.path) for fault in faults] == wanted


def test_what_the_last_stage_refused_of_mine() -> None:
    facts = {
        "ahead/north/2": {"result": "refused", "name": "b"},
        "ahead/north/1": {"result": "used", "name": "a"},
        "ahead/north/0": "odd",
        "ahead/north/3": {"result": "refused", "name": 7},
        "ahead/south/1": {"result": "refused", "name": "theirs"},
        "standing/north": [ONE],
    }
    view: Any = SimpleNamespace(facts=facts)
    folder: Any = SimpleNamespace(need_me=lambda: "north", view=lambda: view)
    assert answers_ahead.refused(folder) == ["b", "7"]
    assert answers_ahead.in_force(folder) == [ONE]
    assert answers_ahead.in_view(view, "south") == []


def test_what_nobody_may_read_does_not_wait_in_an_open_game() -> None:
    may = {
        system.name: [kind for kind in system.registry.decisions if answers_ahead.may_wait(system, kind)]
        for system in (SYSTEM, FOG)
    }
    assert "card" not in may[SYSTEM.name] and "next-move" in may[SYSTEM.name]
    assert set(may[SYSTEM.name]) < set(may[FOG.name])
    assert list(order_form.kinds(SYSTEM)) == sorted(may[SYSTEM.name])


# --- the entries of a row -------------------------------------------------------------------------------


def test_entries_of_a_row_are_told_by_their_names() -> None:
    mine = [{"decision": "next-move", "once": f"next-move-4-{n}", "answer": n} for n in (1, 12)]
    others: list[Any] = [
        {"decision": "next-move", "once": "next-move-3-1", "answer": 1},
        {"decision": "card", "once": "next-move-4-2", "answer": 1},
        {"decision": "next-move", "once": "next-move-4-3"},
        {"decision": "next-move", "name": "next-move-4-3", "answer": 1},
        {"decision": "next-move", "once": "next-move-4", "answer": 1},
        {"decision": "next-move", "once": 4, "answer": 1},
        "odd",
    ]
    assert row_entries.parted([others[0], *mine, *others[1:]], 4) == ({1: mine[0], 12: mine[1]}, others)
    assert row_entries.parted("odd", 4) == ({}, [])


def test_the_foreseen_answers_of_a_row_become_entries() -> None:
    kind = SimpleNamespace(kind="next-move")

    def step(number: int, entry: Any, rest: Any = None) -> Any:
        return SimpleNamespace(number=number, entry=entry, rest=rest, decision=kind, answer=f"go {number}")

    first, second, last = step(0, {"a": 1}), step(2, {"a": 1, "once": "x"}), step(3, None, {"until": "P"})
    assert row_entries.entries([first, second, last], 4) == {
        2: {"a": 1, "once": "next-move-4-2", "answer": "go 2"}
    }
    assert row_entries.rest_of(NothingMore("P", (second, last)), 4) == {
        "until": "P",
        "name": "rest-next-move-4",
        "answer": "go 3",
    }
    assert row_entries.rest_of(NothingMore("P", (last, second)), 4) is None


# --- faults of a long answer ----------------------------------------------------------------------------


def test_elements_left_out_move_the_others_back_to_their_places() -> None:
    value: Any = {"steps": [0, 1, [2, 3], 3], "more": {"x": [4, 5]}, "one": 6}
    gone = {("steps", 0), ("steps", 2), ("more", "x", 1)}
    rest: Any = {"steps": [1, 3], "more": {"x": [4]}, "one": 6}
    assert in_one_wave._without(value, gone) == rest
    for left, place in ((0, 1), (1, 3)):
        fault = Diagnostic("odd", "odd", path=("steps", left, "to", 7))
        assert in_one_wave._moved(fault, gone).path == ("steps", place, "to", 7)
    assert in_one_wave._moved(Diagnostic("odd", "odd", path=("more", "x", 0)), gone).path == ("more", "x", 0)
    assert in_one_wave._element(("more", "x", 0, 1)) == ("more", "x", 0)
    assert in_one_wave._element(("more",)) == ()


ANSWERS: dict[str, tuple[Any, list[tuple[Any, ...]]]] = {
    "legal": ({"word": "halt"}, []),
    "no answer at all": ("odd", [()]),
    "a fault beside the list": ({"word": 3, "steps": [{"unit": "a", "to": "2"}]}, [("word",)]),
    "the rules refuse what is well formed": (
        {"word": "march", "steps": [{"unit": "nowho", "to": "2"}]},
        [("steps", 0)],
    ),
    "behind what is malformed": (
        {"word": "march", "steps": [7, {"unit": "nowho", "to": "2"}, 8, {"unit": "nobody", "to": "3"}]},
        [("steps", 0), ("steps", 2), ("steps", 1)],
    ),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_each_fault_of_an_answer_is_at_its_place(case: str) -> None:
    answer, places = ANSWERS[case]
    faults = in_one_wave.explained(game(), Parade("red"), answer).faults
    found = [fault.path[: len(place)] for fault, place in zip(faults, places, strict=False)]
    assert found == places and bool(faults) == bool(places)


# --- forms ----------------------------------------------------------------------------------------------


SHAPES: list[tuple[Any, str]] = [
    ({"properties": {"a": {"type": "string"}, "b": {"enum": ["x", 2]}}}, "{a: STRING, b: x | 2}"),
    ({"minimum": 1, "maximum": 6, "type": "integer"}, "1-6"),
    ({"type": "array", "items": {"enum": ["x"]}}, "[x, ...]"),
    ({"type": "array"}, "[...]"),
    ({"type": "string", "description": "a hex"}, "A HEX"),
    ({}, "ANYTHING"),
]


@pytest.mark.parametrize(("schema", "shown"), SHAPES)
def test_a_form_is_shown_in_one_line(schema: Any, shown: str) -> None:
    assert order_form._shape(schema) == shown


def test_comments_are_one_line_each() -> None:
    assert order_form._plain("a\n  b\x07c\u2028d") == "a b c d"
    assert order_form._clean("a\n  b\x07c") == "a   b c"
    assert order_form._wrapped("x\n y") == ["  # x y"]
    text = f"{'word ' * 17}here (rule 12.34) and more"
    lines = order_form._wrapped(text)
    assert [line.endswith("here") for line in lines] == [True, False]
    assert lines[1] == "  # (rule 12.34) and more"
    assert order_form._wrapped(text.replace("rule", "Regel"))[1] == "  # (Regel 12.34) and more"
    assert max(map(len, order_form._wrapped("word " * 60))) <= 100
    assert order_form._wrapped(f"{'x' * 40} {'y' * 55}") == [f"  # {'x' * 40} {'y' * 55}"]
    assert order_form._wrapped(f"{'x' * 40} {'y' * 56}") == [f"  # {'x' * 40}", f"  # {'y' * 56}"]


def test_comments_are_in_the_language_of_the_order() -> None:
    def voice(text: Any) -> str:
        return in_language(text, "de")

    system: Any = SimpleNamespace(name="x")
    english, german = order_form.Comments(system), order_form.Comments(system, "de", voice)
    assert english("archive.form.more") == f"# {Message('archive.form.more')}"
    assert german("archive.form.more") != english("archive.form.more")
    assert german("archive.form.more").startswith("# ")
    for line in german.wrapped("archive.form.you-may-answer-ahead"):
        assert line.startswith("# ") and len(line) <= 110


def test_values_in_sentences_are_translated() -> None:
    known = {"north": "Norden"}
    assert order_form._in_words(["north", ["west", 3]], known) == "Norden, west, 3"
    assert order_form._in_words({"a": None}, known) == "{a: null}"


def test_of_several_questions_of_a_kind_the_first_is_shown() -> None:
    coming: list[Any] = [
        SimpleNamespace(decision=SimpleNamespace(kind=kind), n=n) for n, kind in enumerate("aba")
    ]
    assert [question.n for question in order_form._first_of_each(coming)] == [0, 1]
