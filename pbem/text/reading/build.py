"""The way from YAML events to plain values, which stops at a limit and names every fault."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NoReturn

from pbem.text.chars import FORBIDDEN, called, clipped
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Span
from pbem.text.messages import Message
from pbem.text.normal import nfc
from pbem.text.reading.damage import SUSPECT, suspicious
from pbem.text.reading.marks import Marks
from pbem.text.reading.scalars import BadScalar
from pbem.text.reading.source import Source

MOST_FAULTS = 50
_SUSPECT_KEYS = ("", "<<")


class Stop(Exception):
    """The end of reading; the reason is among the faults."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of reading (protocol 7): bytes of the file, nesting, values (collections included)."""

    size: int = 256 * 1024
    depth: int = 32
    values: int = 20_000


class Builder:
    """A builder of one document's value.

    After `build` returned or raised, `faults` holds all faults.
    """

    def __init__(self, source: Source, limits: Limits, plain: Callable[[str], Any]) -> None:
        self.source = source
        self.limits = limits
        self.plain = plain  # function: unquoted text -> value, or BadScalar
        self.faults: list[Diagnostic] = []
        self._last: Any = None  # the event in hand
        self._frames: list[tuple[Any, str | None]] = []  # the open collections, each with the key it was at
        self._documents = 0
        self._asks = "?" in source.text  # keys may be marked with `?`

    def build(self, stream: Iterable[Any]) -> Any:
        """Return the value of the document, None for an empty one.

        Raises `Stop` and what the stream raises.
        """
        from ruamel.yaml import events as kinds

        scalar, mapping, sequence = kinds.ScalarEvent, kinds.MappingStartEvent, kinds.SequenceStartEvent
        ends = (kinds.MappingEndEvent, kinds.SequenceEndEvent)
        into: Any = []  # the innermost open collection; first a list that holds the document
        root, key, left, frames = into, None, self.limits.values, self._frames
        for event in stream:
            self._last = event
            kind = event.__class__
            if kind is scalar:
                text, style = event.value, event.style
                if not text.isascii() or (style == '"' and not text.isprintable()):
                    text = self._text(event, into, key)
                if event.anchor is not None or event.tag is not None:
                    self._properties(event, into, key)
                if key is None and into.__class__ is dict:
                    if text in into or text in _SUSPECT_KEYS or self._asks:
                        self._odd_key(text, event, into)
                    key = text
                    continue
                value = text if style else self._plain(text, event, into, key)
            elif kind is mapping or kind is sequence:
                value = self._open(event, into, key)
            elif kind in ends:
                into, key = frames.pop()[0], None
                continue
            elif not self._odd(event, into, key):
                continue
            else:
                value = None
            left -= 1
            if left < 0:
                self._stop(
                    "too-many-values",
                    Message("text.build.too-many-values", values=self.limits.values),
                    event,
                )
            if into.__class__ is dict:
                into[key] = value
            else:
                into.append(value)
            if kind is mapping or kind is sequence:
                frames.append((into, key))
                into = value
            key = None
        return root[0] if root else None

    @property
    def reached(self) -> tuple[int, int]:
        """Return line and column, from 1, of the end of the last event seen."""
        if self._last is None:
            return 1, 1
        return self._last.end_mark.line + 1, self._last.end_mark.column + 1

    def finish(self, marks: Callable[[], Marks]) -> None:
        """Add the place of the first key to the faults about duplicate keys."""
        for index, fault in enumerate(self.faults):
            if fault.code == "duplicate-key":
                line = marks().key_span(fault.path).line
                message = Message("text.build.also-in-line", message=fault.message, line=line)
                self.faults[index] = replace(fault, message=message)

    def _text(self, event: Any, into: Any, key: str | None) -> str:
        """Return a text as stored: in normal form C and without what protocol 3 forbids."""
        text: str = nfc(event.value)
        if bad := FORBIDDEN.search(text):
            self._fault(
                "bad-character",
                Message("text.build.bad-character", called=called(bad[0])),
                event,
                self._path(into, key),
            )
        if not event.style and (odd := SUSPECT.search(event.value)):
            at = self.source.text.find(odd[0], event.start_mark.index)
            self._add(replace(suspicious(self.source, at), path=self._path(into, key)))
        return text

    def _plain(self, text: str, event: Any, into: Any, key: str | None) -> Any:
        try:
            return self.plain(text)
        except BadScalar as bad:
            self._fault(bad.code, bad.message, event, self._path(into, key), bad.help)
            return None

    def _odd_key(self, text: str, event: Any, into: dict[str, Any]) -> None:
        path = self._path(into, text)
        if text == "":
            self._fault("empty-key", Message("text.build.empty-key"), event, path)
        elif text == "<<" and not event.style:
            help = Message("text.build.write-out-merge")
            self._fault("merge-key", Message("text.build.merge-key"), event, path, help)
        elif text in into:
            self._fault("duplicate-key", Message("text.build.duplicate-key", text=clipped(text)), event, path)
        elif self._before(event).endswith(("?", "? ")):
            # inside brackets the library reads `?foo` as a marked key `foo`
            help = Message("text.build.write-key-and-value")
            self._fault("explicit-key", Message("text.build.explicit-key"), event, path, help)

    def _before(self, event: Any) -> str:
        """Return the two characters before the event."""
        at = event.start_mark.index
        return self.source.text[max(0, at - 2) : at]

    def _open(self, event: Any, into: Any, key: str | None) -> dict[str, Any] | list[Any]:
        if event.anchor is not None or event.tag is not None:
            self._properties(event, into, key)
        is_mapping = event.__class__.__name__ == "MappingStartEvent"
        if key is None and into.__class__ is dict:
            wanted = Message("text.build.braces") if is_mapping else Message("text.build.a-list")
            help = Message("text.build.quote-brackets")
            self._stop("key-not-text", Message("text.build.key-not-text", found=wanted), event, help)
        if len(self._frames) >= self.limits.depth:
            message = Message("text.build.too-deep", depth=self.limits.depth)
            self._stop("too-deep", message, event)
        return {} if is_mapping else []

    def _odd(self, event: Any, into: Any, key: str | None) -> bool:
        """Handle an event that is neither scalar nor collection; return True if it is a value."""
        kind = event.__class__.__name__
        if kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                self._stop("several-documents", Message("text.build.several-documents"), event)
        if kind != "AliasEvent":
            return False
        shown = clipped(str(event.anchor))
        help = Message("text.build.write-out-alias")
        if key is None and into.__class__ is dict:
            self._stop("alias", Message("text.build.alias-as-key", shown=shown), event, help)
        self._fault(
            "alias",
            Message("text.build.alias", shown=shown),
            event,
            self._path(into, key),
            help,
        )
        return True

    def _properties(self, event: Any, into: Any, key: str | None) -> None:
        path = self._path(into, key)
        if event.anchor is not None:
            shown = clipped(str(event.anchor))
            help = Message("text.build.leave-out-anchor")
            self._fault("anchor", Message("text.build.anchor", shown=shown), event, path, help)
        if event.tag is not None:
            help = Message("text.build.leave-out-tag")
            self._fault(
                "tag",
                Message("text.build.tag", tag=clipped(str(event.tag))),
                event,
                path,
                help,
            )

    def _path(self, into: Any, key: str | None) -> DataPath:
        """Return the path of the value that comes next."""
        steps = [(key if key is not None else len(outer) - 1) for outer, key in self._frames[1:]]
        if self._frames:
            steps.append(len(into) if into.__class__ is list else key or "")
        return tuple(steps)

    def _fault(self, code: str, message: Message, event: Any, path: DataPath, help: str = "") -> None:
        span = self._span(event)
        self._add(Diagnostic(code, message, span=span, path=path, help=(help,) if help else ()))

    def _stop(self, code: str, message: Message, event: Any, help: str = "") -> NoReturn:
        self.faults.append(Diagnostic(code, message, span=self._span(event), help=(help,) if help else ()))
        raise Stop

    def _add(self, fault: Diagnostic) -> None:
        self.faults.append(fault)
        if len(self.faults) == MOST_FAULTS:
            message = Message("text.build.too-many-faults", most_faults=MOST_FAULTS)
            self.faults.append(Diagnostic("too-many-faults", message, span=fault.span))
            raise Stop

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.source.name, start.line + 1, start.column + 1, end.line + 1, end.column + 1)
