"""HTML to text, enough to find an armoured block in it (protocol 6.2, step 2). Nothing is fetched.

Not `html.parser`: it takes quadratic time on unclosed tags, and a 12 kB mail of `<a <a <a` kept it busy for
a second. Here an alternative whose closing part is missing runs to the end of the text and never
backtracks, so each character is read a fixed number of times.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<dropped>script|style)\b[^>]*(?:>.*?(?:</(?P=dropped)[^>]*(?:>|\Z)|\Z)|\Z)"
    r"|</?(?P<tag>[a-z][a-z0-9:-]{0,30})[^>]*(?:>|\Z)"
    r"|<[!?/][^>]*(?:>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""What is no text of a page: a comment, a script or style with all in it, a tag, a declaration."""
_BLOCKS = frozenset(
    "address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5"
    " h6 head header hr html li main nav ol option p pre section table tbody td tfoot th thead tr ul".split()
)
# longest number of a character: `html.unescape` raises ValueError on thousands of digits
_ENTITY = re.compile(
    r"&(?:#0{0,20}[0-9]{1,7}(?![0-9])|#[xX]0{0,20}[0-9a-fA-F]{1,6}(?![0-9a-fA-F])|[A-Za-z][A-Za-z0-9]{1,31});?"
)
_MANY = 10_000  # pieces of text that are joined at a time
_BLOCK = 1 << 18  # characters
_REACH = 64  # no character reference is longer
_LOOKS = re.compile(r"<(?:html|body|div|p|br|pre|table|span|blockquote|font)\b[^<>]{0,2000}>", re.IGNORECASE)


def looks_like_html(text: str) -> bool:
    """Return True if the text has a tag that mail programs write.

    For parts that do not claim to be HTML.
    """
    return _LOOKS.search(text) is not None


def decode_entities(text: str, each: Callable[[str], str] = str) -> str:
    """Return a text with character references decoded; unknown ones stay.

    `each` is done to what comes out, block by block, so that the whole is never in memory before it.
    """
    if "&" not in text:
        return each(text)
    return "".join(each(_ENTITY.sub(_character, block)) for block in blocks(text))


def _character(match: re.Match[str]) -> str:
    decoded = html.unescape(match.group())
    return " " if decoded == "\N{NO-BREAK SPACE}" else decoded


def to_text(source: str, each: Callable[[str], str] = str) -> str:
    """Return the text of a page: block tags give newlines, scripts and styles go, entities are decoded.

    No page is too broken for it. `each` as in `decode_entities`.
    """
    return decode_entities("".join(_without_tags(source)), each)


def _without_tags(source: str) -> Iterator[str]:
    """Yield the text between tags in pieces, because an object for each tag needs too much memory."""
    pieces: list[str] = []
    at = 0
    for token in TOKEN.finditer(source):
        pieces.append(source[at : token.start()])
        at = token.end()
        tag = token.group("tag")
        if tag is not None and tag.lower() in _BLOCKS:
            pieces.append("\n")
        if len(pieces) > _MANY:
            yield "".join(pieces)
            pieces.clear()
    pieces.append(source[at:])
    yield "".join(pieces)


def blocks(text: str) -> Iterator[str]:
    """Yield a text in pieces.

    Cuts are after a line end if possible, else never within a character reference or a quoted-printable
    letter.
    """
    start = 0
    while start < len(text):
        end = start + _BLOCK
        if end < len(text):
            line_end = text.rfind("\n", start + _BLOCK // 2, end) + 1
            reference = max(text.rfind("&", end - _REACH, end), text.rfind("=", end - _REACH, end))
            end = line_end or (reference if reference > start else end)
        yield text[start:end]
        start = end
