"""The text of an email part: the declared charset, then the ladder of protocol 6.2, rule 1."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator

from pbem.text.dataclass import dataclass
from pbem.trust.repairs import narrow

HEAD = 1 << 18
"""Characters of a text that are kept as people read them."""
_BLOCK = 1 << 18  # bytes that are decoded at a time
# decoders that Python knows but no mail program writes, and that are slow or touch more than the bytes given
_NOT_FOR_MAIL = frozenset("punycode idna unicode-escape raw-unicode-escape undefined mbcs oem".split())


@dataclass(frozen=True)
class Text:
    """A possible text of bytes: the beginning as people read it, and the whole in one-byte characters.

    The latter is for the search for an armour (`narrow`).
    """

    head: str
    whole: str


def ladder(data: bytes, declared: str | None) -> Iterator[Text]:
    """Yield the texts that these bytes may stand for, the likeliest first; at least one, never an error.

    A declared charset can be wrong and decode all the same (ASCII called UTF-16), so the second guess is
    made when the first held nothing. NULs are dropped: they are what is left of UTF-16 without its mark.
    """
    stated = _known(declared)
    first = _decoded(data, stated)
    known = b""
    if first is not None:
        known = _digest(first)
        yield first
        del first
    for charset in ("utf-8", _by_mark(data), "cp1252"):
        text = _decoded(data, charset) if charset != stated else None
        if text is not None:
            if _digest(text) != known:
                yield text
            return
    if not known and (text := _decoded(data, "cp1252", "replace")):  # cp1252 leaves five bytes undefined
        yield text


def _digest(text: Text) -> bytes:
    return hashlib.sha256(text.whole.encode("latin-1")).digest()


def _known(declared: str | None) -> str | None:
    """Return Python's name for a declared charset, or None if there is none that is fit for email."""
    if not declared or len(declared) > 60:
        return None
    try:
        name = codecs.lookup(declared.strip().strip("'\"")).name
    except (LookupError, ValueError, UnicodeError):
        return None
    return None if name.replace("_", "-") in _NOT_FOR_MAIL else name


def _by_mark(data: bytes) -> str | None:
    return "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else None


def _decoded(data: bytes, charset: str | None, errors: str = "strict") -> Text | None:
    """Return the text, made block by block; None if the bytes are no text of this charset."""
    if charset is None:
        return None
    head, pieces, held = "", list[str](), ""
    try:
        b"a".decode(charset, "replace")  # LookupError: a codec of bytes to bytes, such as zlib
        decoder = codecs.getincrementaldecoder(charset)(errors)
        for start in range(0, len(data) or 1, _BLOCK):
            last = start + _BLOCK >= len(data)
            text = held + decoder.decode(data[start : start + _BLOCK], last).replace("\0", "")
            text = text if pieces else text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
            head += text[len(held) : len(held) + HEAD - len(head)]
            complete = text if last else text.rstrip("\r")  # perhaps half of a line end
            held = text[len(complete) :]
            pieces.append(narrow(complete))
    except (LookupError, ValueError):
        return None
    return Text(head, "".join(pieces))
