"""The way from the errors of the jsonschema library to diagnostics that a player understands."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeAlias

from pbem.text.chars import clipped
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message
from pbem.text.reading.shape import Schema, Shape, type_of
from pbem.text.suggest import did_you_mean

_TYPES = {
    "string": "text.schema-faults.text",
    "integer": "text.schema-faults.whole-number",
    "number": "text.schema-faults.whole-number",
    "boolean": "text.schema-faults.true-or-false",
    "null": "text.schema-faults.nothing",
    "array": "text.schema-faults.list",
    "object": "text.schema-faults.mapping",
}
#: jsonschema's ValidationError, in whose stubs every member may be unset.
Error: TypeAlias = Any

_LISTED = 12  # alternatives named in one message

#: Of several faults at one value only those are told that come first here; the rest follow from them.
_RANK = ("not-one-of", "wrong-type", "no-alternative")


class Explainer:
    """A translator of one validation's errors into diagnostics."""

    def __init__(self, schema: Schema, data: Any) -> None:
        self._shape = Shape(schema)
        self._data = data

    def explain(self, errors: Iterable[Error]) -> list[Diagnostic]:
        """Return one diagnostic for each fault, without consequences of others."""
        faults: dict[tuple[str, DataPath, str], Diagnostic] = {}
        last = None
        for last in errors:
            for fault in self._explain(last):
                faults.setdefault((fault.code, fault.path, fault.message), fault)
        if last is not None and not faults:
            # an error about unevaluated keys that our walk cannot confirm
            return [_not_allowed(last, tuple(last.absolute_path))]
        return _without_followers(list(faults.values()))

    def _explain(self, error: Error) -> Iterator[Diagnostic]:
        path: DataPath = tuple(error.absolute_path)
        if _is_about_key(error):
            key = str(error.instance)
            message = Message("text.schema-faults.bad-key", key=clipped(key), what=_what(path))
            yield _fault("bad-key", message, (*path, key), error.schema, on_key=True)
        elif explain := _EXPLAIN.get(str(error.validator)):
            yield from explain(self, error, path)
        elif error.validator is None:
            yield _not_allowed(error, self._forbidden(error.instance, path))
        else:  # `not`, `contains`, and what later drafts may bring
            yield _not_allowed(error, path)

    def _forbidden(self, value: Any, path: DataPath) -> DataPath:
        """Return the path of a value forbidden by `false`; the library leaves out its last step."""
        schema, around = self._at(path)
        for key in around if isinstance(around, dict) else ():
            under = self._shape.at_key(schema, around, key)
            if around[key] is value and self._shape.holds(under, value) is False:
                return (*path, key)
        return path

    def _type(self, error: Error, path: DataPath) -> Iterator[Diagnostic]:
        wanted = error.validator_value
        names = [wanted] if isinstance(wanted, str) else list(wanted)
        yield _wrong_type(error.instance, names, path)

    def _enum(self, error: Error, path: DataPath) -> Iterator[Diagnostic]:
        yield _not_one_of(error.instance, list(error.validator_value), path)

    def _const(self, error: Error, path: DataPath) -> Iterator[Diagnostic]:
        yield _not_one_of(error.instance, [error.validator_value], path)

    def _required(self, error: Error, path: DataPath) -> Iterator[Diagnostic]:
        # the library makes one error per key, and names the key only in its message
        missing = [key for key in error.validator_value if key not in error.instance]
        for key in missing:
            close = did_you_mean(key, sorted(self._unknown(error.instance, path)))
            help = Message("text.schema-faults.perhaps-meant", close=close) if close else ""
            message = Message("text.schema-faults.has-no-key", what=_what(path), key=key)
            yield _fault("missing-key", message, path, help=help)

    def _unknown_keys(self, error: Error, path: DataPath) -> Iterator[Diagnostic]:
        schema = error.schema if error.validator == "additionalProperties" else None
        unknown = self._unknown(error.instance, path, schema)
        for key, known in unknown.items():
            close = did_you_mean(key, known)
            help = (
                Message("text.schema-faults.did-you-mean", close=close)
                if close
                else _known_are(known, error.instance)
            )
            message = Message("text.schema-faults.unknown-key", key=clipped(key), what=_what(path))
            yield _fault("unknown-key", message, (*path, key), help=help, on_key=True)

    def _unknown(self, value: Any, path: DataPath, schema: Schema = None) -> dict[str, list[str]]:
        """Return the unknown keys of a mapping, each with the known ones."""
        if schema is None:
            schema, _ = self._at(path)
            names, patterns = self._shape.known_keys(schema, value)
        else:
            names, patterns = list(schema.get("properties", ())), list(schema.get("patternProperties", ()))
        return {
            key: names
            for key in value
            if key not in names and not any(re.search(pattern, key) for pattern in patterns)
        }

    def _at(self, path: DataPath) -> tuple[Schema, Any]:
        """Return the schema and the value at a path."""
        schema, value = self._shape.root, self._data
        for step in path:
            if isinstance(step, str):
                schema = self._shape.at_key(schema, value, step)
            else:
                schema = self._shape.at_index(schema, value, step)
            value = value[step]
        return schema, value

    def _choice(self, error: Error, path: DataPath) -> Iterator[Diagnostic]:
        branches: dict[Any, list[Error]] = {}
        for inner in error.context or ():
            branches.setdefault(inner.schema_path[0], []).append(inner)
        if not branches:
            yield _fault(
                "ambiguous-form", Message("text.schema-faults.ambiguous-form", what=_what(path)), path
            )
            return
        own = len(error.absolute_path)
        # a branch that fails by type or constant was not meant
        meant = [
            branch for branch in branches.values() if not any(_rules_out(inner, own) for inner in branch)
        ]
        if meant:
            for inner in min(meant, key=len):
                yield from self._explain(inner)
            return
        yield _no_branch(error, path, own)


def _is_about_key(error: Error) -> bool:
    steps = list(error.absolute_schema_path)
    return any(step == "propertyNames" and before != "properties" for before, step in pairwise(["", *steps]))


def _not_allowed(error: Error, path: DataPath) -> Diagnostic:
    message = Message("text.schema-faults.not-allowed", what=_what(path), shown=_shown(error.instance))
    return _fault("not-allowed", message, path, error.schema)


def _rules_out(error: Error, own: int) -> bool:
    return len(error.absolute_path) == own and error.validator in ("type", "enum", "const")


def _no_branch(error: Error, path: DataPath, own: int) -> Diagnostic:
    here = [inner for inner in error.context or () if len(inner.absolute_path) == own]
    types: list[str] = []
    values: list[Any] = []
    for inner in here:
        allowed = inner.validator_value
        if inner.validator == "type":
            types += [allowed] if isinstance(allowed, str) else allowed
        elif inner.validator == "enum":
            values += allowed
        elif inner.validator == "const":
            values.append(allowed)
    if values and not types:
        return _not_one_of(error.instance, values, path)
    wanted = [_type(name) for name in dict.fromkeys(types)]
    wanted += [_shown(value) for value in values[:_LISTED]]
    message = _wanted(path, error.instance, _or(wanted))
    return _fault("wrong-type" if not values else "no-alternative", message, path)


def _wrong_type(value: Any, names: list[str], path: DataPath) -> Diagnostic:
    wanted = _or(list(dict.fromkeys(_type(name) for name in names)))
    help = ""
    if isinstance(value, str) and "integer" in names and re.fullmatch(r"0|-?[1-9][0-9]{0,15}", value):
        help = Message("text.schema-faults.write-without-quotes", value=value)
    elif isinstance(value, str) and "boolean" in names and value in ("true", "false"):
        help = Message("text.schema-faults.write-without-quotes", value=value)
    elif "string" in names and isinstance(value, bool | int):
        help = Message("text.schema-faults.write-in-quotes", shown=_shown(value))
    elif "array" in names and type_of(value) not in ("object", "null"):
        help = Message("text.schema-faults.write-as-list", value=value)
    return _fault("wrong-type", _wanted(path, value, wanted), path, help=help)


def _not_one_of(value: Any, wanted: list[Any], path: DataPath) -> Diagnostic:
    words = [choice for choice in wanted if isinstance(choice, str)]
    close = did_you_mean(value, words) if isinstance(value, str) else None
    help = Message("text.schema-faults.did-you-mean", close=close) if close else ""
    shown = [_shown(choice) for choice in wanted[:_LISTED]]
    if len(wanted) > _LISTED:
        shown.append(Message("text.schema-faults.others", count=len(wanted) - _LISTED))
    return _fault("not-one-of", _wanted(path, value, _or(shown)), path, help=help)


def _bound(word: str, code: str, size: Callable[[Any], int], unit: str) -> "_Explain":
    """Return what explains an error about a bound. `word` and `unit` are the ids of messages."""

    def explain(_: Explainer, error: Error, path: DataPath) -> Iterator[Diagnostic]:
        bound = Message(word, limit=error.validator_value)
        length = size(error.instance)
        if unit:
            yield _fault(code, Message(unit, what=_what(path), count=length, bound=bound), path)
        else:
            message = Message("text.schema-faults.is-bound", what=_what(path), shown=length, bound=bound)
            yield _fault(code, message, path)

    return explain


def _pattern(_: Explainer, error: Error, path: DataPath) -> Iterator[Diagnostic]:
    title = error.schema.get("title") if isinstance(error.schema, Mapping) else None
    wanted = title or Message("text.schema-faults.text-form", form=error.validator_value)
    yield _fault("bad-pattern", _wanted(path, error.instance, wanted), path, error.schema)


def _unique(_: Explainer, error: Error, path: DataPath) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for index, entry in enumerate(error.instance):
        form = json.dumps(entry, sort_keys=True)
        if form in seen:
            message = Message("text.schema-faults.repeated-entry", shown=_shown(entry), what=_what(path))
            yield _fault("repeated-entry", message, (*path, index))
        seen.add(form)


def _dependent(_: Explainer, error: Error, path: DataPath) -> Iterator[Diagnostic]:
    for key, needed in error.validator_value.items():
        for other in needed:
            if key in error.instance and other not in error.instance:
                yield _fault(
                    "missing-key",
                    Message("text.schema-faults.needs-key", what=_what(path), key=key, other=other),
                    path,
                )


def _multiple(_: Explainer, error: Error, path: DataPath) -> Iterator[Diagnostic]:
    message = Message(
        "text.schema-faults.wanted-multiple",
        what=_what(path),
        shown=error.instance,
        of=error.validator_value,
    )
    yield _fault("out-of-range", message, path)


_Explain = Callable[[Explainer, Error, DataPath], Iterator[Diagnostic]]
_EXPLAIN: dict[str, _Explain] = {
    "type": Explainer._type,
    "enum": Explainer._enum,
    "const": Explainer._const,
    "required": Explainer._required,
    "additionalProperties": Explainer._unknown_keys,
    "unevaluatedProperties": Explainer._unknown_keys,
    "anyOf": Explainer._choice,
    "oneOf": Explainer._choice,
    "pattern": _pattern,
    "uniqueItems": _unique,
    "dependentRequired": _dependent,
    "multipleOf": _multiple,
    "minimum": _bound("text.schema-faults.at-least", "out-of-range", int, ""),
    "maximum": _bound("text.schema-faults.at-most", "out-of-range", int, ""),
    "exclusiveMinimum": _bound("text.schema-faults.more-than", "out-of-range", int, ""),
    "exclusiveMaximum": _bound("text.schema-faults.less-than", "out-of-range", int, ""),
    "minLength": _bound("text.schema-faults.at-least", "too-short", len, "text.schema-faults.has-characters"),
    "maxLength": _bound("text.schema-faults.at-most", "too-long", len, "text.schema-faults.has-characters"),
    "minItems": _bound("text.schema-faults.at-least", "too-few", len, "text.schema-faults.has-entries"),
    "maxItems": _bound("text.schema-faults.at-most", "too-many", len, "text.schema-faults.has-entries"),
    "minProperties": _bound("text.schema-faults.at-least", "too-few", len, "text.schema-faults.has-keys"),
    "maxProperties": _bound("text.schema-faults.at-most", "too-many", len, "text.schema-faults.has-keys"),
}


def _without_followers(faults: list[Diagnostic]) -> list[Diagnostic]:
    """Return the faults without those at a value whose type or choice is wrong already."""
    ranks: dict[DataPath, int] = {}
    for fault in faults:
        if fault.code in _RANK and not fault.on_key:
            ranks[fault.path] = min(ranks.get(fault.path, len(_RANK)), _RANK.index(fault.code))
    kept = []
    for fault in faults:
        rank = ranks.get(fault.path)
        if rank is None or fault.on_key or fault.code == _RANK[rank]:
            kept.append(fault)
    return kept


def _fault(
    code: str, message: Message, path: DataPath, schema: Schema = None, help: str = "", on_key: bool = False
) -> Diagnostic:
    hints = [help] if help else []
    if isinstance(schema, Mapping):
        if description := schema.get("description"):
            hints.append(str(description))
        if examples := schema.get("examples"):
            hints.append(Message("text.schema-faults.for-example", example=_shown(examples[0])))
    return Diagnostic(code, message, path=path, help=tuple(hints), on_key=on_key)


def _known_are(known: list[str], value: Any) -> str:
    left = [key for key in known if key not in value]
    if not left:
        return ""
    listed: list[str] = [f'"{key}"' for key in left[:_LISTED]]
    if len(left) > _LISTED:
        listed.append(Message("text.schema-faults.others", count=len(left) - _LISTED))
    return Message("text.schema-faults.other-keys", keys=_listed("text.schema-faults.one-and-other", listed))


def _what(path: DataPath) -> str:
    """Return the value in words: its key, or its number in the list with that key."""
    if not path:
        return Message("text.schema-faults.top-level")
    if isinstance(path[-1], str):
        return f'"{clipped(path[-1])}"'
    key = next((step for step in reversed(path) if isinstance(step, str)), None)
    number = path[-1] + 1
    if key is None:
        return Message("text.schema-faults.entry", number=number)
    return Message("text.schema-faults.entry-of", number=number, key=clipped(key))


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{clipped(value, 40)}"'
    if value is None:
        return Message("text.schema-faults.nothing")
    if isinstance(value, dict | list):
        if value:
            return _type(type_of(value))
        is_list = isinstance(value, list)
        return Message(
            "text.schema-faults.an-empty-list" if is_list else "text.schema-faults.an-empty-mapping"
        )
    return str(value).lower() if isinstance(value, bool) else str(value)


def _type(name: str) -> str:
    """Return what a JSON type is called."""
    return Message(_TYPES[name]) if name in _TYPES else name


def _wanted(path: DataPath, value: Any, wanted: str) -> Message:
    return Message("text.schema-faults.wanted", what=_what(path), shown=_shown(value), wanted=wanted)


def _or(words: list[str]) -> str:
    return _listed("text.schema-faults.one-or-other", words)


def _listed(id: str, words: list[str]) -> str:
    """Return a list whose last word is behind "or" or "and", as the message says."""
    if len(words) < 2:
        return words[0] if words else Message("text.schema-faults.something-else")
    return Message(id, words=words[:-1], last=words[-1])
