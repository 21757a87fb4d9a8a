"""The members of the YAML files of a folder by keys, as a form changes them.

m/scenario.yaml/turns       what the scenario says there, as plain data
m/counters.yaml/aster       of counters that no table holds
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.scenarios.shapes import WORDS, Schema
from pbem.text import yaml
from pbem.workshop.folders import COUNTERS, LIMITS, SCENARIO, ReadFolder
from pbem.workshop.patching import patched
from pbem.workshop.shape_of import Declared
from pbem.workshop.written import Written

REST = f"{COUNTERS}.yaml"
_HEAD = ("id", "source", "licence")


def forms_of(reading: ReadFolder, declared: Declared, written: Written | None) -> dict[str, Schema]:
    """Return the schema of each YAML file that a form can show, without what other tools change."""
    elsewhere = {"map", *(table.member for table in declared.tables.values())}
    elsewhere |= {*(written.members if written is not None else ())}
    own = {name: part for name, part in declared.schema["properties"].items() if name not in elsewhere}
    head = dict.fromkeys(_HEAD, WORDS["name"])
    forms: dict[str, Schema] = {
        SCENARIO: {
            **declared.schema,
            "properties": {**head, **own},
            "required": [*declared.schema["required"], "id"],
        }
    }
    if written is None and REST in reading.documents:
        forms[REST] = declared.schema_of(declared.tables[COUNTERS].member)
    return forms


def member_values(reading: ReadFolder, forms: Mapping[str, Schema]) -> dict[str, Any]:
    """Return what the files say of each member, by keys."""
    return {
        f"m/{file}/{name}": value
        for file, schema in forms.items()
        for name, value in _members(reading.documents[file].data, schema)
    }


def changed_members(
    after: Mapping[str, Any], forms: Mapping[str, Schema], files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the files with the members that a work changes; ValueError for members of no form."""
    wanted: dict[str, dict[str, Any]] = {}
    for key, value in after.items():
        if key.startswith("m/"):
            file, _, name = key[2:].partition("/")
            if file not in forms or not any(_members({name: value}, forms[file])):
                raise ValueError(key)
            wanted.setdefault(file, {})[name] = json.loads(json.dumps(value))
    made = {}
    for file, members in wanted.items():
        text = files[file].decode("utf-8", "replace")
        data = yaml.load(text, file, forms[file], LIMITS).data
        together = {**(data if isinstance(data, dict) else {}), **members}
        kept = {name: value for name, value in together.items() if members.get(name, value) is not None}
        made[file] = patched(text, file, kept, forms[file]).encode()
    return made


def _members(data: Any, schema: Schema) -> Iterator[tuple[str, Any]]:
    """Yield the members of a file that its form shows."""
    by_key = "patternProperties" in schema or isinstance(schema.get("additionalProperties"), dict)
    for name, value in data.items() if isinstance(data, dict) else ():
        if by_key or name in schema.get("properties", {}):
            yield name, value
