"""A disk that keeps only what was forced onto it: for tests that cut the power.

Every operation on a folder is written down while a command runs. Afterwards a tree is made as a disk could
have it if the power had gone at any moment: the bytes of a file that was not synced may be there, in part, or
not at all; and of the names made, changed or removed in a folder since that folder was synced any may be
there, in whatever order. (What a rename does to two names of one folder is done or not: file systems promise
that much.)
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

Op = tuple[str, ...]
"""create, replace, unlink, mkdir, rmdir, sync (of a file) or settle (of a folder), and the paths."""


@dataclass
class Recording:
    """What a command did to the disk below a folder, in order; `data` holds what was synced, by operation."""

    root: Path
    ops: list[Op] = field(default_factory=list)
    data: dict[int, bytes] = field(default_factory=dict)

    def note(self, *op: str) -> None:
        self.ops.append(op)

    def inside(self, path: Any) -> str | None:
        try:
            return Path(os.fspath(path)).resolve().relative_to(self.root).as_posix()
        except ValueError:
            return None


@contextmanager
def recorded(root: Path) -> Iterator[Recording]:
    """Write down what happens below a folder."""
    log = Recording(root.resolve())
    real = {name: getattr(os, name) for name in ("open", "fsync", "replace", "unlink", "mkdir", "rmdir")}

    def opened(path: Any, flags: int, *more: Any, **options: Any) -> Any:
        name = log.inside(path) if not isinstance(path, int) else None
        new = name is not None and flags & os.O_CREAT and not os.path.exists(path)
        descriptor = real["open"](path, flags, *more, **options)
        if new and name is not None:
            log.note("create", name)
        return descriptor

    def synced(descriptor: int) -> None:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        name = log.inside(path)
        if name is None:
            return
        if os.path.isdir(path):
            log.note("settle", name)
        else:
            log.data[len(log.ops)] = Path(path).read_bytes()
            log.note("sync", name)

    def plain(call: str) -> Callable[..., Any]:
        def done(*given: Any, **options: Any) -> Any:
            names = [log.inside(path) for path in given if isinstance(path, str | Path)]
            result = real[call](*given, **options)
            if None not in names:
                log.note(call, *(name for name in names if name is not None))
            return result

        return done

    def everything() -> None:
        for path in sorted(log.root.rglob("*")):
            if path.is_file():
                log.data[len(log.ops)] = path.read_bytes()
                log.note("sync", path.relative_to(log.root).as_posix())
        for path in (log.root, *sorted(log.root.rglob("*"))):
            if path.is_dir():
                log.note("settle", path.relative_to(log.root).as_posix())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sync", everything)
        patch.setattr(os, "open", opened)
        patch.setattr(os, "fsync", synced)
        for call in ("replace", "unlink", "mkdir", "rmdir"):
            patch.setattr(os, call, plain(call))
        yield log


@dataclass
class _File:
    """A file on the disk: what of it is there for sure."""

    data: bytes = b""
    safe: bool = False


class Disk:
    """The names and bytes below a folder, with what is not forced onto it yet."""

    def __init__(self, root: Path) -> None:
        self.names: dict[str, _File | None] = {}  # None: a folder
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root).as_posix()
            self.names[name] = _File(path.read_bytes(), True) if path.is_file() else None
        self.seen = dict(self.names)
        self.pending: dict[str, list[Callable[[dict[str, _File | None]], None]]] = {}

    def do(self, op: Op, data: bytes | None) -> None:
        """One operation; what it does to names is seen at once and lasts when its folder is settled."""
        kind, path = op[0], op[1]
        if kind == "sync":
            file = self.seen.get(path)
            if isinstance(file, _File):
                file.data, file.safe = data or b"", True
        elif kind == "settle":
            for change in self.pending.pop(path, []):
                change(self.names)
        else:
            change = self._change(op)
            change(self.seen)
            self.pending.setdefault(_parent(op[-1]), []).append(change)

    def _change(self, op: Op) -> Callable[[dict[str, _File | None]], None]:
        kind, path = op[0], op[1]
        if kind in ("create", "mkdir"):
            made = _File() if kind == "create" else None
            return lambda names: names.__setitem__(path, made)
        if kind == "replace":
            file, to = self.seen.get(path), op[2]

            def renamed(names: dict[str, _File | None]) -> None:
                names.pop(path, None)
                names[to] = file

            return renamed
        return lambda names: names.pop(path, None) and None

    def cut(self, chance: random.Random, keep: float) -> dict[str, bytes | None]:
        """The tree after a power cut: each thing not forced onto the disk is there with this chance."""
        names = dict(self.names)
        folders = sorted(self.pending)
        chance.shuffle(folders)
        for folder in folders:
            for change in self.pending[folder]:
                if chance.random() < keep:
                    change(names)
        tree: dict[str, bytes | None] = {}
        for name, file in names.items():
            if file is None:
                tree[name] = None
            elif file.safe:
                tree[name] = file.data
            else:
                tree[name] = b"" if chance.random() < 0.5 else b"\0" * 17
        return {name: data for name, data in tree.items() if _reached(name, tree)}


def _parent(name: str) -> str:
    return name.rpartition("/")[0] or "."


def _reached(name: str, tree: dict[str, bytes | None]) -> bool:
    """Whether all folders above a name are there."""
    above = _parent(name)
    return above == "." or (above in tree and tree[above] is None and _reached(above, tree))


def cuts(before: Path, log: Recording, seed: int = 1) -> Iterator[tuple[int, dict[str, bytes | None]]]:
    """Trees as power cuts could leave them, after every operation: nothing unforced is there, all of it, or a
    part; each tree once.
    """
    chance, seen = random.Random(seed), set()
    disk = Disk(before)
    for number in range(len(log.ops) + 1):
        for keep in (0.0, 1.0, 0.5, 0.5):
            tree = disk.cut(chance, keep)
            mark = hash(frozenset(tree.items()))
            if mark not in seen:
                seen.add(mark)
                yield number, tree
        if number < len(log.ops):
            disk.do(log.ops[number], log.data.get(number))


def lay(tree: dict[str, bytes | None], root: Path) -> None:
    """Put a tree on the real disk, in place of what is there."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    for name, data in sorted(tree.items()):
        path = root / name
        if data is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_bytes(data)
