"""The text of a file: from bytes to characters, and from places in it to spans."""

from bisect import bisect_right
from collections.abc import Sequence

from pbem.text.chars import FORBIDDEN, called
from pbem.text.diagnostics import Diagnostic, Refused, Span

_WIDE = (  # beginning, encoding; longer ones first
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_SAVE = "save the file as UTF-8 without byte order mark"
_SHOWN = 5  # of many faults of one kind


class Source:
    """A named text that knows where its lines begin. Lines end with a line feed."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts: Sequence[int] | None = None

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at this offset."""
        if self._starts is None:
            starts = [0]
            while (found := self.text.find("\n", starts[-1])) >= 0:
                starts.append(found + 1)
            self._starts = starts
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of the characters from `start` to before `end`."""
        return Span(self.name, *self.place(start), *self.place(end))


def decode(source: bytes | str, name: str, size: int) -> str:
    """The characters of a file. Raises `Refused` with one diagnostic: too big, or not plain UTF-8."""
    length = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))
    if length > size:
        message = f"the file has {length} bytes, at most {size} are read"
        raise Refused(Diagnostic("too-big", message, span=Span(name, 1, 1, 1, 1)))
    text = source if isinstance(source, str) else _from_utf8(source, name)
    if text.startswith("\ufeff"):
        message = "the file begins with a byte order mark, wanted none"
        raise Refused(Diagnostic("byte-order-mark", message, span=Span(name, 1, 1, 1, 2), help=(_SAVE,)))
    return text


def _from_utf8(source: bytes, name: str) -> str:
    encoding = next((encoding for mark, encoding in _WIDE if source.startswith(mark)), None)
    if encoding is None and source[:200].count(0) * 4 >= len(source[:200]) > 0:
        encoding = "probably UTF-16"
    if encoding is not None:
        message = f"the file is {encoding}, wanted UTF-8"
        raise Refused(Diagnostic("wrong-encoding", message, span=Span(name, 1, 1, 1, 1), help=(_SAVE,)))
    try:
        return source.decode()
    except UnicodeDecodeError as error:
        before = source[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        byte = source[error.start]
        message = f"byte 0x{byte:02X} is not UTF-8, which was wanted"
        meant = bytes([byte]).decode("cp1252", "replace")
        if meant.isprintable() and meant != "\ufffd":
            message += f'; in Windows-1252 or Latin-1 it is "{meant}"'
        span = Span(name, line, column, line, column + 1)
        raise Refused(Diagnostic("wrong-encoding", message, span=span, help=(_SAVE,))) from None


def forbidden_characters(source: Source) -> list[Diagnostic]:
    """What may stand nowhere in a YAML file, comments included: the set of protocol 3 and odd line ends."""
    text = source.text
    if text.isascii() and "\r" not in text and text.replace("\n", "").replace("\t", "").isprintable():
        return []
    offsets = [found.start() for found in FORBIDDEN.finditer(text.replace("\r\n", " \n"))]
    offsets += [at for odd in "\u2028\u2029\ufeff" for at in _all(text, odd)]
    found: list[Diagnostic] = []
    for at in sorted(offsets)[:_SHOWN]:
        help = ("in quoted text write it as an escape",) if text[at] in "\u2028\u2029" else ()
        notes = (f"{len(offsets) - _SHOWN} more like it",) if len(offsets) > _SHOWN == len(found) + 1 else ()
        message = f"found {called(text[at])}, which may not stand in such a file"
        span = source.span(at, at + 1)
        found.append(Diagnostic("bad-character", message, span=span, notes=notes, help=help))
    return found


def _all(text: str, part: str) -> list[int]:
    offsets, at = [], text.find(part)
    while at >= 0:
        offsets.append(at)
        at = text.find(part, at + 1)
    return offsets
