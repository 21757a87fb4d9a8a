"""Tests that the schemas of a system and the code that reads orders accept and reject the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from pbem.engine import schemas
from pbem.engine.system import System
from pbem.model.codec import faults_in
from pbem.stages.standing_orders import entry_faults
from pbem.testing.examples import examples
from pbem.testing.playing import whole_game
from pbem.text.schema import check
from pbem.text.yaml import load

ODD: list[Any] = [None, 7, -1, True, "", "?", "0305", [], {}, [1], ["x", "y"]]
EACH, WRITTEN = 3, 60
_order_schemas: dict[int, tuple[System, dict[str, Any]]] = {}
_files: dict[int, tuple[System, dict[str, str]]] = {}


def order_schema(system: System) -> dict[str, Any]:
    """Return the schema of order files in which any question may be answered, made once."""
    if id(system) not in _order_schemas:
        _order_schemas[id(system)] = system, dict(schemas.orders(system))
    return _order_schemas[id(system)][1]


def in_turn(answer: Any) -> list[Any]:
    """Return the answers in an entry of an example: one, or several that are used in turn."""
    several = isinstance(answer, dict) and set(answer) == {"in_turn"}
    return list(answer["in_turn"]) if several else [answer]


def order_files(system: System) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the orders of the examples as order files, with the example's name."""
    for name, example in examples(system):
        orders, standing = example.get("orders", {}), example.get("standing", {})
        for party in {**orders, **standing}:
            answers = {key: in_turn(answers_given)[0] for key, answers_given in orders.get(party, {}).items()}
            file: dict[str, Any] = {"game": "0123456789ab", "stage": 1, "answers": answers}
            yield f"{name}, {party}", file | ({"standing": standing[party]} if party in standing else {})


def answers_to(system: System, kind: str) -> Iterator[Any]:
    """Yield answers of a kind: from examples, the words, and bots in a whole game."""
    for _, example in examples(system):
        for answers in example.get("orders", {}).values():
            yield from (
                answer
                for key, answers_given in answers.items()
                if kind in key.split("/")
                for answer in in_turn(answers_given)
            )
        if example.get("check", {}).get("decision") == kind:
            yield example["check"]["answer"]
    if kind in (shown := system.wording.get("answers", {})):
        yield load(shown[kind], kind).data
    for stage in whole_game(system, system.scenarios()[0]).stages:
        for replies in stage.inputs.replies.values():
            yield from (reply.value for key, reply in replies.items() if kind in key.split("/"))


def distinct(values: Iterator[Any]) -> list[Any]:
    """Return some different values, the longest first: they have the most places for a fault."""
    texts = sorted(
        {json.dumps(value, sort_keys=True) for value in values}, key=lambda text: (-len(text), text)
    )
    return [json.loads(text) for text in texts]


def spoilt(value: Any) -> Iterator[Any]:
    """Yield the value with one change, at every place: an odd value, a member removed or added."""
    yield from ODD
    if isinstance(value, dict):
        yield {**value, "oddity": 1}
        for key, item in value.items():
            yield {name: other for name, other in value.items() if name != key}
            yield from ({**value, key: new} for new in spoilt(item))
    elif isinstance(value, list):
        yield [*value, "oddity"]
        yield from (
            [*value[:n], new, *value[n + 1 :]] for n, item in enumerate(value) for new in spoilt(item)
        )


def validator(system: System, name: str) -> Draft202012Validator:
    """Return a validator by one of the system's schemas, which are made once."""
    if id(system) not in _files:
        _files[id(system)] = system, dict(schemas.files(system))
    return Draft202012Validator(json.loads(_files[id(system)][1][f"{system.name}/{name}.schema.json"]))


def test_the_schema_of_a_decision_takes_what_the_rules_take_and_nothing_else(
    system: System, kind: str
) -> None:
    fits = validator(system, kind).is_valid
    answer = system.registry.decisions[kind].answer
    values = distinct(answers_to(system, kind))
    assert any(fits(value) for value in values), "no answer of this kind was found"
    for value in values:
        assert fits(value) == (not faults_in(answer, value)), value
    taken = refused = 0
    for value in values[:EACH]:
        for other in spoilt(value):
            good = fits(other)
            assert good == (not faults_in(answer, other)), other
            taken, refused = taken + good, refused + (not good)
    assert refused, "the schema refuses nothing"


def test_the_schema_of_a_decision_helps_its_author(system: System, kind: str) -> None:
    schema = schemas.decision(system, kind)
    assert schema["title"] == kind and schema["x-rule"] == system.registry.decisions[kind].rule
    assert len(schema["description"]) > 20 and schema["description"].endswith(f"Rule {schema['x-rule']}.")
    assert "type" in schema or "enum" in schema, "it says nothing about the answer"


def test_the_schema_of_order_files_takes_the_orders_of_the_examples(system: System) -> None:
    known = system.registry.decisions
    count = 0
    for name, file in order_files(system):
        sound = not any(
            faults_in(known[next(k for k in known if k in key.split("/"))].answer, answer)
            for key, answer in file["answers"].items()
        )
        faults = check(file, order_schema(system))
        assert (faults == []) == sound, f"{name}: {faults}"
        count += 1
    assert count


def test_the_schema_of_order_files_takes_the_standing_orders_that_the_tool_takes(system: System) -> None:
    valid = validator(system, "orders").is_valid

    def fits(order: Any) -> bool:
        return valid({"game": "0123456789ab", "stage": 1, "standing": [order]})

    filed = distinct(order for _, file in order_files(system) for order in file.get("standing", ()))
    kinds = sorted(system.registry.decisions)
    general: list[Any] = [
        {"decision": kind, "when": {"turn": {"at_least": 2}, "holder": ["red", 3]}, "answer": value}
        for kind in kinds
        for value in distinct(answers_to(system, kind))[-2:]
    ]
    assert len(filed) + len(general) > len(kinds)
    spoilt_of: Counter[tuple[str, ...]] = Counter()
    for order in [*filed, *general]:
        members = (*sorted(order), str(order.get("decision")))
        spoilt_of[members] += 1
        for other in [order, *(spoilt(order) if spoilt_of[members] <= EACH else ())]:
            assert fits(other) == (not entry_faults(system, other, ())), other


def test_questions_of_one_stage_may_be_named_by_their_keys_alone(system: System) -> None:
    kind = sorted(system.registry.decisions)[0]
    value = distinct(answers_to(system, kind))[0]
    exact = schemas.orders(system, {f"T1/{kind}": kind})
    file = {"game": "0123456789ab", "stage": 1, "answers": {f"T1/{kind}": value}}
    assert check(file, exact) == check(file, schemas.orders(system)) == []
    other = {**file, "answers": {f"T2/{kind}": value}}
    assert [fault.code for fault in check(other, exact)] == ["unknown-key"]
    assert check(other, schemas.orders(system)) == []


# ---- as people write it -----------------------------------------------------------------------------


def bare(value: Any) -> str:
    """Return YAML in one line, with quotes only where needed: as people write it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{bare(key)}: {bare(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(bare(item) for item in value) + "]"
    if (
        isinstance(value, str)
        and value
        and all(c.isalnum() or c in "-_./" for c in value)
        and value[0] not in "-"
    ):
        return value
    return json.dumps(value)


def test_hex_numbers_and_names_need_no_quotes(system: System, kind: str) -> None:
    answer = system.registry.decisions[kind].answer
    for value in distinct(answers_to(system, kind))[:WRITTEN]:
        if not faults_in(answer, value):
            file = {"game": "0123456789ab", "stage": 1, "answers": {kind: value}}
            text = "\n".join(f"{key}: {bare(item)}" for key, item in file.items())
            assert load(text, "orders.yaml", order_schema(system)).data == file, text
