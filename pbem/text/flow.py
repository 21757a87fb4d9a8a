"""JSON on one line as people write YAML: flow style, with quotes only where needed."""

from __future__ import annotations

import json
import re

from pbem.text.canonical import Json

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
# words that YAML 1.1 or 1.2 reads as values; hex numbers such as 0405 begin with a digit
_WORDS = frozenset("true false null yes no on off y n".split())


def flow(value: Json) -> str:
    """Return the value on one line: `{unit: R-IN1, path: ["0506", "0405"]}`.

    Our own loader and any other reader of YAML give the same value back, with and without a schema.
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(value: str) -> str:
    plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
    return value if plain else json.dumps(value, ensure_ascii=False)
