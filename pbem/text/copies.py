"""Copies of folders that share contents: a list of names with hashes, and each content once.

A copy reads only files that have changed since the copy before.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pbem.text.writing import NotWritten, write_all

CONTENTS = "contents"
"""The folder beside the lists that has each content, by its hash."""


def lists(place: Path) -> list[Path]:
    """Return the lists of the copies in a place, in order of their names."""
    return sorted(path for path in place.glob("*.json") if path.is_file())


def keep(place: Path, name: str, root: Path, folders: Iterable[str]) -> Path:
    """Copy some folders below `root`, and return the list of the copy; NotWritten if there is none."""
    before = lists(place)
    known = _read(before[-1]) if before else {}
    trusted = before[-1].stat().st_mtime_ns if before else 0
    listed: dict[str, Any] = {}
    new: dict[Path, bytes] = {}
    try:
        for path in (path for folder in folders for path in _files(root / folder)):
            stat, inner = path.stat(), path.relative_to(root).as_posix()
            look = [stat.st_size, stat.st_mtime_ns, stat.st_mode & 0o777]
            old = known.get(inner)
            if old is not None and old[:3] == look and stat.st_mtime_ns < trusted:
                listed[inner] = old
                continue
            data = path.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            listed[inner] = [*look, digest]
            if not (place / CONTENTS / digest).exists():
                new[place / CONTENTS / digest] = data
    except OSError as fault:
        raise NotWritten(Path(fault.filename or root), (fault.strerror or str(fault)).lower()) from fault
    goal = place / f"{name}.json"
    new[goal] = json.dumps(listed).encode()
    write_all(new, private=list(new))
    return goal


def restore(listed: Path, goal: Path) -> None:
    """Write a copy into a folder as it was, with the times and permissions of its files."""
    for inner, (_, time, mode, digest) in _read(listed).items():
        path = goal / inner
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(listed.parent / CONTENTS / digest, path)
        os.chmod(path, mode)
        os.utime(path, ns=(time, time))


def drop(gone: Iterable[Path]) -> None:
    """Remove copies, and the contents that no other copy in their place has."""
    for path in gone:
        place = path.parent
        path.unlink(missing_ok=True)
        used = {copy[3] for left in lists(place) for copy in _read(left).values()}
        for content in (place / CONTENTS).glob("*"):
            if content.name not in used:
                content.unlink(missing_ok=True)


def _read(listed: Path) -> dict[str, list[Any]]:
    entries: dict[str, list[Any]] = json.loads(listed.read_bytes())
    return entries


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
