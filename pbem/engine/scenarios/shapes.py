"""The shape of a scenario in a few lines of YAML, from which its JSON Schema is made.

A system declares the members of its scenarios in `scenario.yaml` of its rules:

    seats: [seat]                          # a list of one kind
    last_turn: 1..100                      # a whole number
    loss~: soft|hard                       # a member that may be left out; one of some words
    units: {<id>: {owner: seat, hex: place, cv: 1..9, aboard~: id or null}}     # a mapping by ids
    faces: [[0..20, 0..20, text]]          # a list of lists of three
    when: {=When: {any~: [=When], turn~: 1..99}}      # a shape with a name, which may stand again as =When
    ends: [{/kind: {hold: {hexes: [place]}, points: {at_least: 0..99}}, who: seat}]    # members by a word

`{or: [[id], {<id>: text}]}` is a list or a mapping. Words for values are those of `WORDS`. `any` is left to
the code that reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.text.canonical import Json

Schema = dict[str, Any]

MOST_NUMBER = 1_000_000
MOST_LIST, MOST_ENTRIES = 40_000, 5_000
END = r"(?![\s\S])"
"""The end of a text, with no line break behind it, in every dialect of patterns."""


def _pattern(inner: str, title: str, **more: Any) -> Schema:
    return {"type": "string", "pattern": f"^{inner}{END}", "title": title, **more}


_TEXT = r"[^\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*"
"""No control characters, and none that turn the direction of writing (protocol 3)."""

WORDS: dict[str, Schema] = {
    "any": {},
    "bool": {"type": "boolean"},
    "null": {"type": "null"},
    "number": {"type": "integer", "minimum": -MOST_NUMBER, "maximum": MOST_NUMBER},
    "text": _pattern(_TEXT, "plain text", maxLength=400),
    "name": _pattern(_TEXT, "a name", minLength=1, maxLength=80),
    "row": _pattern(_TEXT, "a row of letters", maxLength=1000),
    "id": _pattern("[A-Za-z][A-Za-z0-9_-]{0,31}", "an id of letters, digits and '-'"),
    "seat": _pattern("[a-z][a-z0-9-]{0,15}", "a seat of small letters, digits and '-'"),
    "key": _pattern("[A-Za-z0-9][A-Za-z0-9_+.-]{0,39}", "a word of letters and digits"),
    "place": _pattern("[A-Za-z0-9][A-Za-z0-9_.,]{0,39}", "a hex, a box or an area"),
    "span": _pattern("[A-Za-z0-9][A-Za-z0-9_.,]{0,80}", "hexes, boxes or areas"),
    "side": _pattern("[A-Za-z0-9_.,]{1,40}/[A-Za-z0-9_.,]{1,40}", "a hexside such as 0405/0406"),
    "counter": _pattern("[A-Za-z][A-Za-z0-9_-]{0,31}(/[A-Za-z0-9_]{1,20})?", "a counter such as N-IN1/1"),
    "unit": _pattern(
        r"[A-Za-z][A-Za-z0-9_-]{0,31}( +[A-Za-z0-9_/.+-]{1,20}){1,30}( \([A-Za-z0-9_]{1,40}\))?",
        "a unit such as GE-I2 INF corps 4-3 cost 3",
    ),
    "units": _pattern("[0-9]{1,3}( +[A-Za-z0-9_/.+-]{1,20}){1,30}", "units such as 3 INF 5-3"),
    "turn": _pattern("[1-9][0-9]{0,2}", "the number of a turn"),
    "letter": _pattern(r"[^\s\u0000-\u001f]{1,4}", "a letter of the map"),
    "fraction": {
        "type": ["integer", "string"],
        "minimum": 0,
        "maximum": MOST_NUMBER,
        "pattern": f"^[0-9]{{1,4}}/[1-9][0-9]{{0,3}}{END}",
        "title": "a fraction such as 3/2",
    },
}
LAYOUT: dict[str, Any] = {
    "tops~": "flat|pointy",
    "shifted~": "even|odd",
    "first~": "any",
    "digits~": "any",
    "order~": "column|row",
    "rows_from~": "top|bottom",
    "columns_from~": "left|right",
    "separator~": "any",
    "prefix~": "any",
}
"""Numbering of the hexes of a map or a sheet. The reader of maps checks members that are `any`."""
SHEET: dict[str, Any] = {
    "title~": "name",
    "legend~": {"<letter>": "any"},
    "terrain": ["row"],
    "joins~": "any",
    "beside~": "key",
    "below~": "key",
}
MAP: dict[str, Any] = {
    "title~": "name",
    "legend~": {"<letter>": "any"},
    "terrain~": ["row"],
    "sheets~": {"<key>": "=Sheet"},
    "boxes~": {"<place>": "any"},
    "hexsides~": {"<key>": ["side"]},
    "links~": {"<key>": "any"},
    "areas~": {"<key>": {"<key>": "any"}},
    "names~": {"<place>": "name"},
    "shapes~": "any",
}
"""A map in a scenario, the same in all systems but for its places."""
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
_KEY = re.compile(r"<(.*)>")


def schema_of(shape: Mapping[str, Any], shapes: Mapping[str, Any] | None = None) -> Schema:
    """Return the JSON Schema of an object with these members; `shapes` are named ones that they use."""
    named: dict[str, Schema] = {}
    for name, inner in (shapes or {}).items():
        named[name] = _schema(inner, named)
    made = _schema(dict(shape), named)
    made["$defs"] = named
    return made


def _schema(shape: Any, named: dict[str, Schema]) -> Schema:
    if isinstance(shape, str):
        return _words(shape)
    if isinstance(shape, list):
        if len(shape) == 1:
            return {"type": "array", "items": _schema(shape[0], named), "maxItems": MOST_LIST}
        items = [_schema(part, named) for part in shape]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if isinstance(shape, dict) and len(shape) == 1 and str(next(iter(shape))).startswith("="):
        ((name, inner),) = shape.items()
        named[name[1:]] = {}  # it may stand in itself
        named[name[1:]] = _schema(inner, named)
        return {"$ref": f"#/$defs/{name[1:]}"}
    if isinstance(shape, dict) and list(shape) == ["or"]:
        return _either([_schema(part, named) for part in shape["or"]])
    if not isinstance(shape, dict):
        raise TypeError(f"no shape: {shape!r}")
    return _object(shape, named)


def _object(shape: Mapping[str, Any], named: dict[str, Schema]) -> Schema:
    made: Schema = {"type": "object", "maxProperties": MOST_ENTRIES}
    properties: dict[str, Schema] = {}
    required: list[str] = []
    extra: Schema | bool = False
    chosen: list[Schema] = []
    for key, inner in shape.items():
        if key.startswith("/"):
            properties[key[1:]] = {"enum": list(inner)}
            required.append(key[1:])
            chosen = [_when(key[1:], value, _object(part, named)) for value, part in inner.items()]
            continue
        by_key = _KEY.fullmatch(key)
        if by_key:
            extra, made["propertyNames"] = _schema(inner, named), _words(by_key[1])
            continue
        name = key.removesuffix("~")
        properties[name] = _schema(inner, named)
        if name == key:
            required.append(name)
    if properties and "propertyNames" in made:  # named members beside those by keys
        made["patternProperties"] = {made.pop("propertyNames")["pattern"]: extra}
        extra = False
    if properties:
        made["properties"] = properties
    if required:
        made["required"] = required
    if chosen:
        made["allOf"] = chosen
        made["unevaluatedProperties"] = extra
    else:
        made["additionalProperties"] = extra
    return made


def _when(key: str, value: str, then: Schema) -> Schema:
    """Return what more holds for an object whose member has this value."""
    then = {name: part for name, part in then.items() if name in ("properties", "required")}
    return {"if": {"properties": {key: {"const": value}}, "required": [key]}, "then": then}


def _either(kinds: list[Schema]) -> Schema:
    """Return a schema for values of several types; what holds for one type says nothing of the others."""
    made: Schema = {"type": []}
    for kind in kinds:
        types = kind["type"]
        made["type"] += types if isinstance(types, list) else [types]
        made |= {name: part for name, part in kind.items() if name not in ("type", "title")}
    titles = [kind["title"] for kind in kinds if "title" in kind]
    return {**made, "title": titles[0]} if titles else made


def _words(shape: str) -> Schema:
    if " or " in shape:
        return _either([_words(part.strip()) for part in shape.split(" or ")])
    if shape.startswith("="):
        return {"$ref": f"#/$defs/{shape[1:]}"}
    span = _RANGE.fullmatch(shape)
    if span:
        return {"type": "integer", "minimum": int(span[1]), "maximum": int(span[2])}
    if shape in WORDS:
        return dict(WORDS[shape])
    values: list[Json] = [
        {"true": True, "false": False, "null": None}.get(word, word) for word in shape.split("|")
    ]
    return {"enum": values}
