"""Restricted YAML, the form of all files that people write (protocol 7).

One document of mappings, lists and scalars; no anchors, aliases, tags, merge keys, directives, tabs, floats
or dates; keys are text and stand once. Unquoted scalars are typed by the schema where there is one.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pbem.text.diagnostics import DataPath, Diagnostic, Refused, Span, in_order
from pbem.text.messages import Message
from pbem.text.reading.build import Builder, Limits, Stop
from pbem.text.reading.damage import after_syntax_error, stray_tabs
from pbem.text.reading.events import Unreadable, events
from pbem.text.reading.marks import Marks, tree, yaml_tokens
from pbem.text.reading.scalars import Plain, free
from pbem.text.reading.source import Source, decode, forbidden_characters
from pbem.text.reading.syntax import explain
from pbem.text.reading.typing import settle

__all__ = ["Document", "Limits", "Reading", "load", "read"]


class Document:
    """A loaded file.

    `data` is plain: dict, list, str, int, bool, None. Spans are made when asked for.
    """

    def __init__(self, name: str, text: str, data: Any, marks: Callable[[], Marks]) -> None:
        self.name = name
        self.text = text
        self.data = data
        self._make = marks
        self._marks: Marks | None = None

    def span(self, path: DataPath = ()) -> Span:
        """Return the place of the value at `path`, or of the nearest one around it."""
        return self.marks().span(path)

    def key_span(self, path: DataPath) -> Span:
        """Return the place of the key at `path`; in a list, of the value itself."""
        return self.marks().key_span(path)

    def marks(self) -> Marks:
        """Return all places in the document, for which the text is parsed again the first time."""
        if self._marks is None:
            self._marks = self._make()
        return self._marks


class Reading(NamedTuple):
    """The result of reading a file: its data as far as it could be read, and all its faults.

    `whole` says that the end was reached, so that the data can be checked further. Data at the paths of
    faults is arbitrary.
    """

    document: Document
    faults: tuple[Diagnostic, ...]
    whole: bool


def load(
    source: bytes | str,
    name: str,
    schema: Mapping[str, Any] | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    *,
    pure: bool = False,
) -> Document:
    """Load one YAML file; `name` is its name in diagnostics.

    Raises `Refused` with all faults.

    The schema only says what unquoted scalars are; `schema.check` tells whether the data fits it. Without
    a schema whole numbers in canonical form, true, false and null are themselves, other unquoted scalars
    are text. `pure` keeps to the scanner in Python, which is slower and understands the same files.
    """
    reading = read(source, name, schema, limits, pure=pure)
    if reading.faults:
        raise Refused(reading.faults)
    return reading.document


def known(source: bytes | str, name: str, data: Any, limits: Limits) -> Document:
    """Return the document of a file whose data is known; its text is parsed only for places."""
    text = Source(name, decode(source, name, limits.size))
    return Document(name, text.text, data, lambda: _marks(text, limits, False))


def read(
    source: bytes | str,
    name: str,
    schema: Mapping[str, Any] | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    *,
    pure: bool = False,
) -> Reading:
    """Read like `load`, but return the faults beside the data.

    Raises only what `decode` refuses.
    """
    text = Source(name, decode(source, name, limits.size))
    data, whole, faults = None, False, forbidden_characters(text)
    document = Document(name, text.text, None, lambda: _marks(text, limits, pure))
    if not faults:
        builder = Builder(text, limits, free if schema is None else Plain)
        try:
            data = builder.build(events(text.text, pure))
            whole = True
        except Stop:
            pass
        except Unreadable as error:
            builder.faults.append(explain(error, text, builder.reached))
            builder.faults += after_syntax_error(text, limits.depth, pure)
        builder.finish(document.marks)
        faults = builder.faults + _directives(text) + stray_tabs(text, limits.depth, pure)
    if whole and schema is not None:
        schema_faults: list[Diagnostic] = []
        data = settle(data, schema, schema_faults.append)
        faults += [fault.at(document) for fault in schema_faults]
    document.data = data
    return Reading(document, _without_repeats(faults), whole)


def _marks(text: Source, limits: Limits, pure: bool) -> Marks:
    return Marks(text.name, tree(yaml_tokens(text.text, pure), limits.depth))


_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\n]*|\r?)\n)*(%[^\n]*)")
"""One way to read each line: with two, a file of thirty comments with Windows line ends takes hours."""


def _directives(source: Source) -> list[Diagnostic]:
    """Return lines that begin with % before the document, which the two scanners treat differently."""
    directive = _DIRECTIVE.match(source.text)
    if not directive:
        return []
    span = source.span(directive.start(1), directive.end(1))
    help = (Message("text.yaml.leave-out-lines-begin"),)
    return [Diagnostic("directive", Message("text.yaml.directive"), span=span, help=help)]


def _without_repeats(faults: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the faults sorted by place; of several with one code at one place the first."""
    kept: dict[tuple[str, int, int], Diagnostic] = {}
    for fault in faults:
        assert fault.span is not None
        kept.setdefault((fault.code, fault.span.line, fault.span.column), fault)
    return tuple(in_order(kept.values()))
