"""Reading the data files that come with the package.

The content of a file is cached where Python keeps bytecode (`__pycache__`, `PYTHONPYCACHEPREFIX`),
and only where Python may write that. The cache counts as long as the file has the same bytes, so
nobody sees old data (docs/decisions/0034-data-read-once.md).
"""

from __future__ import annotations

import marshal
import os
import sys
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from pbem.text.yaml import Document, Limits, known, load

_LIMITS = Limits(
    size=16 * 1024 * 1024, depth=32, values=500_000
)  # for our own files: tables, orders of battle
READER = b"1"
"""To be raised when the same bytes come to say something else."""


def load_data(source: bytes | str, name: str) -> Any:
    """Return the plain value of a packaged YAML file called `name`.

    Raises `Refused`.

    It is the YAML of all files (protocol 7), with room for large tables. Nothing is cached here.
    """
    return load_document(source, name).data


def load_document(source: bytes | str, name: str) -> Document:
    """Return a packaged YAML file with the places of its values, for messages."""
    return load(source, name, limits=_LIMITS)


def load_file(path: Path, name: str) -> Document:
    """Return a data file of a package, parsed as YAML once and then from a cache.

    Raises `Refused`.
    """
    source = path.read_bytes()
    kept = Path(cache_from_source(f"{path}.py"))
    try:
        data = kept.read_bytes()
        body = data[64:]
        if data[:64] == _mark(source, body):
            return known(source, name, marshal.loads(body), _LIMITS)
    except (OSError, ValueError, EOFError, TypeError):  # missing, or made by another Python
        pass
    document = load_document(source, name)
    if not sys.dont_write_bytecode:
        _keep(kept, cached(source, document.data))
    return document


def cached(source: bytes, data: Any) -> bytes:
    """Return the content of the cache for a file of these bytes that holds `data`.

    It is the same on every computer: version 2 of marshal doesn't tell what is shared in memory.
    """
    body = marshal.dumps(data, 2)
    return _mark(source, body) + body


def _mark(source: bytes, body: bytes) -> bytes:
    return sha256(READER + source).digest() + sha256(body).digest()


def _keep(path: Path, data: bytes) -> None:
    """Write a file whole, or not at all where nothing may be written."""
    half = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        half.write_bytes(data)
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
