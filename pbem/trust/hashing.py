"""The one hash of the protocol, its length-prefixed encoding, and a reader of it (protocol 3)."""

from __future__ import annotations

import hashlib
import re

from pbem.text.messages import Message
from pbem.trust.errors import TrustError

_HEX = re.compile(r"[0-9a-f]{64}")


def u32(number: int) -> bytes:
    """Return four bytes, big-endian.

    Raises OverflowError outside 0 to 2^32 - 1.
    """
    return number.to_bytes(4, "big")


def lp(data: bytes) -> bytes:
    """Return `data` after its length: the "string" of the SSH wire format (RFC 4251)."""
    return u32(len(data)) + data


def H(label: str, *fields: bytes | str) -> bytes:
    """Return the SHA-256 of the label and the fields, each with its length; text is UTF-8 (protocol
    3)."""
    parts = [b"pbem/v1/" + label.encode()]
    parts += [field.encode() if isinstance(field, str) else field for field in fields]
    return hashlib.sha256(b"".join([len(part).to_bytes(4, "big") + part for part in parts])).digest()


def is_hex32(value: object) -> bool:
    """Return True if this is how JSON writes a hash, nonce, link or salt: 64 lower-case hex digits."""
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


class Reader:
    """A reader of SSH's binary format, which takes fields from the front of `data`.

    Raises `fault`, naming `what`, where the data is too short or long.
    """

    def __init__(self, data: bytes, fault: type[TrustError], what: str) -> None:
        self._data = data
        self._at = 0
        self._fault = fault
        self._what = what

    def take(self, length: int) -> bytes:
        """Return the next `length` bytes."""
        if length > len(self._data) - self._at:
            raise self._fault(Message("trust.hashing.ends-too-early", what=self._what))
        self._at += length
        return self._data[self._at - length : self._at]

    def number(self) -> int:
        """Return the next four bytes as a number."""
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """Return the next string: its length, then its bytes."""
        return self.take(self.number())

    def end(self) -> None:
        """Check that nothing is left."""
        if self._at != len(self._data):
            raise self._fault(Message("trust.hashing.bytes-after-end", what=self._what))
