"""The reader of files such as the state, which are JSON by machines or YAML by people.

JSON is tried first because it is read twenty times faster; what is no JSON goes to the YAML loader. Both ways
refuse numbers beyond 53 bits, keys that occur twice and forbidden characters; JSON refuses fractions too.
"""

import json
from collections.abc import Mapping
from typing import Any

from pbem.text import yaml
from pbem.text.canonical import NotCanonical, canonical_integer
from pbem.text.chars import FORBIDDEN
from pbem.text.diagnostics import Refused
from pbem.text.normal import nfc
from pbem.text.reading.json_faults import find_faults
from pbem.text.reading.marks import Marks, json_tokens, tree
from pbem.text.reading.source import Source, decode
from pbem.text.yaml import Document, Limits

#: Room for a state of a hundred thousand counters.
STATE_LIMITS = Limits(size=64 * 1024 * 1024, depth=32, values=1_500_000)


def read_state_text(source: bytes | str, name: str, schema: Mapping[str, Any] | None = None) -> Document:
    """Read a state file, or another one as large.

    Raises `Refused` with all faults.
    """
    return load_json_first(source, name, STATE_LIMITS, schema)


def load_json_first(
    source: bytes | str,
    name: str,
    limits: Limits = STATE_LIMITS,
    schema: Mapping[str, Any] | None = None,
) -> Document:
    """Read JSON, or restricted YAML if it is not JSON.

    Raises `Refused` with all faults.

    The schema types what is unquoted in YAML; in JSON a number is a number. Strings are put into normal
    form C. Spans are made when they are asked for, by reading once more.
    """
    text = Source(name, decode(source, name, limits.size))
    # commas may stand in strings, so the count alone refuses nothing
    if sum(map(text.text.count, "[{,")) > limits.values and (faults := find_faults(text, limits)):
        raise Refused(faults)
    reader = _Reader()
    try:
        data = reader.read(text.text)
    except (ValueError, RecursionError):
        return yaml.load(text.text, name, schema, limits)
    depth, values = _size(data)
    if reader.faulty or depth > limits.depth or values > limits.values:
        raise Refused(find_faults(text, limits))
    return Document(name, text.text, data, lambda: Marks(name, tree(json_tokens(text), limits.depth)))


class _Reader:
    """A parser of JSON that reads to the end; `faulty` is set if it holds something forbidden."""

    def __init__(self) -> None:
        self.faulty = False
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._integer,
            parse_float=self._refuse,
            parse_constant=self._refuse,
        )

    def read(self, text: str) -> Any:
        """Return the value; raises `ValueError` or `RecursionError` if the text is not JSON."""
        data = self._decoder.decode(text)
        # without these, no string can need a check or normalising
        if not text.isascii() or "\\" in text or "\x7f" in text:
            data = self._tidy(data)
        return data

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        self.faulty = self.faulty or len(members) != len(pairs)
        return members

    def _integer(self, literal: str) -> int:
        try:
            return canonical_integer(literal)
        except NotCanonical:
            self.faulty = True
            return 0

    def _refuse(self, _: str) -> None:
        self.faulty = True

    def _tidy(self, value: Any) -> Any:
        if isinstance(value, str):
            if not value.isprintable() and FORBIDDEN.search(value):
                self.faulty = True
            return nfc(value)
        if isinstance(value, list):
            return [self._tidy(entry) for entry in value]
        if isinstance(value, dict):
            return self._object([(self._tidy(key), self._tidy(inner)) for key, inner in value.items()])
        return value


def _size(data: Any) -> tuple[int, int]:
    """Return the nesting depth of lists and mappings, and the number of values with collections."""
    depth, values, level = 0, 0, [data]
    while level:
        values += len(level)
        collections = [value for value in level if value.__class__ is dict or value.__class__ is list]
        depth += bool(collections)
        level = []
        for collection in collections:
            level.extend(collection.values() if collection.__class__ is dict else collection)
    return depth, values
