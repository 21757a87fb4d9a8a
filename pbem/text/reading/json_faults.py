"""The faults of a text that is JSON but holds forbidden values, each with its place."""

import json
from dataclasses import field
from typing import Any

from pbem.text.canonical import NotCanonical, canonical_integer
from pbem.text.chars import FORBIDDEN, called, clipped
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.normal import nfc
from pbem.text.reading.build import MOST_FAULTS, Limits
from pbem.text.reading.marks import JSON_TOKEN
from pbem.text.reading.source import Source

_CONSTANTS = ("true", "false", "null")


@dataclass(slots=True)
class _Open:
    """An unfinished collection, and the reader's place in it."""

    is_object: bool
    step: str | int | None = None  # None inside an object: a key comes next
    lines: dict[str, int] = field(default_factory=dict)  # of the keys so far


def find_faults(source: Source, limits: Limits) -> list[Diagnostic]:
    """Return the faults in a text that `json` accepts, at least one if there is any."""
    finder = _Finder(source, limits)
    for token in JSON_TOKEN.finditer(source.text):
        if len(finder.faults) >= MOST_FAULTS or not finder.take(token[0], token.start(), token.end()):
            break
    return finder.faults


class _Finder:
    def __init__(self, source: Source, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.faults: list[Diagnostic] = []
        self._stack: list[_Open] = []
        self._values = 0

    def take(self, token: str, start: int, end: int) -> bool:
        """Process the next token; return False if going on is pointless."""
        if token in "]}":
            self._stack.pop()
            self._value_ends()
            return True
        top = self._stack[-1] if self._stack else None
        if top and top.is_object and top.step is None:
            self._key(token, start, end, top)
            return True
        if top and not top.is_object:
            top.step = 0 if not isinstance(top.step, int) else top.step + 1
        going_on = self._value(token, start, end)
        if token not in "[{":
            self._value_ends()
        return going_on

    def _value_ends(self) -> None:
        if self._stack and self._stack[-1].is_object:
            self._stack[-1].step = None

    def _value(self, token: str, start: int, end: int) -> bool:
        self._values += 1
        if self._values > self.limits.values:
            self._add(
                "too-many-values",
                Message("text.build.too-many-values", values=self.limits.values),
                start,
                end,
            )
            return False
        if token in "[{":
            if len(self._stack) == self.limits.depth:
                message = Message("text.build.too-deep", depth=self.limits.depth)
                self._add("too-deep", message, start, end)
                return False
            self._stack.append(_Open(token == "{"))
        elif token[0] == '"':
            self._text(json.loads(token), start, end)
        elif token not in _CONSTANTS:
            self._number(token, start, end)
        return True

    def _number(self, token: str, start: int, end: int) -> None:
        if not token.removeprefix("-").isdecimal():
            message = Message("text.json-faults.not-an-integer", token=clipped(token, 30))
            self._add("not-an-integer", message, start, end)
            return
        try:
            canonical_integer(token)
        except NotCanonical as fault:
            self._add(fault.code, str(fault), start, end)

    def _key(self, token: str, start: int, end: int, top: _Open) -> None:
        top.step = key = nfc(json.loads(token))
        self._text(key, start, end)
        if key in top.lines:
            message = Message("text.json-faults.duplicate-key", key=clipped(key), lines=top.lines[key])
            self._add("duplicate-key", message, start, end)
        top.lines.setdefault(key, self.source.place(start)[0])

    def _text(self, text: str, start: int, end: int) -> None:
        if bad := FORBIDDEN.search(text):
            self._add("bad-character", Message("text.build.bad-character", called=called(bad[0])), start, end)

    def _add(self, code: str, message: str, start: int, end: int) -> None:
        path: tuple[Any, ...] = tuple(level.step for level in self._stack if level.step is not None)
        self.faults.append(Diagnostic(code, message, span=self.source.span(start, end), path=path))
