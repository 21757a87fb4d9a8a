"""Attachments that somebody packed: what is in a zip or a gzip file, within bounds.

Nothing is written anywhere, names in an archive are not looked at, and no more comes out than a message may
have.
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Protocol

from pbem.text.dataclass import dataclass

MAX_UNPACKED = 25 * 1024 * 1024
"""Bytes that all archives of one message may give together."""
MAX_MEMBERS = 50
"""Files of one archive that are looked at."""
_ZIP, _GZIP, _TNEF = b"PK\x03\x04", b"\x1f\x8b\x08", b"\x78\x9f\x3e\x22"
_FAULTS = (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)


class Count(Protocol):
    """What the walk through a message keeps: notes for the reader, and how much was unpacked."""

    notes: list[str]
    unpacked: int


def is_packed(data: bytes) -> bool:
    """Does it begin as a zip or a gzip file does?"""
    return data.startswith((_ZIP, _GZIP))


def unpacked(data: bytes, count: Count) -> Iterator[bytes]:
    """The files in it, one after the other; a damaged or encrypted one is noted and left out."""
    try:
        if data.startswith(_GZIP):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                yield from _read(file, count)
            return
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            if len(members) > MAX_MEMBERS:
                count.notes.append(
                    f"has an archive of more than {MAX_MEMBERS} files: the rest was left unread"
                )
            for one in members[:MAX_MEMBERS]:
                with archive.open(one) as member:
                    yield from _read(member, count)
    except _FAULTS as fault:
        count.notes.append(f"has an archive that cannot be unpacked ({type(fault).__name__})")


def in_winmail(data: bytes, count: Count) -> Iterator[bytes]:
    """What gzip files hold that lie in Outlook's `winmail.dat` as they are, between other things."""
    at = data.find(_GZIP) if data.startswith(_TNEF) else -1
    for _ in range(MAX_MEMBERS):
        if at < 0:
            return
        try:
            yield from _read(_Inflated(data[at:]), count)
        except zlib.error:  # it only looked like one
            pass
        at = data.find(_GZIP, at + 1)


@dataclass(frozen=True)
class _Inflated:
    """A gzip file with anything behind it."""

    data: bytes

    def read(self, size: int, /) -> bytes:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(self.data, size)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _read(file: _Readable, count: Count) -> Iterator[bytes]:
    room = MAX_UNPACKED - count.unpacked
    data = file.read(room + 1)
    count.unpacked += len(data)
    if len(data) > room:
        limit = f"{MAX_UNPACKED >> 20} MiB"
        count.notes.append(f"unpacks to more than {limit}: the rest was left unread")
        return
    yield data
