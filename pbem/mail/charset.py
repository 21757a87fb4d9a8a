"""Bytes of a mail part to text: the declared charset, then the ladder of protocol 6.2, rule 1."""

from __future__ import annotations

import codecs

# decoders that Python knows but no mail program writes, and that are slow or touch more than the bytes given
_NOT_FOR_MAIL = frozenset("punycode idna unicode-escape raw-unicode-escape undefined mbcs oem".split())


def ladder(data: bytes, declared: str | None) -> list[str]:
    """Texts that these bytes may stand for, the likeliest first; never empty, never an error.

    A declared charset can be wrong and decode all the same (ASCII called UTF-16), so the second guess is
    kept: whoever reads tries it if the first holds nothing. NULs are dropped: they are what is left of UTF-16
    without its mark.
    """
    stated = _known(declared)
    texts = [text for text in [_decoded(data, stated)] if text is not None]
    for charset in ("utf-8", _by_mark(data), "cp1252"):
        text = _decoded(data, charset) if charset != stated else None
        if text is not None:
            texts.append(text)
            break
    if not texts:  # the five bytes that Windows-1252 leaves open
        texts.append(data.decode("cp1252", "replace"))
    cleaned = [text.replace("\0", "").removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}") for text in texts]
    return list(dict.fromkeys(cleaned))


def _known(declared: str | None) -> str | None:
    """The name Python has for a declared charset, or None if there is none that is fit for mail."""
    if not declared or len(declared) > 60:
        return None
    try:
        name = codecs.lookup(declared.strip().strip("'\"")).name
    except (LookupError, ValueError, UnicodeError):
        return None
    return None if name.replace("_", "-") in _NOT_FOR_MAIL else name


def _by_mark(data: bytes) -> str | None:
    return "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else None


def _decoded(data: bytes, charset: str | None) -> str | None:
    if charset is None:
        return None
    try:
        return data.decode(charset)
    except (LookupError, ValueError):  # LookupError: a codec of bytes to bytes, such as zlib
        return None
