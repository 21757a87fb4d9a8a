"""Undoing what mail programs do to marked base64 (protocol 6.2, steps 2 to 5).

All repairs are guesses, which is safe: a wrong one does not verify. Text in, text or bytes out;
parts, charsets and attachments are the business of the mail room.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import quopri
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from pbem.trust.hypertext import blocks, decode_entities, to_text

WIDTH = 64  # narrower than every known line wrap
MAX_BLOCK = 16 * 1024 * 1024
"""Characters between two markers: a statement of 8 MiB as base64, with quote marks before its lines."""

# characters without width: joiners, direction marks, fillers, variation selectors
_INVISIBLE = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
_ZERO_WIDTH = re.compile(f"[{_INVISIBLE}]|(?<=\\w)\u00ad(?=\\w)")
_NO_ROOM = re.compile(f"[{_INVISIBLE}\u00ad]")
_MAY_SPLIT = re.compile(f"=[\n\r]|[{_INVISIBLE}\u00ad]")  # within the word PBEM
_NEWLINE = re.compile("\r+\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_BREAKS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_BLANKS = r"[\s>|]{1,80}"
_REACH = 80  # largest distance between a marker's words and its dashes
_MOST_QUOTING = 400  # quote marks before a line; more is dropped with everything that is not base64
_LONG_DASHES = ("\u2014", "\u2015", "\u2e3a", "\u2e3b", "\u2500", "\ufe58")
_DASHES = re.compile(  # several dashes, or one long one
    "[-\u00ad\u058a\u05be\u2010-\u2015\u2212\u2500\u2e3a\u2e3b\ufe58\ufe63\uff0d]{2,}|[\u2014\u2015\u2e3a\u2e3b\u2500\ufe58]"
)
_WIDE = (
    (re.compile("[\u2014\u2015\u2500\u2e3a\u2e3b\ufe58]"), "--"),
    (
        re.compile(
            "[\u058a\u05be\u1400\u1806\u2010-\u2013\u2212\u2e17\u2e1a\u2e40\u2e5d\u301c\u3030\u30a0\ufe31\ufe32\ufe63\uff0d]"
        ),
        "-",
    ),
    (re.compile("[\u1680\u2000-\u200a\u202f\u205f\u3000]"), " "),
)
"""Characters of more than one byte that matter to an armour, dashes and blanks, and what stands for them."""
# a multi-byte letter has become a question mark
_QUOTED = re.compile(r"(?:[\s>|]|[\w?]{1,4}>)+")
_INITIALS = re.compile(r"(?:^|(?<=\s))[\w?]{1,4}>")
_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_OUTSIDE = bytes(set(range(256)) - _BASE64)
_SPLIT_PBEM = re.compile(r"P(?:=\n)?B(?:=\n)?E(?:=\n)?M")


def mark_base64(name: str, data: bytes) -> str:
    """Return `data` in lines of base64 between BEGIN and END markers, with a last newline."""
    text = base64.b64encode(data).decode()
    lines = [text[i : i + WIDTH] for i in range(0, len(text), WIDTH)]
    return "\n".join([f"-----BEGIN {name}-----", *lines, f"-----END {name}-----", ""])


def defused(text: str) -> str:
    """Return text for people in which no repair makes a reader see the marker of an armour.

    What others wrote is in it: protests, reasons, names. Enough false blocks would hide the real one.
    """
    text = _lowered(text)
    return _lowered(single_dashes(_plain_letters(text))) if opens(text) else text


def opens(text: str) -> bool:
    """Return True if some reading of a text or a page (HTML) holds a marker of an armour (steps 2 to 4)."""
    texts = [text, to_text(text)] if "<" in text and ">" in text else [text]
    return any(
        True
        for source in texts
        for flowed in (False, True)  # the armour that follows brings dashes
        for variant in variants(f"-----\n{source}\n-----\nPBEM", flowed=flowed, delsp=flowed)
        for _ in marks(("PBEM STATEMENT", "SSH SIGNATURE"), variant)
    )


def single_dashes(text: str) -> str:
    """Return somebody's text with every run of dashes of any kind as one hyphen."""
    return _DASHES.sub("-", text)


def _lowered(text: str) -> str:
    return re.sub(
        rf"(BEGIN|END)({_BLANKS})(PBEM|SSH)\b", lambda m: f"{m[1].lower()}{m[2]}{m[3].lower()}", text
    )


def _plain_letters(text: str) -> str:
    """Return the text without anything that a reader might repair: only letters, digits and common signs."""
    return re.sub(r"[^\w\s.,:;()'/+-]", " ", _ZERO_WIDTH.sub("", _with_newlines(text)))


# --- texts ----------------------------------------------------------------------------------------------


def variants(text: str, *, flowed: bool = False, delsp: bool = False) -> Iterator[str]:
    """Yield the readings of a text that may hold an armour, the plain one first, no two alike (step 3).

    Each is made when it is asked for, with one byte a character, so that few of them are in memory at once.
    """
    if "PBEM" not in text and not _MAY_SPLIT.search(text):
        return
    plain = narrow(text)
    if not _SPLIT_PBEM.search(plain):
        return
    yield plain
    known = {_digest(plain)}
    for made in _repaired(plain, flowed, delsp):
        if (digest := _digest(made)) not in known:
            known.add(digest)
            yield made
        del made  # free the memory for the next one


def _repaired(plain: str, flowed: bool, delsp: bool) -> Iterator[str]:
    """Yield what the text may have been, by each repair of a whole text."""
    yield from _decoded_once_more(plain)
    if flowed:
        text = unflow(plain, delsp)
        yield text
        yield from _decoded_once_more(text)
        del text
    if "<" in plain and ">" in plain:
        yield to_text(plain, narrow)
        if "=" in plain:
            yield to_text(unquote_printable(plain), narrow)


def _decoded_once_more(text: str) -> Iterator[str]:
    if "&" in text:
        yield decode_entities(text, narrow)
    if "=" in text:
        yield decode_entities(unquote_printable(text), narrow)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("latin-1")).digest()


def narrow(text: str) -> str:
    """Return the text in characters of one byte, with newlines at line ends; an armour in it stays whole.

    A text in which one character needs four bytes takes four bytes for each: 25 MiB would take 100.
    """
    if not text.isascii() and _NO_ROOM.search(text):
        text = _ZERO_WIDTH.sub("", text)
    text = _with_newlines(text)
    try:
        text.encode("latin-1")
        return text  # already one byte per character
    except UnicodeEncodeError:
        for wide, plainer in _WIDE:
            text = wide.sub(plainer, text)
        return text.encode("latin-1", "replace").decode("latin-1")


def _with_newlines(text: str) -> str:
    """Return the text with every kind of line break as a newline; most texts have one kind only."""
    text = text.replace("\r\n", "\n")
    return _NEWLINE.sub("\n", text) if any(mark in text for mark in _BREAKS) else text


def unflow(text: str, delsp: bool = False) -> str:
    """Undo `format=flowed`: unstuffed, and lines joined that end in a blank (RFC 3676)."""
    out: list[str] = []
    depth, open_line, first = 0, False, True
    for block in blocks(text):
        made: list[str] = []
        for line in block.removesuffix("\n").split("\n"):
            rest = line.lstrip(">")
            here = len(line) - len(rest)
            rest = rest.removeprefix(" ")
            joined = open_line and here == depth
            depth = here
            open_line = rest.endswith(" ") and rest != "-- "
            shown = rest[:-1] if open_line and delsp else rest
            made.append(shown if joined else ("" if first else "\n") + ">" * here + shown)
            first = False
        out.append("".join(made))
    return "".join(out) + ("\n" if text.endswith("\n") else "")


def unquote_printable(text: str) -> str:
    """Return the text decoded from quoted-printable, in characters of one byte."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    raw = (quopri.decodestring(block.encode("utf-8", "replace")) for block in blocks(text))
    return "".join(narrow(decoder.decode(byte)) for byte in raw) + narrow(decoder.decode(b"", True))


# --- marked blocks --------------------------------------------------------------------------------------


class Mark(NamedTuple):
    """A marker line: its name, whether it begins, where its words start and end."""

    name: str
    begins: bool
    start: int
    end: int


def marks(names: tuple[str, ...], text: str) -> Iterator[Mark]:
    """Yield all markers of these names, in order, with dashes of any kind on both sides (step 4)."""
    for match in _markers(names).finditer(text):
        before = _unbroken(text[max(0, match.start() - _REACH) : match.start()]).rstrip()
        after = _unbroken(text[match.end() : match.end() + _REACH]).lstrip()
        if _ruled(before[-2:], before[-1:]) and _ruled(after[:2], after[:1]):
            name = names[(match.lastindex or 2) - 2]
            yield Mark(name, match[1] == "BEGIN", match.start(), match.end())


@cache
def _markers(names: tuple[str, ...]) -> re.Pattern[str]:
    words = {name: _BLANKS.join(map(re.escape, name.split())) for name in names}
    return re.compile(rf"(BEGIN|END){_BLANKS}(?:" + "|".join(f"({words[name]})" for name in names) + ")")


def decodings(inner: str) -> tuple[bytes, ...]:
    """Return the possible contents of base64 between two markers, likeliest first (step 5).

    Nothing where it is longer than any statement can be.
    """
    if len(inner) > MAX_BLOCK:
        return ()
    if ">" not in inner and "|" not in inner:  # nothing is quoted, so all repairs give the same
        return _decoded([_base64_of(inner)])
    repairs: tuple[Callable[[str], str], ...] = (
        lambda line: _drop_quote(line),
        lambda line: _INITIALS.sub("", _drop_quote(line)),
        lambda line: line[max(line.rfind(">"), line.rfind("|")) + 1 :],
    )
    return _decoded(b"".join(_mended(inner, repair)) for repair in repairs)


def _mended(inner: str, repair: Callable[[str], str]) -> Iterator[bytes]:
    """Yield the base64 of a block piece by piece, each line repaired."""
    for block in blocks(inner):
        yield _base64_of("".join(map(repair, block.split("\n"))))


def _base64_of(text: str) -> bytes:
    """Return the base64 letters of a text."""
    return text.encode("ascii", "ignore").translate(None, _OUTSIDE)


def _decoded(texts: Iterable[bytes]) -> tuple[bytes, ...]:
    decoded: dict[bytes, None] = {}
    for text in texts:
        if text and len(text) % 4 != 1:
            try:
                decoded[base64.b64decode(text + b"=" * (-len(text) % 4))] = None
            except (binascii.Error, ValueError):
                continue
    return tuple(decoded)


def base64_block(name: str, text: str) -> bytes | None:
    """Return the likeliest content of the first block of this name, or None."""
    for variant in variants(text):
        begin: Mark | None = None
        for mark in marks((name,), variant):
            if mark.begins:
                begin = mark
            elif begin is not None:
                for data in decodings(variant[begin.end : mark.start]):
                    return data
    return None


def _drop_quote(line: str) -> str:
    match = _QUOTED.match(line, 0, _MOST_QUOTING)
    return line[match.end() :] if match else line


def _unbroken(text: str) -> str:
    """Return the text without the soft line ends that quoted-printable puts between dashes."""
    return text.replace("=\n", "")


def _ruled(pair: str, single: str) -> bool:
    """Return True if these are two dashes of any kind, or one long one made of five hyphens."""
    return single in _LONG_DASHES or (len(pair) == 2 and all(map(_is_dash, pair)))


def _is_dash(character: str) -> bool:
    return unicodedata.category(character) == "Pd" or character in "\u2212\u00ad\u2500"
