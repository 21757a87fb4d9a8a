"""Sets of locations as one long integer each: location n is in it when bit n is set. For whole maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

EMPTY, MEMBER = b"0", ord("1")


def pack(hexes: Iterable[int], size: int) -> int:
    """Return the set of these hexes of a map with `size` hexes."""
    flags = bytearray(EMPTY * size)
    for hex in hexes:
        flags[hex] = MEMBER
    return from_flags(flags)


def from_flags(flags: bytes | bytearray) -> int:
    """Return the set of the hexes whose character is "1"; the others have "0"."""
    return int(flags[::-1], 2) if flags else 0


def members(bits: int) -> Iterator[int]:
    """Yield the members of a small set, ascending; `unpack` is faster for large ones."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def unpack(bits: int) -> list[int]:
    """Return the hexes of a set, ascending."""
    flags = f"{bits:b}"[::-1]
    hexes: list[int] = []
    hex = flags.find("1")
    while hex >= 0:
        hexes.append(hex)
        hex = flags.find("1", hex + 1)
    return hexes
