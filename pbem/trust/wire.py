"""A reader of the binary format of SSH.

Strings after their length (RFC 4251), as signatures, keys and agents use it.
"""

from __future__ import annotations

from pbem.text.messages import Message
from pbem.trust.errors import TrustError


class Reader:
    """A reader that takes fields from the front of `data`.

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
            raise self._fault(Message("trust.wire.ends-too-early", what=self._what))
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
            raise self._fault(Message("trust.wire.bytes-after-end", what=self._what))
