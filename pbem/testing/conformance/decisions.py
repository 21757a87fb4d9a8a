"""Every decision can be asked, answered and explained; its default is legal."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from pbem.engine.decisions import Decision, NoDefault
from pbem.engine.resolve import faults_of
from pbem.engine.system import System
from pbem.model.codec import faults_in, from_json, to_json
from pbem.testing.examples import examples
from pbem.testing.playing import asked_at_start, whole_game
from pbem.text.yaml import load

LOOK = 25


def in_examples(system: System) -> set[str]:
    """Return the kinds of decisions that examples answer, check or list the options of."""
    kinds: set[str] = set()
    for _, example in examples(system):
        given = [*example.get("orders", {}).values()]
        kinds |= {name.split("/")[-1] for answers in given for name in answers}
        kinds |= {kind for answers in given for name in answers for kind in name.split("/")}
        kinds |= {example[what]["decision"] for what in ("check", "options") if what in example}
        for orders in example.get("standing", {}).values():
            kinds |= {
                system.standing_forms.get(form, order.get("decision", ""))
                for order in orders
                for form in order
            }
    return kinds


def test_a_decision_is_a_question_with_a_rule_and_words(system: System, kind: str) -> None:
    cls = system.registry.decisions[kind]
    assert re.fullmatch(r"[a-z][a-z0-9-]*", kind) and re.match(r"[0-9]", cls.rule)
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]
    assert fields[0].name == "player"
    assert getattr(cls, "__dataclass_params__").frozen, "a question must not change"  # noqa: B009
    doc = cls.__doc__ or ""
    assert doc.strip() and not doc.startswith(f"{cls.__name__}("), "it does not say what is decided"
    assert cls.secrecy in ("open", "together", "sealed", "kept", "readers")


def test_a_decision_has_a_sentence_whose_fields_it_has(system: System, kind: str) -> None:
    sentence = system.wording["decisions"][kind]
    known = {field.name for field in dataclasses.fields(system.registry.decisions[kind])}  # type: ignore[arg-type]
    assert set(re.findall(r"\{(\w*)\}", sentence)) <= known


def test_a_decision_is_in_an_example(system: System, kind: str) -> None:
    assert kind in in_examples(system), f"no example answers, checks or lists {kind}"


def test_examples_hold_no_decision_that_is_not_there(system: System) -> None:
    for name, example in examples(system):
        for what in ("check", "options"):
            if what in example:
                assert example[what]["decision"] in system.registry.decisions, name


def test_what_the_words_show_as_an_example_is_understood(system: System) -> None:
    """Check that the examples in order files, of long answers and standing orders, are valid."""
    for kind, text in system.wording.get("answers", {}).items():
        shown = load(text, kind).data
        of = system.registry.decisions[kind.partition("/")[0]]
        assert not faults_in(of.answer, shown), f"answers.{kind}"
    for form, text in system.wording.get("standing", {}).items():
        order = load(text, form).data
        assert list(order) == [form]
        assert not faults_in(system.standing_type(form), order[form]), f"standing.{form}"


# ---- legality --------------------------------------------------------------------------------------


def default_of(decision: Decision[Any], game: Any) -> Any:
    try:
        return to_json(decision.default(game))
    except NoDefault:
        return None


def test_defaults_and_options_at_the_start_are_legal(system: System, scenario: str) -> None:
    asked = asked_at_start(system, scenario)
    assert asked, "nobody is asked anything"
    for decision, truth, view in asked:
        default = default_of(decision, view)
        assert default_of(decision, truth) == default, "the default differs between the view and the truth"
        if default is not None:
            assert not faults_of(truth, decision, default) and not faults_of(view, decision, default)
        offered = list(islice(decision.options(view), LOOK))
        assert offered, f"{decision.kind} has no options"
        for option in offered:
            assert option.text.strip()
            if option.complete:
                assert not faults_of(truth, decision, option.answer), option


def asked_in(system: System, scenario: str) -> Iterator[tuple[Decision[Any], Any]]:
    """Yield every question of a whole game, with its player's view."""
    from pbem.bot.games import seen_by

    for stage in whole_game(system, scenario).stages:
        for question in stage.outcome.pending:
            decision = system.decision(question.kind, question.party, question.fields)
            yield decision, seen_by(system, stage.outcome, question.party)


def test_defaults_are_legal_throughout_a_whole_game(system: System, scenario: str) -> None:
    assert whole_game(system, scenario).last.finished
    seen: dict[str, int] = {}
    for decision, view in asked_in(system, scenario):
        seen[decision.kind] = seen.get(decision.kind, 0) + 1
        default = default_of(decision, view)
        if default is not None and seen[decision.kind] <= LOOK:
            assert not faults_of(view, decision, default), f"{decision}: {default}"
            assert to_json(from_json(decision.answer, default)) == default
    assert seen


def test_questions_and_keys_can_be_written_down(system: System, scenario: str) -> None:
    for stage in whole_game(system, scenario).stages:
        for question in stage.outcome.pending:
            assert re.fullmatch(r"[A-Za-z0-9_./:-]{1,100}", question.key), question.key
            assert f"/{question.kind}" in question.key
            again = system.decision(question.kind, question.party, question.fields)
            assert again.fields_json() == question.fields
