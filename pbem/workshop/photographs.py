"""Facts in the head of a picture file: its size, and how it is turned.

A camera writes into a JPEG how it was turned (EXIF, tag 274). Browsers turn the picture by it and other
programs do not. `untagged` removes the tag and `as_stored` turns points, so that all programs show
the same.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

Point = tuple[int, int]
_TURNED, _UPRIGHT = 0x0112, 1
_NO_SIZE = (0xC4, 0xC8, 0xCC)
"""Markers among those of frames that begin none."""


def size_of(data: bytes) -> Point | None:
    """Return width and height in pixels as they are stored; None if the picture does not say."""
    try:
        if data.startswith(b"\x89PNG"):
            wide, high = struct.unpack_from(">II", data, 16)
            return wide, high
        if data.startswith(b"\xff\xd8"):
            return next(
                (
                    struct.unpack_from(">HH", data, at + 1)[::-1]
                    for marker, at, _ in _segments(data)
                    if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE
                ),
                None,
            )
        return _webp(data)
    except (struct.error, IndexError):
        return None


def _webp(data: bytes) -> Point | None:
    kind = data[12:16]
    if kind == b"VP8 ":
        wide, high = struct.unpack_from("<HH", data, 26)
        return wide & 0x3FFF, high & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        wide, high = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return wide, high
    return None


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the marker, the start and the end of the content of each segment before the pixels."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        length: int = struct.unpack_from(">H", data, at + 2)[0]
        yield data[at + 1], at + 4, at + 2 + length
        at += 2 + max(2, length)


def _tag(data: bytes) -> tuple[int, str] | None:
    """Return the place and byte order of the orientation in a JPEG."""
    try:
        for marker, start, end in _segments(data):
            if marker != 0xE1 or data[start : start + 6] != b"Exif\0\0":
                continue
            base = start + 6
            order = {b"II": "<", b"MM": ">"}.get(data[base : base + 2])
            if order is None:
                return None
            (first,) = struct.unpack_from(f"{order}I", data, base + 4)
            (count,) = struct.unpack_from(f"{order}H", data, base + first)
            for n in range(min(count, 200)):
                at = base + first + 2 + 12 * n
                if at + 12 <= min(end, len(data)) and struct.unpack_from(f"{order}H", data, at)[0] == _TURNED:
                    return at + 8, order
    except struct.error:
        pass
    return None


def turned(data: bytes) -> int:
    """Return how a browser turns a picture, 1 to 8 as EXIF counts; 1: not at all."""
    tag = _tag(data)
    value = struct.unpack_from(f"{tag[1]}H", data, tag[0])[0] if tag is not None else _UPRIGHT
    return value if 1 <= value <= 8 else _UPRIGHT


def untagged(data: bytes) -> bytes:
    """Return the picture without the word that it is turned; its pixels stay as they are."""
    tag = _tag(data)
    if tag is None:
        return data
    at, order = tag
    return data[:at] + struct.pack(f"{order}H", _UPRIGHT) + data[at + 2 :]


def as_stored(point: Point, how: int, wide: int, high: int) -> Point:
    """Return the pixel of the stored picture that a browser shows at a point.

    `wide` and `high` are those of the picture as the browser shows it.
    """
    x, y = point
    return {
        1: (x, y),
        2: (wide - x, y),
        3: (wide - x, high - y),
        4: (x, high - y),
        5: (y, x),
        6: (y, wide - x),
        7: (high - y, wide - x),
        8: (high - y, x),
    }[how]
