"""A message as a tree of parts, over its unchanged bytes: needed headers, boundaries, encodings.

Not the parser of the standard library: it makes an object of each line, and 25 MiB of empty lines take it
hundreds of megabytes. Here nothing is copied but what a part decodes to.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from collections.abc import Callable, Iterator
from email.message import Message
from email.policy import compat32
from functools import cached_property
from typing import Any

MAX_HEADER = 8192
"""Bytes of one header that are looked at."""
_LINE_OF_HEAD = re.compile(rb"(?:>?From [^\n]*|[!-9;-~]*:[^\n]*|[ \t][^\n]*)(?:\n|\Z)")
_EMPTY = re.compile(rb"\r*\n")
_CONTINUED = re.compile(rb"[\r\n]+[ \t]+")
_NOT_BASE64 = bytes(
    set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
)
_UU = ("x-uuencode", "uuencode", "uue", "x-uue")
_UU_LINE = re.compile(rb"[^\n]+")


class Entity:
    """A message or a part of one: the places of its head and its body in `data`.

    `usual` is its kind where it says none: parts of a digest are messages.
    """

    def __init__(self, data: bytes, begin: int = 0, end: int = -1, usual: str = "text/plain") -> None:
        self._data, self._usual = data, usual
        self._end = len(data) if end < 0 else end
        self._begin, self._body = begin, _head_end(data, begin, self._end)
        match = _EMPTY.match(data, self._body, self._end)
        self._head, self._body = self._body, match.end() if match else self._body

    def header(self, name: str) -> str:
        """Return the first header of this name, on one line and of no absurd length; "" if there is none."""
        match = re.compile(rb"^%s:" % re.escape(name.encode()), re.IGNORECASE | re.MULTILINE).search(
            self._data, self._begin, self._head
        )
        if match is None:
            return ""
        value = self._data[match.end() : min(self._head, match.end() + MAX_HEADER)]
        lines = _CONTINUED.sub(b" ", value).lstrip(b" \t").splitlines()
        return lines[0].decode("latin-1") if lines else ""

    @cached_property
    def _content(self) -> Message:
        """Return the header with the content type, for the library to parse."""
        made = Message(policy=compat32)
        if value := self.header("Content-Type"):
            made["Content-Type"] = value
        else:
            made.set_default_type(self._usual if self._usual == "message/rfc822" else "text/plain")
        return made

    @cached_property
    def kind(self) -> str:
        """Return its content type in small letters, "text/plain" if that cannot be read."""
        return str(safe(self._content.get_content_type, "text/plain"))

    @property
    def charset(self) -> str | None:
        """Return the charset that it declares."""
        charset = safe(self._content.get_content_charset, None)
        return charset if isinstance(charset, str) else None

    def param(self, name: str) -> str:
        """Return a parameter of its content type in small letters, or ""."""
        return str(safe(lambda: self._content.get_param(name, ""), "")).strip().lower()

    @property
    def encoding(self) -> str:
        """Return the first word of its encoding, without blanks, comments and quotation marks around it."""
        words = re.split(r"[\s;()\"']+", self.header("Content-Transfer-Encoding").strip(" \t\r\n\"'"))
        return words[0].lower()

    def children(self) -> Iterator[Entity]:
        """Yield the parts between its boundaries, or the message in it; none for a leaf."""
        if self.kind.startswith("message/"):
            if self._body < self._end:
                yield Entity(self._data, self._body, self._end)
            return
        boundary = safe(self._content.get_boundary, None) if self.kind.startswith("multipart/") else None
        if not isinstance(boundary, str):
            return
        usual = "message/rfc822" if self.kind == "multipart/digest" else "text/plain"
        name = re.escape(boundary.encode("latin-1", "replace"))
        mark = re.compile(rb"^--%s(--)?[ \t\r]*(?:\n|\Z)" % name, re.MULTILINE)
        begin = -1
        for match in mark.finditer(self._data, self._body, self._end):
            if begin >= 0:
                yield Entity(self._data, begin, self._before(begin, match.start()), usual)
            begin = match.end()
            if match[1]:
                return
        if begin >= 0:
            yield Entity(self._data, begin, self._end, usual)

    def _before(self, begin: int, at: int) -> int:
        """Return the end of a part before the boundary at `at`, to which the line end belongs."""
        if at > begin and self._data[at - 1 : at] == b"\n":
            at -= 1
            if at > begin and self._data[at - 1 : at] == b"\r":
                at -= 1
        return at

    def payload(self) -> bytes:
        """Return its decoded bytes; where decoding fails, the bytes as they came."""
        bare = self._data[self._body : self._end]
        if self.encoding == "base64":
            return _from_base64(bare) or bare
        if self.encoding == "quoted-printable":
            return quopri.decodestring(bare)
        if self.encoding in _UU:
            return _from_uu(bare) or bare
        return bare


def _head_end(data: bytes, at: int, end: int) -> int:
    """Return where the head ends: at the first line that is no header."""
    while at < end and (line := _LINE_OF_HEAD.match(data, at, end)) is not None:
        at = line.end()
    return at


def _from_base64(data: bytes) -> bytes:
    """Decode what of it is letters of base64, up to the first padding; a last group may be cut off."""
    letters = data.translate(None, _NOT_BASE64).partition(b"=")[0]
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def _from_uu(data: bytes) -> bytes:
    """Decode lines between `begin` and `end` of uuencode."""
    made, inside = bytearray(), False
    for line in _UU_LINE.finditer(data):
        text = line[0].rstrip(b"\r")
        if not inside:
            inside = text.startswith(b"begin ")
            continue
        if text == b"end":
            break
        size = (((text[0] - 32) & 63) * 4 + 5) // 3 if text else 0  # some programs append blanks
        try:
            made += binascii.a2b_uu(text[:size])
        except binascii.Error:
            continue
    return bytes(made)


def safe(call: Callable[[], Any], otherwise: Any) -> Any:
    """Return the call's result, or `otherwise`: the standard library raises anything on odd email."""
    try:
        return call()
    except Exception:
        return otherwise
