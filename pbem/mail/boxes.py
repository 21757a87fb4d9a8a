"""Single messages from files, mboxes, Maildirs, folders and streams. Nothing large is read
whole.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message as Sentence

MAX_MESSAGE = 25 * 1024 * 1024
"""Bytes of one message (protocol 6.2, rule 8)."""
_LINE = 1 << 16
_ENDING = 4096


@dataclass(frozen=True)
class Message:
    """One message as bytes.

    `data` is None if it was too large or unreadable (`fault` says why); `size` is its number of bytes.
    """

    name: str
    data: bytes | None
    size: int
    fault: str = ""


def messages(path: Path, after: int = 0) -> Iterator[Message]:
    """Yield the messages in a file, an mbox, a Maildir or a folder, in order of name.

    Of an mbox only those that begin `after` so many bytes.

    OSError for a path that is not there or cannot be read; inside a folder only regular files are read, and
    hidden ones and those in folders within it are left alone.
    """
    for name in files(path):
        try:
            with name.open("rb") as file:
                file.seek(after)
                yield from _in_stream(file, str(name))
        except FileNotFoundError:
            if name == path:
                raise  # otherwise a mail program has moved it meanwhile


def messages_in(data: bytes, name: str) -> Iterator[Message]:
    """Yield the messages in bytes at hand."""
    yield from _in_stream(io.BytesIO(data), name)


def messages_from(stream: BinaryIO, name: str) -> Iterator[Message]:
    """Yield the messages in a stream, such as standard input."""
    yield from _in_stream(stream, name)


def files(path: Path) -> list[Path]:
    """Return the files that hold the email of a path: itself, or those in a folder or a Maildir."""
    return [Path(name) for name in file_names(path)]


def file_names(path: Path) -> list[str]:
    """Return these files by name: of 25,000 emails a tenth of the memory that paths take."""
    if not path.is_dir():
        return [str(path)]
    maildir = [path / part for part in ("cur", "new") if (path / part).is_dir()]
    return [os.path.join(part, name) for part in maildir or [path] for name in _names(part)]


def _names(folder: Path) -> list[str]:
    """Return the names of the files in a folder, in order; the folder itself says which are files."""
    with os.scandir(folder) as listed:
        return sorted(entry.name for entry in listed if not entry.name.startswith(".") and entry.is_file())


def ending(path: Path, at: int) -> str:
    """Return a hash of the last bytes before `at`, which tells whether an mbox only grew.

    "" for what is no mbox, or shorter.
    """
    with path.open("rb") as file:
        if file.read(5) != b"From ":
            return ""
        file.seek(max(0, at - _ENDING))
        end = file.read(min(at, _ENDING))
    return hashlib.sha256(end).hexdigest() if len(end) == min(at, _ENDING) else ""


def size(path: Path) -> int:
    """Return the bytes of a file; 0 if a mail program has moved it meanwhile."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _in_stream(file: BinaryIO, name: str) -> Iterator[Message]:
    first = file.readline(_LINE)
    while first.strip(b"\r\n") == b"" and first:
        first = file.readline(_LINE)
    if first.startswith(b"From "):
        yield from _mbox(file, name)
        return
    rest = file.read(MAX_MESSAGE + 1)
    data = first + rest
    size = len(data)
    if size > MAX_MESSAGE:
        while more := file.read(1 << 20):  # drain a pipe so that its writer can finish
            size += len(more)
    yield Message(name, data if size <= MAX_MESSAGE else None, size)


def _mbox(file: BinaryIO, name: str) -> Iterator[Message]:
    """Yield messages between lines with "From " after an empty line; the first was read before."""
    number, size = 1, 0
    held = bytearray()
    after_empty = False
    while line := file.readline(_LINE):
        if after_empty and line.startswith(b"From "):
            yield _message(name, number, held, size)
            number, size, held = number + 1, 0, bytearray()
            continue
        after_empty = line in (b"\n", b"\r\n")
        size += len(line)
        if size <= MAX_MESSAGE:
            held += line
        else:
            held.clear()
    yield _message(name, number, held, size)


def _message(name: str, number: int, held: bytearray, size: int) -> Message:
    where = Sentence("mail.boxes.message-in-box", box=name, number=number)
    return Message(where, bytes(held) if size <= MAX_MESSAGE else None, size)
