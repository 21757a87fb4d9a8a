"""The one hash of the protocol, with its length-prefixed encoding (protocol 3)."""

from __future__ import annotations

import hashlib
import re

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
