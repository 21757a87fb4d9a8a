"""HTML mail to text, enough to find an armoured block in it (protocol 6.2, rule 2). Nothing is fetched.

Not `html.parser`: on Python 3.11.7 it takes quadratic time on unclosed tags, and a 12 kB mail of `<a <a <a`
kept it busy for a second. Here every alternative of the pattern runs to the end of the text where its closing
part is missing, so the work grows with the length of the text and no faster.
"""

from __future__ import annotations

import html
import re

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<dropped>script|style)\b[^>]*(?:>.*?(?:</(?P=dropped)|\Z)|\Z)"
    r"|</?(?P<tag>[a-z][a-z0-9:-]{0,30})[^>]*(?:>|\Z)"
    r"|<[!?/][^>]*(?:>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_BLOCKS = frozenset(
    "address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4"
    " h5 h6 header hr html li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_LOOKS = re.compile(r"<(?:html|body|div|p|br|pre|table|span|blockquote|font)\b[^<>]{0,2000}>", re.IGNORECASE)


def looks_like_html(text: str) -> bool:
    """Is there any tag that mail programs write? Asked of parts that do not say they are HTML."""
    return _LOOKS.search(text) is not None


def decode_entities(text: str) -> str:
    """Character references to characters; impossible ones stay as they are."""
    return _ENTITY.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    decoded = html.unescape(found.group())
    return " " if decoded == "\N{NO-BREAK SPACE}" else decoded


def to_text(source: str) -> str:
    """The text of an HTML part: block tags give newlines, scripts and styles go, entities are decoded."""
    pieces: list[str] = []
    at = 0
    for token in _TOKEN.finditer(source):
        pieces.append(source[at : token.start()])
        at = token.end()
        tag = token.group("tag")
        if tag is not None and tag.lower() in _BLOCKS:
            pieces.append("\n")
    pieces.append(source[at:])
    return decode_entities("".join(pieces))
