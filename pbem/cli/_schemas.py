"""The JSON Schemas that are made from a rules system: one per decision, and one of its whole order file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.engine.system import System

DRAFT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://pbem.invalid/schemas"


def generated(system: System) -> dict[str, str]:
    """Path below `schemas/` -> text, for one system."""
    from pbem.model.codec import schema_of

    files: dict[str, dict[str, Any]] = {}
    answers: dict[str, Any] = {}
    for kind, cls in sorted(system.registry.decisions.items()):
        answers[kind] = schema_of(cls.answer)
        title = f"{system.name}: answer to {kind}"
        words = " ".join((cls.__doc__ or "").split())
        path = f"{system.name}/{kind}.schema.json"
        files[path] = _headed(path, title, answers[kind] | {"description": f"{words} [{cls.rule}]"})
    path = f"{system.name}/standing.schema.json"
    files[path] = _headed(path, f"{system.name}: standing orders", _standing(system, answers))
    return {path: json.dumps(schema, indent=2) + "\n" for path, schema in files.items()}


def _headed(path: str, title: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": DRAFT, "$id": f"{BASE}/{path}", "title": title, **schema}


def _standing(system: System, answers: dict[str, Any]) -> dict[str, Any]:
    """Own forms by name, or the general form, whose answer depends on the decision it names: if and then, no
    `oneOf`, so that each fault is told as what it is."""
    from pbem.model.codec import schema_of

    forms = {form: schema_of(system.standing_type(form)) for form in sorted(system.standing_forms)}
    decision = {"enum": sorted(answers)}
    general = {"decision": decision, "when": {"type": "object"}, "answer": {}}
    dispatch = [
        {
            "if": {"required": ["decision"], "properties": {"decision": {"const": kind}}},
            "then": {"required": ["answer"], "properties": {"answer": answer}},
        }
        for kind, answer in answers.items()
    ]
    item = {
        "type": "object",
        "minProperties": 1,
        "properties": {**forms, **general},
        "additionalProperties": False,
        "if": {"required": ["decision"]},
        "then": {"allOf": dispatch},
        "else": {"maxProperties": 1},
    }
    return {"type": "array", "items": item}
