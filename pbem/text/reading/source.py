"""The text of a file: from bytes to characters, and from places in it to spans."""

from bisect import bisect_right
from collections.abc import Sequence

from pbem.text.chars import FORBIDDEN, called
from pbem.text.diagnostics import Diagnostic, Refused, Span
from pbem.text.messages import Message

_WIDE = (  # beginning, encoding; longer ones first
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_SAVE = "text.source.save"
_SHOWN = 5  # faults of one kind to show


class Source:
    """A named text that knows where its lines begin. Lines end with a line feed."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts: Sequence[int] | None = None

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, both from 1, of the character at this offset."""
        if self._starts is None:
            starts = [0]
            while (end := self.text.find("\n", starts[-1])) >= 0:
                starts.append(end + 1)
            self._starts = starts
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """Return the span of the characters from `start` to before `end`."""
        return Span(self.name, *self.place(start), *self.place(end))


def decode(source: bytes | str, name: str, size: int) -> str:
    """Return the characters of a file.

    Raises `Refused` with one diagnostic: too big, or not plain UTF-8.
    """
    length = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))
    if length > size:
        message = Message("text.source.too-big", length=length, size=size)
        raise Refused(Diagnostic("too-big", message, span=Span(name, 1, 1, 1, 1)))
    text = source if isinstance(source, str) else _from_utf8(source, name)
    if text.startswith("\ufeff"):
        message = Message("text.source.byte-order-mark")
        raise Refused(
            Diagnostic("byte-order-mark", message, span=Span(name, 1, 1, 1, 2), help=(Message(_SAVE),))
        )
    return text


def _from_utf8(source: bytes, name: str) -> str:
    encoding = next((encoding for mark, encoding in _WIDE if source.startswith(mark)), None)
    if encoding is None and source[:200].count(0) * 4 >= len(source[:200]) > 0:
        encoding = Message("text.source.probably-encoding", encoding="UTF-16")
    if encoding is not None:
        message = Message("text.source.wrong-encoding", encoding=encoding)
        raise Refused(
            Diagnostic("wrong-encoding", message, span=Span(name, 1, 1, 1, 1), help=(Message(_SAVE),))
        )
    try:
        return source.decode()
    except UnicodeDecodeError as error:
        before = source[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        byte = source[error.start]
        meant = bytes([byte]).decode("cp1252", "replace")
        meant = meant if meant.isprintable() and meant != "\ufffd" else ""
        message = Message("text.source.byte-not-utf-8", byte=f"{byte:02X}", meant=meant)
        span = Span(name, line, column, line, column + 1)
        raise Refused(Diagnostic("wrong-encoding", message, span=span, help=(Message(_SAVE),))) from None


def forbidden_characters(source: Source) -> list[Diagnostic]:
    """Return the characters forbidden in a YAML file: the set of protocol 3 and odd line ends."""
    text = source.text
    if text.isascii() and "\r" not in text and text.replace("\n", "").replace("\t", "").isprintable():
        return []
    offsets = [faults.start() for faults in FORBIDDEN.finditer(text.replace("\r\n", " \n"))]
    offsets += [at for odd in "\u2028\u2029\ufeff" for at in _all(text, odd)]
    faults: list[Diagnostic] = []
    for at in sorted(offsets)[:_SHOWN]:
        help = (Message("text.source.write-as-escape"),) if text[at] in "\u2028\u2029" else ()
        notes = (
            (Message("text.source.more-like-it", count=len(offsets) - _SHOWN),)
            if len(offsets) > _SHOWN == len(faults) + 1
            else ()
        )
        message = Message("text.source.bad-character", called=called(text[at]))
        span = source.span(at, at + 1)
        faults.append(Diagnostic("bad-character", message, span=span, notes=notes, help=help))
    return faults


def _all(text: str, part: str) -> list[int]:
    offsets, at = [], text.find(part)
    while at >= 0:
        offsets.append(at)
        at = text.find(part, at + 1)
    return offsets
