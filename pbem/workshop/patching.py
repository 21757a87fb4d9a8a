"""Changing values in a YAML file as a person would: only the lines that say them, with comments kept.

The text is cut at the places of its values. What comes out is read back; a member whose parts cannot be
changed one by one is written anew.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.text import yaml
from pbem.text.diagnostics import DataPath, Diagnostic, Refused, Span
from pbem.text.flow import flow
from pbem.text.messages import Message
from pbem.text.yaml import Document
from pbem.workshop.folders import LIMITS
from pbem.workshop.writing import LONG, WIDE, entry

Schema = Mapping[str, Any]


class _Hard(Exception):
    """A value that is not changed part by part."""


def patched(text: str, name: str, wanted: Mapping[str, Any], schema: Schema | None = None) -> str:
    """Return the text of a file with these values; what does not change keeps its bytes.

    Refused if the file cannot be read.
    """
    document = yaml.load(text, name, schema, LIMITS)
    old = document.data if isinstance(document.data, dict) else {}
    done = text
    for key in dict.fromkeys((*old, *wanted)):
        if not _same(old.get(key, _GONE), wanted.get(key, _GONE)):
            done = _member(done, name, key, wanted, schema)
    data = yaml.load(done, name, schema, LIMITS).data
    if not _same(data, dict(wanted)):
        raise Refused(Diagnostic("not-written", Message("workshop.patching.not-written", file=name)))
    return done


def _member(text: str, name: str, key: str, wanted: Mapping[str, Any], schema: Schema | None) -> str:
    """Return the text with one member changed: part by part if that gives the value, else as a whole."""
    before = yaml.load(text, name, schema, LIMITS).data or {}
    target = {member: value for member, value in before.items() if member != key}
    if key in wanted:
        target = {member: wanted[key] if member == key else value for member, value in before.items()}
        target.setdefault(key, wanted[key])
    try:
        done = _Patch(text, name, schema).to(target)
        if _same(yaml.load(done, name, schema, LIMITS).data or {}, target):
            return done
    except (_Hard, Refused):
        pass
    return _Patch(text, name, schema).whole(key, target)


_GONE: Any = object()


def _same(value: Any, other: Any) -> bool:
    """Return True for equal plain data; true is not 1, and the order of keys does not count."""
    if value is _GONE or other is _GONE:
        return value is other
    return _canonical(value) == _canonical(other)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


class _Patch:
    """The cuts that turn a text into one that says something else."""

    def __init__(self, text: str, name: str, schema: Schema | None) -> None:
        self.document: Document = yaml.load(text, name, schema, LIMITS)
        self.text, self.newline = text, "\r\n" if "\r\n" in text else "\n"
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.cuts: list[tuple[int, int, str]] = []

    def to(self, wanted: Mapping[str, Any]) -> str:
        """Return the text that says these values."""
        old = self.document.data
        if not isinstance(old, dict) or not old:
            return self._at_the_end("".join(entry(key, value, 0) for key, value in wanted.items()))
        self._mapping((), old, wanted)
        return self._cut()

    def whole(self, key: str, wanted: Mapping[str, Any]) -> str:
        """Return the text with a member written anew."""
        if key in (self.document.data or {}):
            first, last = self._lines((key,), key=True)
            new = [entry(key, wanted[key], 0)] if key in wanted else []
            self.cuts = [(self.starts[first], self.starts[last + 1], "".join(new))]
            return self._cut()
        return self._at_the_end(entry(key, wanted[key], 0))

    # Values

    def _value(self, path: DataPath, old: Any, new: Any) -> None:
        if _same(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            self._mapping(path, old, new)
        elif isinstance(old, list) and isinstance(new, list) and old and new:
            self._list(path, old, new)
        elif self._is_block(path, old) or (isinstance(new, dict | list) and new):
            raise _Hard
        else:
            start, end = self._ends(path)
            self.cuts.append((start, end, _scalar(self.text[start:end], new)))

    def _mapping(self, path: DataPath, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        if not self._is_block(path, old):
            self._flow(path, list(old.items()), list(new.items()))
            return
        gone = [key for key in old if key not in new]
        if len(gone) == len(old):
            raise _Hard
        for key in gone:
            first, last = self._lines((*path, key), key=True)
            self._remove(first, last)
        for key, value in old.items():
            if key in new:
                self._value((*path, key), value, new[key])
        added = [self._entry(path, old, key, value) for key, value in new.items() if key not in old]
        if added:
            last = self._lines((*path, next(reversed(list(old)))), key=True)[1]
            self._insert(last + 1, "".join(added))

    def _entry(self, path: DataPath, old: Mapping[str, Any], key: str, value: Any) -> str:
        """Return a new entry of a mapping, on one line if the one before it is."""
        space, like = self._indent(path, old), next(reversed(list(old)))
        line = f"{' ' * space}{flow(key)}: {flow(value)}"
        alone = bool(path) and isinstance(value, dict | list) and not self._is_block((*path, like), old[like])
        return f"{line}\n" if alone and len(line) <= LONG else entry(key, value, space)

    def _list(self, path: DataPath, old: Sequence[Any], new: Sequence[Any]) -> None:
        if not self._is_block(path, old):
            self._flow(path, [("", value) for value in old], [("", value) for value in new])
            return
        dash = self._dash(path)
        for tag, i1, i2, j1, j2 in _steps(old, new):
            if tag == "equal":
                continue
            paired = min(i2 - i1, j2 - j1)
            for n in range(paired):
                self._value((*path, i1 + n), old[i1 + n], new[j1 + n])
            for n in range(i1 + paired, i2):
                self._remove(*self._lines((*path, n)))
            if j1 + paired < j2:
                text = "".join(f"{dash}- {flow(value)}{self.newline}" for value in new[j1 + paired : j2])
                at = i1 + paired
                line = self._lines((*path, at - 1))[1] + 1 if at else self._lines((*path, 0))[0]
                self._insert(line, text)

    def _flow(self, path: DataPath, old: list[tuple[str, Any]], new: list[tuple[str, Any]]) -> None:
        """Write the parts of `[...]` or `{...}` anew; those that stay keep their text and what is before."""
        start, end = self._ends(path)
        raw = self.text[start:end]
        if raw[:1] not in ("[", "{"):
            raise _Hard
        spans: list[tuple[int, int]] = []
        for n, (key, _) in enumerate(old):
            ends = self._ends((*path, key or n))
            spans.append((self._offset(self.document.key_span((*path, key)))[0] if key else ends[0], ends[1]))
        gaps = [self.text[spans[n - 1][1] : at] for n, (at, _) in enumerate(spans) if n]
        column = start - self.starts[self._line_of(start)]
        wrapped = f",{self.newline}{' ' * (column + 1)}"
        made, width = raw[0] + self.text[start + 1 : spans[0][0]], 0
        kept = {new_n: old_n for old_n, new_n in _kept(old, new)}
        for n, (key, value) in enumerate(new):
            at = kept.get(n)
            part = f"{flow(key)}: {flow(value)}" if key else flow(value)
            part = part if at is None else self.text[spans[at][0] : spans[at][1]]
            if n:
                gap = gaps[at - 1] if at is not None and at > 0 else ", "
                width = column + len(made) if "\n" not in made else len(made) - made.rfind("\n")
                made += wrapped if "\n" not in gap and width + len(part) + 3 > WIDE else gap
            made += part
        self.cuts.append((start, end, made + self.text[spans[-1][1] : end]))

    # Places

    def _is_block(self, path: DataPath, value: Any) -> bool:
        if not isinstance(value, dict | list):
            return False
        start = self._ends(path)[0]
        return self.text[start : start + 1] not in ("[", "{")

    def _offset(self, span: Span) -> tuple[int, int]:
        return self.starts[span.line - 1] + span.column - 1, self.starts[
            span.end_line - 1
        ] + span.end_column - 1

    def _ends(self, path: DataPath) -> tuple[int, int]:
        return self._offset(self.document.span(path))

    def _line_of(self, offset: int) -> int:
        return self.text.count("\n", 0, offset)

    def _lines(self, path: DataPath, key: bool = False) -> tuple[int, int]:
        """Return the first and last line of an entry, which has them for itself."""
        start = self._offset(self.document.key_span(path))[0] if key else self._ends(path)[0]
        end = max(self._ends(path)[1], start + 1)
        first, last = self._line_of(start), self._line_of(end - 1)
        before = self.text[self.starts[first] : start].strip(" ")
        after = self.text[end : self.starts[last + 1]].strip()
        if before != ("" if key else "-") or (after and not after.startswith(("#", ":"))):
            raise _Hard
        return first, last

    def _indent(self, path: DataPath, old: Mapping[str, Any]) -> int:
        return self.document.key_span((*path, next(iter(old)))).column - 1

    def _dash(self, path: DataPath) -> str:
        first = self._lines((*path, 0))[0]
        return self.lines[first].partition("-")[0]

    # Cuts

    def _remove(self, first: int, last: int) -> None:
        self.cuts.append((self.starts[first], self.starts[last + 1], ""))

    def _insert(self, line: int, text: str) -> None:
        at = self.starts[line]
        if at and not self.text[:at].endswith("\n"):
            text = self.newline + text
        self.cuts.append((at, at, text))

    def _at_the_end(self, text: str) -> str:
        before = self.text if not self.text or self.text.endswith("\n") else self.text + self.newline
        return before + text.replace("\n", self.newline)

    def _cut(self) -> str:
        done, last = self.text, len(self.text)
        for start, end, text in sorted(self.cuts, key=lambda cut: (cut[0], cut[1]), reverse=True):
            if end > last:
                raise _Hard
            new = text if self.newline == "\n" else text.replace("\r\n", "\n").replace("\n", self.newline)
            done, last = done[:start] + new + done[end:], start
        return done


def _steps(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[str, int, int, int, int]]:
    """Return how one list becomes the other; alike entries of mappings (one hex, one id) are paired."""
    matcher = difflib.SequenceMatcher(None, [*map(_canonical, old)], [*map(_canonical, new)], autojunk=False)
    return list(matcher.get_opcodes())


def _kept(old: list[tuple[str, Any]], new: list[tuple[str, Any]]) -> list[tuple[int, int]]:
    """Return which parts stay as they are: (place before, place after)."""
    kept = []
    for tag, i1, i2, j1, _ in _steps([list(pair) for pair in old], [list(pair) for pair in new]):
        if tag == "equal":
            kept += [(i1 + n, j1 + n) for n in range(i2 - i1)]
    return kept


def _scalar(raw: str, new: Any) -> str:
    """Return a value with the quotes that the one before it had."""
    if isinstance(new, str) and raw[:1] == '"':
        return json.dumps(new, ensure_ascii=False)
    if isinstance(new, str) and raw[:1] == "'":
        return "'" + new.replace("'", "''") + "'"
    return flow(new)
