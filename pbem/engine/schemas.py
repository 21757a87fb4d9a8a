"""The JSON Schemas of a rules system, made from its types: decisions, order files, events of reports.

They are for editors, which complete and check with them, and for people who write orders with programs of
their own. What is legal now is not in them; `pbem orders check` says that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from pbem.engine.ahead import UNLESS
from pbem.engine.answers import short_key
from pbem.engine.decisions import Decision
from pbem.engine.scenarios.scenario_check import schema_for
from pbem.engine.system import System
from pbem.model.codec import schema_of
from pbem.model.events import Event
from pbem.text.messages import Message

DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://pbem.invalid/schemas/"
"""Under this every schema has its name. Nothing is ever fetched from there: `.invalid` leads nowhere."""

Schema = dict[str, Any]
Told = Callable[[str], str]
"""A description in the language of whoever reads the schema."""

_TEST: Schema = {
    "description": "a value, a list of values of which one must match, or bounds",
    "type": ["string", "integer", "boolean", "array", "object"],
    "if": {"type": "object"},
    "then": {
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {"at_least": {"type": "integer"}, "at_most": {"type": "integer"}},
    },
    "else": {
        "if": {"type": "array"},
        "then": {"minItems": 1, "items": {"type": ["string", "integer", "boolean"]}},
    },
}


def in_english(text: str) -> str:
    """Return a description as the code has it."""
    return text


def files(system: System, told: Told = in_english) -> dict[str, str]:
    """Return name -> text of every schema of a system; the names are relative to the folder of
    schemas.
    """
    kinds = sorted(system.registry.decisions)
    made = {f"{system.name}/{kind}": decision(system, kind, told) for kind in kinds}
    made[f"{system.name}/orders"] = orders(system, told=told)
    made[f"{system.name}/report"] = report(system)
    scenario = schema_for(system)
    if scenario is not None:
        made[f"{system.name}/scenario"] = {
            **_head(f"{system.name}/scenario"),
            "title": f"a scenario of {system.name}, whole",
            **scenario,
        }
    return {f"{name}.schema.json": text(schema) for name, schema in made.items()}


def text(schema: Schema) -> str:
    """Return a schema as in a file, its members in the best order for reading."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def decision(system: System, kind: str, told: Told = in_english) -> Schema:
    """Return the schema of the answers to one kind of decision."""
    answer: Schema = _described(_answer(system.registry.decisions[kind]), told)
    return _head(f"{system.name}/{kind}") | answer


ON_ILLEGAL: Schema = {
    "description": "an open answer that turns out illegal is asked again, or loses its bad parts",
    "enum": ["ask", "skip"],
}


def orders(
    system: System, asked: Mapping[str, str] | None = None, title: str = "", told: Told = in_english
) -> Schema:
    """Return the schema of a system's order files: answers by the kind of a decision or a question's key.

    `asked` (key -> kind) gives the questions of one stage, so that editors complete their keys; without it
    any key with the name of a kind in it will do. `told` puts descriptions into a language.
    """
    kinds = sorted(system.registry.decisions)
    keys = dict.fromkeys(kinds, "") | {short_key(key, kind): kind for key, kind in (asked or {}).items()}
    keys |= dict(asked or {})
    standing: Schema = {
        "description": Message("engine.schemas.takes-place-all-standing-orders"),
        "type": ["array", "null"],
        "maxItems": 200,
        "items": {"$ref": "#/$defs/standing-order"},
    }
    return {
        **_head(f"{system.name}/orders"),
        "title": told(title or Message("engine.schemas.orders", title=system.title or system.name)),
        "type": "object",
        "required": ["game", "stage"],
        "additionalProperties": False,
        "properties": _described(
            {
                "game": {
                    "description": Message("engine.schemas.first-digits-game-s-id"),
                    "type": "string",
                    "pattern": "^[0-9a-f]{12,64}$",
                },
                "stage": {
                    "description": Message("engine.schemas.stage-orders"),
                    "type": "integer",
                    "minimum": 0,
                },
                "on_illegal": ON_ILLEGAL,
                "answers": _answers(keys, kinds if asked is None else []),
                "ahead": {
                    "description": Message("engine.schemas.answers-later-questions-each-waits"),
                    "type": ["array", "null"],
                    "maxItems": 200,
                    "items": {"$ref": "#/$defs/general"},
                },
                "withdraw": {
                    "description": Message("engine.schemas.names-answers-sent-ahead-taken"),
                    "type": ["array", "string", "null"],
                    "items": {"type": "string"},
                },
                "standing": standing,
            },
            told,
        ),
        "$defs": _described(_definitions(system), told),
    }


def _answers(keys: Mapping[str, str], kinds: Collection[str]) -> Schema:
    """Return the schema of the answers: by these keys, or by any that has the name of a kind in it."""
    answers: Schema = {
        "description": Message("engine.schemas.decision-kind-whole-key-question"),
        "type": ["object", "null"],
        "properties": {key: _reference("answer", kind or key) for key, kind in keys.items()},
    }
    if kinds:
        answers["patternProperties"] = {key_pattern(kind): _reference("answer", kind) for kind in kinds}
    answers["additionalProperties"] = False
    return answers


class Joined(str):
    """A description of several sentences, each translated by itself."""

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> Joined:
        ended = [part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part]
        made = super().__new__(cls, " ".join(ended))
        made.parts = tuple(part for part in parts if part)
        return made


def _described(shape: Any, told: Told) -> Any:
    """Return a schema with its descriptions in a language."""
    if isinstance(shape, list):
        return [_described(part, told) for part in shape]
    if not isinstance(shape, dict):
        return shape
    made = {key: _described(value, told) for key, value in shape.items()}
    text = shape.get("description")
    if isinstance(text, Joined):
        made["description"] = str(Joined(*map(told, text.parts)))
    elif isinstance(text, str):
        made["description"] = told(text)
    return made


def key_pattern(kind: str) -> str:
    """Return a pattern for the keys of this kind's questions: outline place, kind, subject, number.

    No id of the outline and no seat may be called like a decision; the conformance tests see to that.
    """
    return f"(^|/){re.escape(kind)}(/|$)".replace(r"\-", "-")


def _definitions(system: System) -> Schema:
    decisions = system.registry.decisions
    made = {f"answer-{kind}": _answer(decisions[kind]) for kind in sorted(decisions)}
    for form, kind in sorted(system.standing_forms.items()):
        shape = schema_of(system.standing_type(form))
        words = Message("engine.schemas.standing-order-answers", kind=kind)
        made[f"form-{form}"] = shape | {"description": Joined(words, shape.get("description", ""))}
    forms = sorted(system.standing_forms)
    made["standing-order"] = {
        "description": Message("engine.schemas.one-system-s-own-forms"),
        "type": "object",
        "minProperties": 1,
        "if": {"required": ["decision"]},
        "then": {"allOf": [{"$ref": "#/$defs/general"}, _named(system)]},
        "else": _one_of(system, {form: _reference("form", form) for form in forms}),
    }
    made["general"] = _general(system)
    made["test"] = _TEST
    return made


def _one_of(system: System, forms: Schema) -> Schema:
    """Return one form, and `seal` beside it in a system that can seal standing orders."""
    schema: Schema = {"maxProperties": 1, "additionalProperties": False, "properties": forms}
    if system.sealed_hook is None:
        return schema
    two = {"maxProperties": 2, "properties": forms | {"seal": _SEAL}}
    return schema | two | {"if": {"required": ["seal"]}, "else": {"maxProperties": 1}}


_SEAL: Schema = {"description": Message("engine.schemas.sealed-until-its-question"), "type": "boolean"}
_NAME: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_.:-]{1,60}$"}
_PASSING: Schema = {
    "once": {"description": "used once, then spent; the name under which it is listed", **_NAME},
    "name": {"description": "the name of an entry that holds `until` a part of the turn is over", **_NAME},
    "until": {"description": "id of the part of the turn at whose end the entry expires", "type": "string"},
    "unless": {
        "description": "attacked: the entry lapses when a battle of another concerns you",
        "enum": [*UNLESS],
    },
    "subject": {
        "description": "only for the question about this, as in its key",
        "type": "array",
        "items": {"type": ["string", "integer"]},
    },
    "on_illegal": ON_ILLEGAL,
}


def _named(system: System) -> Schema:
    """Return what an entry of the standing list needs to be used once, or until a node is left."""
    named: Schema = {"if": {"required": ["once"]}, "else": {"required": ["name"]}}
    return {
        "not": {"required": ["once", "name"]},
        "properties": {"until": {"enum": [node.id for node in system.outline.walk() if node.kind != "step"]}},
        "dependentSchemas": {
            "until": named,
            "unless": named,
            "subject": named,
            "on_illegal": named,
            "name": {"required": ["until"]},
        },
    }


def _general(system: System) -> Schema:
    """Return the general form: the kind of decision determines the shape of the answer."""
    kinds = sorted(system.registry.decisions)
    return {
        "required": ["decision", "answer"],
        "additionalProperties": False,
        "properties": {
            "decision": {"description": Message("engine.schemas.kind-decision"), "enum": kinds},
            "when": {
                "description": Message("engine.schemas.facts-must-hold-all-them"),
                "type": "object",
                "additionalProperties": {"$ref": "#/$defs/test"},
            },
            "answer": {"description": Message("engine.schemas.answer-give")},
            **_PASSING,
            **({} if system.sealed_hook is None else {"seal": _SEAL}),
        },
        "allOf": [
            {
                "if": {"properties": {"decision": {"const": kind}}, "required": ["decision"]},
                "then": {"properties": {"answer": _reference("answer", kind)}},
            }
            for kind in kinds
        ],
    }


def _head(name: str) -> Schema:
    return {"$schema": DIALECT, "$id": f"{BASE}{name}.schema.json"}


def report(system: System) -> Schema:
    """Return the schema of the events in this system's reports, an addition to the schema `report`."""
    kinds = sorted(system.registry.events)
    event_schemas = [
        {
            "if": {"properties": {"kind": {"const": kind}}},
            "then": {"properties": {"fields": _reference("event", kind)}},
        }
        for kind in kinds
    ]
    return {
        **_head(f"{system.name}/report"),
        "title": f"events in turn reports of {system.name}",
        "description": "What the events of a turn report hold, by kind: in addition to report.schema.json.",
        "properties": {"events": {"items": {"allOf": event_schemas}}},
        "$defs": {f"event-{kind}": _event(system.registry.events[kind]) for kind in kinds},
    }


def _event(kind: type[Event]) -> Schema:
    """Return the schema of an event's fields; those that may be null are omitted then."""
    shape: Schema = _with_shuffle_named(schema_of(kind))
    needed = shape.get("required", ())
    shape["required"] = [key for key in needed if not _may_be_null(shape["properties"][key])]
    if not shape["required"]:
        del shape["required"]
    return {"description": f"Rule {kind.rule}.", **shape, "x-rule": kind.rule}


def _may_be_null(shape: Schema) -> bool:
    return "null" in shape.get("type", ()) or None in shape.get("enum", ())


def _with_shuffle_named(shape: Any) -> Any:
    """Return the shape with a shuffle given by its cards as `shuffle` (protocol 9.2)."""
    if isinstance(shape, list):
        return [_with_shuffle_named(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    renamed = {key: _with_shuffle_named(value) for key, value in shape.items()}
    if {"label", "before", "result"} <= set(renamed.get("properties", ())):
        renamed["properties"] = {
            {"before": "shuffle"}.get(k, k): part for k, part in renamed["properties"].items()
        }
        renamed["required"] = [{"before": "shuffle"}.get(key, key) for key in renamed["required"]]
    return renamed


def _answer(asked: type[Decision[Any]]) -> Schema:
    """Return the schema of an answer with the description of its decision."""
    shape = schema_of(asked.answer)
    words = Joined(_doc(asked), shape.pop("description", ""), f"Rule {asked.rule}.")
    return {"title": asked.kind, "description": words, "x-rule": asked.rule, **shape}


def _reference(sort: str, name: str) -> Schema:
    return {"$ref": f"#/$defs/{sort}-{name}"}


def _doc(asked: type[Decision[Any]]) -> str:
    """Return the docstring as one line, or "" if `dataclass` wrote it."""
    doc = asked.__doc__ or ""
    return "" if doc.startswith(f"{asked.__name__}(") else " ".join(doc.split())
