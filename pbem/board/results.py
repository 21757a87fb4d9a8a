"""The parser of results tables' codes ("AL1o1 Do1", "0/10D", "Dr2 1/1") by a grammar that is data.

    results:
      attacker_loss: "AL{steps}"          # letters as printed; {name} is a number
      losses: ["{attacker}/{defender}"]   # several ways to print one result
      no_effect: "-"

A cell is one result after another, with or without blanks between. Where several patterns fit, the longest
counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message

Part = tuple[bool, str]  # (True, name of a slot) or (False, literal text)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result: its name in the grammar, and its numbers by the names of their slots."""

    name: str
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, slot: str) -> int:
        return self.numbers[slot]


@dataclass(frozen=True, slots=True)
class _Pattern:
    name: str
    text: str
    parts: tuple[Part, ...]

    @property
    def letters(self) -> int:
        return sum(len(text) for slot, text in self.parts if not slot)

    def match(self, text: str, start: int) -> tuple[int, dict[str, int]] | None:
        """Return the end of a match at `start`, and its numbers."""
        at, numbers = start, {}
        for slot, wanted in self.parts:
            end = at
            if slot:
                while end < len(text) and text[end] in "0123456789":
                    end += 1
                if end == at:
                    return None
                numbers[wanted] = int(text[at:end])
            elif text.startswith(wanted, at):
                end += len(wanted)
            else:
                return None
            at = end
        return at, numbers


class Grammar:
    """The results of one system. `from_data` reads the mapping that is under `results`."""

    def __init__(self, patterns: tuple[_Pattern, ...]) -> None:
        self._patterns = patterns

    @classmethod
    def from_data(cls, data: Json, path: DataPath = ()) -> Grammar:
        """Read a grammar. Raises `Refused` with all its faults."""
        faults: list[Diagnostic] = []
        patterns: list[_Pattern] = []
        entries = data.items() if isinstance(data, dict) else ()
        if not entries:
            message = Message("board.results.wrong-type", data=repr(data))
            faults.append(Diagnostic("wrong-type", message, path=path))
        for name, ways in entries:
            for text in ways if isinstance(ways, list) else [ways]:
                try:
                    pattern = _Pattern(name, str(text), _parts(text))
                except ValueError as fault:
                    faults.append(Diagnostic("bad-pattern", str(fault), path=(*path, name)))
                    continue
                if twin := next((known for known in patterns if _same(known, pattern)), None):
                    message = Message(
                        "board.results.listed-twice", text=repr(text), twin=twin.name, name=name
                    )
                    faults.append(Diagnostic("listed-twice", message, path=(*path, name)))
                patterns.append(pattern)
        if faults:
            raise Refused(faults)
        return cls(tuple(patterns))

    def parse(self, code: str | int, path: DataPath = ()) -> tuple[Outcome, ...]:
        """Return the results of a cell, in the order printed.

        Raises `Refused` if any part is not in the grammar.
        """
        text = str(code)
        outcomes: list[Outcome] = []
        at = 0
        while at < len(text):
            if text[at] == " ":
                at += 1
                continue
            fits = [(fit, pattern) for pattern in self._patterns if (fit := pattern.match(text, at))]
            if not fits:
                message = Message(
                    "board.results.result-not-in-grammar-results", text=repr(text), text_2=repr(text[at:])
                )
                raise Refused(Diagnostic("unknown-result", message, path=path))
            (at, numbers), pattern = max(fits, key=lambda fit: (fit[0][0], fit[1].letters))
            outcomes.append(Outcome(pattern.name, numbers))
        if not outcomes:
            raise Refused(Diagnostic("unknown-result", Message("board.results.empty-result"), path=path))
        return tuple(outcomes)


def _same(pattern: _Pattern, other: _Pattern) -> bool:
    """Return True if two patterns fit the same codes."""

    def shape(pattern: _Pattern) -> list[Part]:
        return [(slot, "" if slot else text) for slot, text in pattern.parts]

    return shape(pattern) == shape(other)


def _parts(text: Json) -> tuple[Part, ...]:
    """Cut a pattern into letters and slots."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(Message("board.results.no-pattern", text=repr(text), sample="AL{steps}"))
    parts: list[Part] = []
    rest = text.strip()
    while rest:
        letters, brace, rest = rest.partition("{")
        if "}" in letters:
            raise ValueError(Message("board.results.slot-closed-not-opened", text=repr(text)))
        if letters:
            parts.append((False, letters))
        if not brace:
            break
        name, closed, rest = rest.partition("}")
        if not closed or not name.isidentifier() or (True, name) in parts:
            raise ValueError(Message("board.results.every-slot-closed-name-own", text=repr(text)))
        if parts and parts[-1][0]:
            raise ValueError(Message("board.results.two-numbers-follow-each-other", text=repr(text)))
        parts.append((True, name))
    return tuple(parts)
