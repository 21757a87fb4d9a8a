"""Characters: those that text may have, the names of others, and how to print any text safely.

The forbidden set is fixed by protocol 3 and does not depend on a Unicode version.
"""

import re
import unicodedata

from pbem.text.messages import Message

_PLANES = range(0, 0x110000, 0x10000)
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(chr(plane + 0xFFFE) + chr(plane + 0xFFFF) for plane in _PLANES)
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_BIDI = "\u202a-\u202e\u2066-\u2069"
_SURROGATES = "\ud800-\udfff"

#: One character that no string may hold (protocol 3). Newline and tab are allowed.
FORBIDDEN = re.compile(f"[{_CONTROLS}{_BIDI}{_SURROGATES}{_NONCHARACTERS}]")

_NAMES = {
    "\t": "text.chars.tab",
    "\n": "text.chars.line-break",
    "\r": "text.chars.carriage-return",
    "\x00": "text.chars.nul-character",
    "\x1b": "text.chars.escape-character",
    "\x7f": "text.chars.delete-character",
    "\u0085": "text.chars.next-line-character",
    "\u00a0": "text.chars.non-breaking-space",
    "\u00ad": "text.chars.soft-hyphen",
    "\u200b": "text.chars.zero-width-space",
    "\u200c": "text.chars.zero-width-non-joiner",
    "\u200d": "text.chars.zero-width-joiner",
    "\u2010": "text.chars.typographic-hyphen",
    "\u2011": "text.chars.non-breaking-hyphen",
    "\u2028": "text.chars.line-separator",
    "\u2029": "text.chars.paragraph-separator",
    "\u202f": "text.chars.narrow-non-breaking-space",
    "\u2060": "text.chars.word-joiner",
    "\u3000": "text.chars.ideographic-space",
    "\ufeff": "text.chars.byte-order-mark",
}


def called(char: str) -> Message:
    """Return a character's name in a message, with its code point: `a non-breaking space (U+00A0)`."""
    name = Message(_NAMES[char]) if char in _NAMES else _kind(char)
    return Message("text.chars.with-code-point", name=name, code=f"U+{ord(char):04X}")


def _kind(char: str) -> Message:
    if 0xD800 <= ord(char) <= 0xDFFF:
        return Message("text.chars.half-surrogate-pair")
    if re.fullmatch(f"[{_BIDI}]", char):
        return Message("text.chars.character-reverses-direction-writing")
    if re.fullmatch(f"[{_CONTROLS}]", char):
        return Message("text.chars.control-character")
    if re.fullmatch(f"[{_NONCHARACTERS}]", char):
        return Message("text.chars.code-point-no-character")
    if unicodedata.category(char) == "Zs":
        return Message("text.chars.unusual-space")
    if char.isprintable():
        return Message("text.chars.the-character", char=char)
    return Message("text.chars.unusual-character")


def cell(char: str) -> tuple[str, int]:
    """Return a character printed without effect on a terminal, and its width in columns.

    Control characters become their pictures, invisible and direction-changing ones their code points.
    """
    code = ord(char)
    if 0x20 <= code < 0x7F:
        return char, 1
    if code < 0x20:
        return chr(0x2400 + code), 1
    if code == 0x7F:
        return "\u2421", 1
    category = unicodedata.category(char)
    if category[0] == "C" or category in ("Zl", "Zp") or (category == "Zs" and char != " "):
        picture = f"<U+{code:04X}>"
        return picture, len(picture)
    if category in ("Mn", "Me"):
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in "WF" else 1


JOINERS = "\u200c\u200d"
_JOINED = "\u0600-\u06ff\u0750-\u077f\u0900-\u0dff\u1000-\u109f"  # Arabic, the scripts of India, Burmese
_PICTURES = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_JOINER = re.compile(f"(?<=[{_JOINED}])[{JOINERS}](?=[{_JOINED}])|(?<=[{_PICTURES}])\u200d(?=[{_PICTURES}])")
"""A joiner where writing needs it: between letters of scripts that have it, and between pictures. Anywhere
else it could make two names look like one."""


def visible(text: str) -> str:
    """Return the text as one line that is safe to print, whatever it holds."""
    if text.isascii() and text.isprintable():
        return text
    kept = {match.start() for match in _JOINER.finditer(text)}
    return "".join(char if at in kept else cell(char)[0] for at, char in enumerate(text))


def clipped(text: str, length: int = 60) -> str:
    """Return the text, cut with an ellipsis if it is longer than `length` characters."""
    return text if len(text) <= length else text[: length - 1] + "\u2026"
