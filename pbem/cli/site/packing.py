"""The archives of a site: files and bytecode in one piece, which JavaScript takes apart.

A pack is a line of JSON, `{"files": [[name, size], ...], "code": [[name, size], ...]}`, and then all
contents.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

END = ".packed"
"""The end of the name of a file that is sent compressed: many web spaces compress nothing by themselves."""


def pack(files: Mapping[str, bytes], code: Mapping[str, bytes]) -> bytes:
    """Return a pack of files, and of bytecode by the names of its sources."""
    listed = {
        kind: [[name, len(held[name])] for name in sorted(held)]
        for kind, held in (("files", files), ("code", code))
    }
    contents = [held[name] for held in (files, code) for name in sorted(held)]
    return json.dumps(listed, separators=(",", ":")).encode() + b"\n" + b"".join(contents)


def unpacked(data: bytes) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the files and the bytecode of a pack."""
    head, _, rest = data.partition(b"\n")
    parts: list[dict[str, bytes]] = []
    at = 0
    for listed in json.loads(head).values():
        parts.append({})
        for name, size in listed:
            parts[-1][name] = rest[at : at + size]
            at += size
    files, code = parts
    return files, code


def packed(data: bytes) -> bytes:
    """Return data compressed as browsers unpack it (`deflate` of `DecompressionStream`)."""
    return zlib.compress(data, 9)
