"""The places of a text's values and keys, made only on demand, which is for faults."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Span
from pbem.text.normal import nfc
from pbem.text.reading.events import Unreadable, events
from pbem.text.reading.source import Source

Place: TypeAlias = tuple[int, int]
Token: TypeAlias = tuple[Literal["scalar", "mapping", "list", "end"], str, Place, Place]


@dataclass(slots=True)
class Mark:
    """The place of a value and of its parts.

    `inner` gives the key's mark, if any, and the value's.
    """

    start: Place
    end: Place
    inner: "dict[str | int, tuple[Mark | None, Mark]]"


class Marks:
    """The places in one text.

    A path that leads nowhere gives the place of the nearest value around it.
    """

    def __init__(self, name: str, root: Mark | None) -> None:
        self._name = name
        self._root = root or Mark((1, 1), (1, 1), {})

    def span(self, path: DataPath) -> Span:
        """Return the place of the value at `path`."""
        return self._span(self._find(path)[1])

    def key_span(self, path: DataPath) -> Span:
        """Return the place of the key at `path`; in a list the value's own place."""
        key, value = self._find(path)
        return self._span(key or value)

    def _find(self, path: DataPath) -> tuple[Mark | None, Mark]:
        here: tuple[Mark | None, Mark] = (None, self._root)
        for step in path:
            deeper = here[1].inner.get(step)
            if deeper is None:
                return None, here[1]
            here = deeper
        return here

    def _span(self, mark: Mark) -> Span:
        return Span(self._name, *mark.start, *mark.end)


@dataclass(slots=True)
class _Open:
    """An unfinished collection; in a mapping with the key whose value is next."""

    mark: Mark
    is_mapping: bool
    key: Mark | None = None
    name: str = ""


def tree(tokens: Iterable[Token], depth: int) -> Mark | None:
    """Return the marks of a document, as far as the tokens go.

    Of keys that occur twice the first is kept.
    """
    root: Mark | None = None
    stack: list[_Open] = []
    for kind, text, start, end in tokens:
        if kind == "end":
            mark = stack.pop().mark
            mark.end = _end_of(mark, start, end)
            continue
        mark = Mark(start, end, {})
        if stack:
            top = stack[-1]
            if top.is_mapping and top.key is None:
                if kind != "scalar":
                    break  # a collection as a key
                top.key, top.name = mark, text
                continue
            step = top.name if top.is_mapping else len(top.mark.inner)
            top.mark.inner.setdefault(step, (top.key, mark))
            top.key = None
        root = root or mark
        if kind != "scalar":
            if len(stack) == depth:
                break
            stack.append(_Open(mark, kind == "mapping"))
    return root


def _end_of(mark: Mark, start: Place, end: Place) -> Place:
    """Return a bracket's end; without one (block style) the end of the last entry."""
    if end > start or not mark.inner:
        return end
    key, last = mark.inner[next(reversed(mark.inner))]
    return max(last.end, key.end if key else last.end)


def yaml_tokens(text: str, pure: bool) -> Iterator[Token]:
    """Yield the tokens of a YAML text, up to where it can be read."""
    try:
        yield from _yaml_tokens(events(text, pure))
    except Unreadable:
        return


def _yaml_tokens(stream: Iterable[Any]) -> Iterator[Token]:
    kinds: dict[str, Literal["scalar", "mapping", "list", "end"]] = {
        "ScalarEvent": "scalar",
        "AliasEvent": "scalar",
        "MappingStartEvent": "mapping",
        "SequenceStartEvent": "list",
        "MappingEndEvent": "end",
        "SequenceEndEvent": "end",
    }
    for event in stream:
        if kind := kinds.get(type(event).__name__):
            start, end = event.start_mark, event.end_mark
            text = nfc(event.value) if type(event).__name__ == "ScalarEvent" else ""
            yield kind, text, (start.line + 1, start.column + 1), (end.line + 1, end.column + 1)


JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s,:{}\[\]"]+')


def json_tokens(source: Source) -> Iterator[Token]:
    """Yield the tokens of a text that is known to be JSON."""
    for token in JSON_TOKEN.finditer(source.text):
        text, start, end = token[0], source.place(token.start()), source.place(token.end())
        if text in "}]":
            yield "end", text, start, end
        elif text in "{[":
            yield "mapping" if text == "{" else "list", text, start, end
        else:
            yield "scalar", nfc(json.loads(text)) if text[0] == '"' else text, start, end
