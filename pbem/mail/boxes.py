"""Files, mboxes, Maildirs and folders to single messages. Large mboxes are read line by line, never whole."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAX_MESSAGE = 25 * 1024 * 1024
"""Bytes of one message (protocol 6.2, rule 8)."""
_LINE = 1 << 16


@dataclass(frozen=True)
class Message:
    """One message as bytes. `data` is None where it was too large to look at."""

    name: str
    data: bytes | None


def messages(path: Path) -> Iterator[Message]:
    """The messages in a file, an mbox, a Maildir or a folder of files, in order of name.

    OSError for a path that is not there or cannot be read; inside a folder only regular files are read, and
    hidden ones and those in folders within it are left alone.
    """
    if not path.is_dir():
        with path.open("rb") as file:
            yield from _in_stream(file, str(path))
        return
    for name in _files(path):
        with name.open("rb") as file:
            yield from _in_stream(file, str(name))


def messages_in(data: bytes, name: str) -> Iterator[Message]:
    """The same for bytes at hand, such as standard input."""
    yield from _in_stream(io.BytesIO(data), name)


def _files(folder: Path) -> list[Path]:
    maildir = [folder / part for part in ("cur", "new") if (folder / part).is_dir()]
    found = [path for part in maildir or [folder] for path in part.iterdir()]
    return sorted(path for path in found if path.is_file() and not path.name.startswith("."))


def _in_stream(file: BinaryIO, name: str) -> Iterator[Message]:
    first = file.readline(_LINE)
    while first.strip(b"\r\n") == b"" and first:
        first = file.readline(_LINE)
    if first.startswith(b"From "):
        yield from _mbox(file, name)
        return
    rest = file.read(MAX_MESSAGE + 1)
    data = first + rest
    yield Message(name, data if len(data) <= MAX_MESSAGE else None)


def _mbox(file: BinaryIO, name: str) -> Iterator[Message]:
    """Messages between lines that begin with "From " after an empty line; the first was read before."""
    number, size = 1, 0
    lines: list[bytes] = []
    after_empty = False
    while line := file.readline(_LINE):
        if after_empty and line.startswith(b"From "):
            yield _message(name, number, lines, size)
            number, size, lines = number + 1, 0, []
            continue
        after_empty = line in (b"\n", b"\r\n")
        size += len(line)
        if size <= MAX_MESSAGE:
            lines.append(line)
    yield _message(name, number, lines, size)


def _message(name: str, number: int, lines: list[bytes], size: int) -> Message:
    return Message(f"{name}, message {number}", b"".join(lines) if size <= MAX_MESSAGE else None)
