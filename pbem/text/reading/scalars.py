"""The meaning of unquoted texts: by themselves, or by the types that a schema allows (protocol 7)."""

import re
from typing import Any

from pbem.text.canonical import LARGEST
from pbem.text.chars import clipped
from pbem.text.messages import Message

_SHORT = re.compile(r"0|-?[1-9][0-9]{0,14}").fullmatch  # short enough to fit 53 bits
_LONG = re.compile(r"-?[1-9][0-9]{15,}").fullmatch
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_NOTHING = ("", "~", "null")

_YES = ("yes", "on", "y", "t", "wahr", "1")
_NO = ("no", "off", "n", "f", "falsch", "0")


class BadScalar(Exception):
    """An unquoted text without a meaning here.

    `code`, `message` and `help` are those of a diagnostic.
    """

    def __init__(self, code: str, message: Message, help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help


class Plain(str):
    """An unquoted text whose type is not settled yet."""

    __slots__ = ()


def free(text: str) -> Any:
    """Return the value of an unquoted text without a known type.

    A whole number in canonical form, true, false and null are themselves, all else is text: `0612`,
    `1.5`, `yes` and `2026-11-20` among it. Raises `BadScalar` for a number beyond 53 bits.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _SHORT(text):
        return int(text)
    if _LONG(text):
        return _long(text)
    return text


def _long(text: str) -> int:
    if len(text) <= 17 and -LARGEST <= int(text) <= LARGEST:
        return int(text)
    message = Message("text.scalars.out-of-range", text=clipped(text, 30))
    raise BadScalar("out-of-range", message, Message("text.scalars.quote-text"))


def as_one_of(text: str, types: frozenset[str] | None) -> Any:
    """Return the value of an unquoted text of one of these JSON types; None: unknown.

    Text wins over all but the exact forms of the others that are allowed. Raises `BadScalar` where a
    number or a truth value is wanted and not to be had. A value of another type than wanted may come
    back; that is for the schema check to report.
    """
    if types is None:
        return free(text)
    if text in _NOTHING and ("null" in types or text == ""):
        return None
    if "boolean" in types and text in ("true", "false"):
        return text == "true"
    if "integer" in types and _SHORT(text):
        return int(text)
    if "integer" in types and _LONG(text):
        return _long(text)
    if "string" in types:
        return str(text)
    if "integer" in types and text not in _WORDS:
        raise _no_integer(text)
    if "boolean" in types and "integer" not in types:
        raise _no_boolean(text)
    return free(text)


def _no_boolean(text: str) -> BadScalar:
    help = Message("text.scalars.write-true-false")
    if text.lower() in ("true", *_YES):
        help = Message("text.scalars.write-true")
    elif text.lower() in ("false", *_NO):
        help = Message("text.scalars.write-false")
    return BadScalar("not-a-boolean", Message("text.scalars.not-a-boolean", text=clipped(text)), help)


def _no_integer(text: str) -> BadScalar:
    plain = re.sub("[_,' \u00a0\u202f]", "", text).replace("\u2212", "-").removeprefix("+")
    code, message, help = (
        "not-an-integer",
        Message("text.scalars.not-an-integer", text=clipped(text)),
        "",
    )
    if re.fullmatch(r"-?[0-9]{1,16}", plain):
        help = Message("text.scalars.write-number", number=int(plain))
    elif re.fullmatch(r"-?[0-9]*\.[0-9]+", plain):
        help = Message("text.scalars.no-fractions-here")
    elif re.fullmatch(r"-?[0-9.]+e[+-]?[0-9]+", plain, re.IGNORECASE):
        help = Message("text.scalars.write-number-out")
    elif match := re.fullmatch(r"0([xob])([0-9a-f]{1,12})", plain, re.IGNORECASE):
        base = {"x": 16, "o": 8, "b": 2}[match[1].lower()]
        if all(int(digit, 16) < base for digit in match[2]):
            help = Message("text.scalars.write-number", number=int(match[2], base))
    return BadScalar(code, message, help)
