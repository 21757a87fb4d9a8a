"""Diagnostics, by which every room reports faults: the fault, its place, the rule, and help."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal, Protocol, TypeAlias

from pbem.text.messages import Message, Value

#: The way to a value in plain data: keys of mappings and indices of lists, from the outermost in.
DataPath: TypeAlias = tuple[str | int, ...]
Severity: TypeAlias = Literal["error", "warning", "note"]
Family: TypeAlias = Literal["invalid", "ambiguous", "illegal"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of a file.

    Lines and columns count from 1 in characters; the end is exclusive.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class Located(Protocol):
    """An object that knows the places of its values, such as a loaded document."""

    def span(self, path: DataPath, /) -> Span: ...

    def key_span(self, path: DataPath, /) -> Span: ...


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault, as a value.

    `message`, `notes` and `help` are messages (`text/messages.py`); used as texts, they are English.

    `message` is lower case, says what was found and what was wanted, no full stop.
    `code` is a word that names the fault (`unknown-key`). `family` is `invalid` (not understood),
    `ambiguous`, or `illegal` (understood, not allowed by the rules). `path` leads to the value in the
    data; `on_key` says that the fault is with the key there and not with its value. `rule` is the
    number and name of the rule in the rulebook.
    """

    code: str
    message: str
    _: KW_ONLY
    severity: Severity = "error"
    family: Family = "invalid"
    span: Span | None = None
    path: DataPath = ()
    rule: str | None = None
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    on_key: bool = False

    @property
    def id(self) -> str | None:
        """Return the id of the message; None for a plain text."""
        return self.message.id if isinstance(self.message, Message) else None

    @property
    def fields(self) -> Mapping[str, Value]:
        """Return the fields of the message; empty for a plain text."""
        return self.message.fields if isinstance(self.message, Message) else {}

    def at(self, document: Located) -> "Diagnostic":
        """Return the diagnostic with `span` looked up from `path`, unless it is known already."""
        if self.span is not None:
            return self
        return replace(self, span=document.key_span(self.path) if self.on_key else document.span(self.path))


class PbemError(Exception):
    """The end of a run that cannot go on.

    Its text is fit for a user: lower case, no full stop.
    """


class Refused(PbemError):
    """Rejected input.

    `diagnostics` holds every fault, at least one.
    """

    def __init__(self, *diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        faults: list[Diagnostic] = []
        for fault in diagnostics:
            faults.extend((fault,) if isinstance(fault, Diagnostic) else fault)
        assert faults, "a refusal gives a reason"
        self.diagnostics: tuple[Diagnostic, ...] = tuple(faults)
        super().__init__(*self.diagnostics)

    def __str__(self) -> str:
        from pbem.text.render import concise

        return concise(self.diagnostics)


def measures(fault: Diagnostic) -> bool:
    """Return True if a fault says by its numbers how much there is too much or too little."""
    return sum(str(value).lstrip("-").replace("/", "").isdigit() for value in fault.fields.values()) >= 2


def nearest_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics order by order; of each order, "too far" comes before "wrong kind".

    The path of an order ends at its number in a list. The orders themselves stay as they come.
    """
    listed = list(diagnostics)
    first: dict[tuple[str | int, ...], int] = {}
    places = [first.setdefault(_order(diagnostic), len(first)) for diagnostic in listed]
    ranked = sorted(zip(places, listed, strict=True), key=lambda pair: (pair[0], not measures(pair[1])))
    return [diagnostic for _, diagnostic in ranked]


def _order(fault: Diagnostic) -> tuple[str | int, ...]:
    """Return the path of the order that a fault is about; its line where it has no path."""
    if not fault.path:
        return ("line", fault.span.line if fault.span is not None else 0)
    numbers = [n for n, step in enumerate(fault.path) if isinstance(step, int)]
    holding = [n for n in numbers if isinstance(next(iter(fault.path[n + 1 : n + 2]), None), str)]
    last = max(holding or numbers, default=len(fault.path))
    return fault.path[: last + 1]


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics sorted by place in the file; those without a span come first, unsorted."""
    nowhere = Span("", 0, 0, 0, 0)
    return sorted(diagnostics, key=lambda diagnostic: diagnostic.span or nowhere)
