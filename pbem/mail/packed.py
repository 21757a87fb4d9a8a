"""Packed attachments: the content of a zip or a gzip file, or of Outlook's `winmail.dat`.

Nothing is written anywhere, and names in an archive are not looked at. Every limit is counted while it is
unpacked, over all archives of a message together (protocol 17.28); an archive that exceeds one is refused as
a whole.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

from pbem.text.messages import Message

MAX_UNPACKED = 25 * 1024 * 1024
"""Bytes that all archives of one message may give together."""
MAX_ARCHIVES = 2
"""Archives within one another."""
_ZIP, _GZIP, _TNEF = b"PK\x03\x04", b"\x1f\x8b\x08", b"\x78\x9f\x3e\x22"
_IN_DIRECTORY = b"PK\x01\x02"  # what each file of a zip has in its directory
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other methods may demand unlimited memory
_ATTACHED = (0x0006800F).to_bytes(4, "little")  # attAttachData, the bytes of an attachment
_FAULTS = (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)


class Refused(Exception):
    """An archive that is not read, with the reason in words."""


def is_packed(data: bytes) -> bool:
    """Return True if the data begins like a zip, a gzip file or a `winmail.dat`."""
    return data.startswith((_ZIP, _GZIP, _TNEF))


def is_winmail(data: bytes) -> bool:
    """Return True if this is Outlook's file, which has text beside its attachments."""
    return data.startswith(_TNEF)


def unpacked(data: bytes, room: int, files: int) -> Iterator[bytes]:
    """Yield the files in it, one after the other, `room` bytes and so many files at most.

    Refused for one that has more, or is damaged, encrypted, or has anything behind its end.
    """
    left = room
    for number, inner in enumerate(_files(data, left, files)):
        if number >= files:
            raise Refused(Message("mail.packed.has-archive-of-more-than-files", files=files))
        left -= len(inner)
        yield inner


def _files(data: bytes, room: int, files: int) -> Iterator[bytes]:
    if data.startswith(_GZIP):
        yield _one_stream(data, room)
    elif data.startswith(_ZIP):
        yield from _of_zip(data, room, files)
    else:
        yield from _of_winmail(data)


def _one_stream(data: bytes, room: int) -> bytes:
    """Return what is in a gzip file of one member, with nothing behind it."""
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        decompress = reader.decompress(data, room + 1)
    except zlib.error as fault:
        raise _damaged(fault) from None
    if len(decompress) > room:
        raise _too_much()
    if not reader.eof:
        raise _damaged(EOFError())
    if reader.unused_data:
        raise Refused(Message("mail.packed.has-gzip-file-with-something-behind-its-end"))
    return decompress


def _of_zip(data: bytes, room: int, files: int) -> Iterator[bytes]:
    if data.count(_IN_DIRECTORY) > 2 * files + 2:  # the library builds an object for each
        raise Refused(Message("mail.packed.has-archive-of-more-than-files", files=files))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if entry.is_dir():
                    continue
                if entry.compress_type not in _METHODS:
                    raise NotImplementedError
                with archive.open(entry) as member:
                    content = member.read(room + 1)
                room -= len(content)
                if room < 0:
                    raise _too_much()
                yield content
    except _FAULTS as fault:
        raise _damaged(fault) from None


def _of_winmail(data: bytes) -> Iterator[bytes]:
    """Yield the attachments of Outlook's file: attributes of a level, a name, a length, data and a sum."""
    at = 6
    while at + 9 <= len(data):
        level, name = data[at], data[at + 1 : at + 5]
        size = int.from_bytes(data[at + 5 : at + 9], "little")
        at += 9
        if level not in (1, 2) or at + size > len(data):
            return
        if name == _ATTACHED:
            yield data[at : at + size]
        at += size + 2


def _too_much() -> Refused:
    return Refused(Message("mail.packed.unpacks-to-more-than-most-mib", most=MAX_UNPACKED >> 20))


def _damaged(fault: Exception) -> Refused:
    return Refused(Message("mail.packed.has-archive-that-cannot-be-unpacked", name=type(fault).__name__))
