"""Canonical JSON: the one byte form of a value that is hashed, signed and committed to (protocol 3).

RFC 8785 with restrictions: no fractions, integers within 53 bits, ASCII object keys, at most 32 deep, no
control or direction-changing characters in strings.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NoReturn, TypeAlias

from pbem.text.chars import FORBIDDEN, called, clipped
from pbem.text.diagnostics import DataPath, Diagnostic, PbemError
from pbem.text.messages import Message

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None

DEPTH = 32  # objects and arrays, the outermost included
LARGEST = 2**53 - 1
MOST_COLLECTIONS, MOST_VALUES = 500_000, 2_000_000
"""Objects and arrays, and commas, of one text: more would take hundreds of megabytes as values."""
_KEY = re.compile(r"[A-Za-z0-9_./:-]{1,100}")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,15}")


class NotCanonical(PbemError):
    """Bytes or a value that protocol 3 does not allow.

    `code` names the fault, `path` leads to it.
    """

    def __init__(self, code: str, message: Message, path: DataPath = ()) -> None:
        super().__init__(message)
        self.code = code
        self.path = path

    def diagnostic(self) -> Diagnostic:
        """Return the fault as a value to collect."""
        return Diagnostic(self.code, str(self), path=self.path)


def dumps(value: Json) -> bytes:
    """Return the canonical bytes of a value.

    Raises `NotCanonical` if it has none (protocol 3).
    """
    if not _good_members(value):
        _check(value, 1, set())  # says what is wrong
        return _encode(value).encode()
    text = _encode(value)
    if not text.isprintable() or "\\" in text:
        _check(value, 1, set())
    return text.encode()


def loads(data: bytes) -> Json:
    """Return the value of canonical bytes.

    Raises `NotCanonical` unless `dumps` gives back exactly these bytes.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise NotCanonical("byte-order-mark", Message("text.canonical.byte-order-mark"))
    if data.count(b"[") + data.count(b"{") > MOST_COLLECTIONS or data.count(b",") > MOST_VALUES:
        raise NotCanonical("too-many-values", Message("text.canonical.too-many-values"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise NotCanonical("not-utf-8", Message("text.canonical.not-utf-8", start=error.start)) from None
    if text.endswith(("\n", "\r")):
        raise NotCanonical("trailing-newline", Message("text.canonical.trailing-newline"))
    try:
        value: Json = _DECODER.decode(text)
    except RecursionError:
        raise NotCanonical("too-deep", Message("text.canonical.too-deep", depth=DEPTH)) from None
    except json.JSONDecodeError as error:
        raise NotCanonical(
            "not-json", Message("text.canonical.not-json-at", pos=error.pos, problem=error.msg.lower())
        ) from None
    if dumps(value) != data:
        message = Message("text.canonical.not-canonical")
        raise NotCanonical("not-canonical", message)
    return value


def canonical_integer(literal: str) -> int:
    """Return the value of an integer written as JSON.

    Raises `NotCanonical` for -0 and beyond 53 bits.
    """
    if literal == "-0":
        raise NotCanonical("minus-zero", Message("text.canonical.minus-zero"))
    if not _INTEGER.fullmatch(literal) or not -LARGEST <= int(literal) <= LARGEST:
        raise _out_of_range(clipped(literal, 30))
    return int(literal)


def _out_of_range(shown: str) -> NotCanonical:
    return NotCanonical("out-of-range", Message("text.canonical.out-of-range", shown=shown))


def _no_fraction(literal: str) -> NoReturn:
    shown = clipped(literal, 30)
    raise NotCanonical("fraction", Message("text.json-faults.not-an-integer", token=shown))


def _no_constant(literal: str) -> NoReturn:
    raise NotCanonical("not-json", Message("text.canonical.not-json", literal=literal))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotCanonical("duplicate-key", Message("text.canonical.duplicate-key", key=clipped(key)))
            seen.add(key)
    return members


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False)


def _encoding() -> Callable[[Json], str]:
    """Return `_ENCODER.encode` without the set-up at each call, if the interpreter has it in C."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return _ENCODER.encode
    parts = make(None, _ENCODER.default, json.encoder.encode_basestring, None, ":", ",", True, False, True)
    return lambda value: "".join(parts(value, 0))


_encode = _encoding()
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_no_fraction,
    parse_int=canonical_integer,
    parse_constant=_no_constant,
)


def _good_members(value: object) -> bool:
    """Return True if a value has no clear fault, apart from the characters of its texts.

    It goes level by level, which is faster than into each member.
    """
    level: list[Any] = [value]
    for depth in range(1, DEPTH + 2):
        inside: list[Any] = []
        for inner in level:
            kind = inner.__class__
            if kind is str or kind is bool or inner is None:
                continue
            if kind is dict:
                if depth > DEPTH or not all(map(_is_key, inner)):
                    return False
                inside.extend(inner.values())
            elif kind is list:
                if depth > DEPTH:
                    return False
                inside.extend(inner)
            elif kind is not int or not -LARGEST <= inner <= LARGEST:
                return False
        if not inside:
            return True
        level = inside
    return False


@lru_cache(maxsize=8192)
def _is_key(key: object) -> bool:
    return isinstance(key, str) and _KEY.fullmatch(key) is not None


def _check(value: object, depth: int, keys: set[str]) -> None:
    """Refuse what protocol 3 forbids.

    `keys` holds the keys found good so far.
    """
    if isinstance(value, str):
        # fast path: printable text holds nothing forbidden
        if not value.isprintable() and (bad := FORBIDDEN.search(value)):
            raise NotCanonical("bad-character", Message("text.build.bad-character", called=called(bad[0])))
    elif isinstance(value, dict | list):
        if depth > DEPTH:
            raise NotCanonical("too-deep", Message("text.canonical.too-deep", depth=DEPTH))
        _check_entries(value, depth + 1, keys)
    elif isinstance(value, int):
        if not -LARGEST <= value <= LARGEST:
            raise _out_of_range(Message("text.canonical.an-integer"))
    elif value is not None:
        name = _a(type(value).__name__)
        raise NotCanonical("wrong-type", Message("text.canonical.wrong-type", found=name))


def _check_entries(value: dict[Any, Any] | list[Any], depth: int, keys: set[str]) -> None:
    step: Any = None
    try:
        if isinstance(value, dict):
            for step in value:
                if step not in keys:
                    _check_key(step)
                    keys.add(step)
        for step in value if isinstance(value, dict) else range(len(value)):
            inner = value[step]
            if inner.__class__ is not str or not inner.isprintable():
                _check(inner, depth, keys)
    except NotCanonical as fault:
        fault.path = (step if isinstance(step, int) else str(step), *fault.path)
        raise


def _check_key(key: object) -> None:
    if not isinstance(key, str):
        raise NotCanonical("bad-key", Message("text.canonical.key-not-text", a=_a(type(key).__name__)))
    if not _KEY.fullmatch(key):
        shown = clipped(ascii(key))
        raise NotCanonical("bad-key", Message("text.canonical.bad-key", shown=shown))


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
