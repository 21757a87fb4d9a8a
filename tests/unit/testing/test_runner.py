"""The runner of example files: what it takes for a pass, and that it sees what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.system import System
from pbem.testing import examples, prepare, resolved, run
from pbem.testing.examples import by_name, shape_faults
from pbem.testing.expecting import event_faults, refusals
from pbem.text.diagnostics import Diagnostic, Refused
from tests.primer import SYSTEM

MOVE: dict[str, Any] = {
    "example": "M-1 a move",
    "rule": "4.1",
    "play": "T.3.1",
    "phasing": "north",
    "orders": {"north": {"next-move": {"in_turn": [{"unit": "n1", "to": "0102"}, {}]}}},
    "expect": {"counters": {"n1": {"hex": "0102"}}},
}
WEATHER = {"play": "weather", "dice": [[1, 2, 3], [1, 1], [5]], "expect": {"events": ["omen"]}}
A, B, C = {"event": "a", "n": 1}, {"event": "b"}, {"event": "a", "n": 2}


def played(**changes: Any) -> list[str]:
    unit, hex = next((i, c["hex"]) for i, c in sorted(counters().items()) if c["owner"] == "north")
    goal = next(h for h in neighbours(str(hex)) if not any(c["hex"] == h for c in counters().values()))
    example = {
        **MOVE,
        "play": "movement",
        "orders": {"north": {"next-move": {"in_turn": [{"unit": unit, "to": goal}, {}]}}},
        "expect": {"counters": {unit: {"hex": goal}}},
    }
    expect = {**example["expect"], **changes.pop("expect", {})}
    return run(SYSTEM, {**example, **changes, "expect": expect})


def counters() -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = SYSTEM.scenario(SYSTEM.scenarios()[0])["counters"]
    return found


def neighbours(hex: str) -> tuple[str, ...]:
    from tests.primer.rules import ADJACENT

    return ADJACENT[hex]


def test_an_example_passes_where_all_is_as_it_expects() -> None:
    assert played() == []
    assert played(expect={"events": ["moved"], "not_events": ["fought"]}) == []


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"gone": ["n1"]}, "n1 is still on the map"),
        ({"tracks": {"turn": 9}}, "tracks.turn is"),
        ({"events": ["fought"]}, "no event fought"),
        ({"events_exactly": ["moved"]}, "expected exactly ['moved']"),
        ({"not_events": [{"event": "moved", "owner": "north"}]}, "which must not happen"),
        ({"says": ["North moved to the moon"]}, "does not say 'North moved to the moon'"),
        ({"not_says": ["moved to"]}, "the report of public says 'moved to'"),
        ({"refused": ["illegal-answer"]}, "expected ['illegal-answer']"),
        ({"asked": {"south": ["bid"]}}, "expected {'south': ['bid']}"),
        ({"view": {"south": {"counter/n1": None}}}, "south sees counter/n1"),
    ],
)
def test_it_says_what_differs(expect: dict[str, Any], words: str) -> None:
    assert any(words in fault for fault in played(expect=expect)), played(expect=expect)


def test_the_report_is_looked_at_however_its_lines_are_broken() -> None:
    assert played(expect={"says": ["North  moved\nto"], "not_says": {"south": ["fought"]}}) == []


def test_a_text_that_a_report_lacks_is_shown_beside_its_nearest_lines_alone() -> None:
    (fault,) = played(expect={"says": ["North moved to the moon"]})
    assert len(fault) < 400 and "North moved" in fault.partition("nearest:")[2]


def test_an_example_can_be_run_again() -> None:
    given = {"tracks": {"points": {"north": 5}, "deep": {"er": {"n": 1}}}}
    game = prepare(SYSTEM, given)
    game.tracks["deep"]["er"]["n"] = 2
    game.tracks["points"]["north"] = 7
    assert given == {"tracks": {"points": {"north": 5}, "deep": {"er": {"n": 1}}}}


# ---- events ------------------------------------------------------------------------------------------


def test_events_are_all_of_their_kinds_others_may_stand_between() -> None:
    assert event_faults([A, B, C], {"events": ["a", {"event": "a", "n": 2}]}) == []
    assert event_faults([A, B, C], {"events": ["b"]}) == []
    (fault,) = event_faults([A, B, C], {"events": ["a"]})
    assert "2 events a, expected 1" in fault
    assert event_faults([A, B, C], {"events_among": ["a"]}) == []
    assert event_faults([A, B, C], {"events": ["b", "a", "a"]})


def test_events_exactly_and_not_events() -> None:
    assert event_faults([A, B], {"events_exactly": [{"event": "a", "n": 1}, "b"]}) == []
    assert event_faults([A, B], {"events_exactly": ["a"]})
    assert event_faults([A, B], {"events_exactly": [{"event": "a", "n": 2}, "b"]})
    assert event_faults([A, B], {"not_events": [{"event": "a", "n": 2}, "c"]}) == []
    assert event_faults([A, B], {"not_events": ["b"]})


# ---- refusals ----------------------------------------------------------------------------------------

FOUND = [
    Diagnostic("E-1", "no such unit", path=("moves", 0), rule="4.1"),
    Diagnostic("E-2", "too far", help=("take the road",)),
]


def test_refusals_are_exactly_those_or_among_others() -> None:
    assert refusals(FOUND, ["E-1", "E-2"]) == [] and refusals(FOUND, ["E-2", "E-1"])
    assert refusals(FOUND, ["E-1"]) and refusals(FOUND, [])
    assert refusals(FOUND, {"contains": ["E-2"]}) == [] and refusals(FOUND, {"contains": ["E-3"]})


def test_a_refusal_may_be_told_by_rule_path_and_a_part_of_its_words() -> None:
    first = {"code": "E-1", "rule": "4.1", "path": ["moves", 0], "says": "such unit"}
    assert refusals(FOUND, [first, {"code": "E-2", "says": "the road"}]) == []
    for wrong in ({"rule": "4.2"}, {"path": ["moves", 1]}, {"says": "no such hex"}):
        assert refusals(FOUND, [{**first, **wrong}, "E-2"]), wrong


# ---- variants ----------------------------------------------------------------------------------------


def test_a_variant_takes_over_what_it_does_not_change() -> None:
    model = {
        "example": "X-1 one",
        "rule": "1",
        "why": "first",
        "given": {"counters": {"a": {"hex": "0101"}}, "only": ["a"]},
        "expect": {"gone": ["a"], "events": ["b"]},
    }
    changed = {"counters": {"a": {"cv": 2}, "b": {"hex": "0102"}}, "only": None}
    variant = {"example": "X-2 two", "like": "X-1", "given": changed}
    assert resolved(variant, {"X-1": model}) == {
        "example": "X-2 two",
        "rule": "1",
        "given": {"counters": {"a": {"hex": "0101", "cv": 2}, "b": {"hex": "0102"}}},
        "expect": {"gone": ["a"], "events": ["b"]},
    }
    other = {**variant, "expect": {"events": ["c"]}}
    assert resolved(other, {"X-1": model})["expect"] == {"events": ["c"]}, "what is expected is not mixed"


def test_examples_are_called_by_their_names_or_by_a_first_word_that_no_other_has() -> None:
    listed = [{"example": "X-1 one"}, {"example": "X-1 two"}, {"example": "X-2 three"}]
    assert sorted(by_name(listed)) == ["X-1 one", "X-1 two", "X-2", "X-2 three"]


def test_a_variant_of_nothing_or_of_itself_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        resolved({"example": "X-2 two", "like": "X-11"}, {"X-1": MOVE})
    (fault,) = refused.value.diagnostics
    assert (fault.code, fault.help) == ("unknown-example", ("did you mean 'X-1'?",))
    with pytest.raises(Refused) as refused:
        resolved({"example": "X-1", "like": "X-1"}, {"X-1": {"example": "X-1", "like": "X-1"}})
    (fault,) = refused.value.diagnostics
    assert (fault.code, fault.message) == ("endless-example", "X-1 is like X-1")


# ---- start positions and shape -----------------------------------------------------------------------


def broken(reason: str | None) -> list[str]:
    system = replace(SYSTEM, invariants_hook=lambda game: ["the ford is dry"])
    given = {"breaks_invariants": reason} if reason else {}
    return run(system, {**WEATHER, "given": given})


def test_a_start_position_keeps_the_invariants_or_says_why_not() -> None:
    assert broken(None) == ["the start position breaks an invariant: the ford is dry"]
    assert broken("it is a desert") == []
    sound = {"given": {"breaks_invariants": "for no reason"}}
    assert "breaks_invariants: the start position breaks none" in played(**sound)


def test_counters_put_together_by_hand_are_not_counted() -> None:
    system = replace(SYSTEM, census_hook=lambda game: ["one too many"])
    assert run(system, WEATHER) == ["the start position breaks an invariant: one too many"]
    assert run(system, {**WEATHER, "given": {"remove": sorted(counters())[:1]}}) == []


def test_faults_of_form_are_all_named_with_their_place(tmp_path: Any) -> None:
    (tmp_path / "examples").mkdir()
    text = (
        "- example: X\n  rule: '1'\n  expct: {}\n  given: {countrs: {}}\n- {rule: '2', expect: {events: 1}}\n"
    )
    (tmp_path / "examples" / "a.yaml").write_text(text)
    system = replace(SYSTEM, _listed={}, _data={})
    system.__dict__["folder"] = tmp_path
    found = shape_faults(system)
    assert [(one.code, one.span.line if one.span else 0) for one in found] == [
        ("unknown-key", 3), ("unknown-key", 4), ("missing-key", 5), ("wrong-type", 5),
    ]  # fmt: skip
    assert 'did you mean "expect"?' in found[0].help
    with pytest.raises(Refused):
        list(examples(system))


def test_the_examples_of_the_primer_pass(system: System = SYSTEM) -> None:
    assert [run(system, example) for _, example in examples(system)] == [[]] * len(list(examples(system)))
