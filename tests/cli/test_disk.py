"""Each single operation on files fails in turn: the command says what it could not do, shows no traceback,
and leaves the old stage or the new one; given again, it does its work. All of them, in every run.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.folder.game_folder import Folder
from tests.cli.play import Ran, Seat, Table, order_file, pbem, tree
from tests.nightly import IN_CI

CALLS = (
    (os, "open"),
    (os, "fsync"),
    (os, "replace"),
    (os, "unlink"),
    (os, "mkdir"),
    (os, "scandir"),
    (os, "fdopen"),
    (io, "open"),
)
SAID = "Input/output error"


@contextmanager
def failing(root: Path, number: int) -> Iterator[list[str]]:
    """The `number`-th operation on something below `root`, counted from 0, fails; gives what was called."""
    called: list[str] = []
    inside = str(root.resolve()) + os.sep
    descriptors: set[int] = set()

    def wrapped(module: Any, name: str) -> Any:
        real = getattr(module, name)

        def call(first: Any, *more: Any, **options: Any) -> Any:
            known = first in descriptors if isinstance(first, int) else _below(first, inside)
            if not known:
                return real(first, *more, **options)
            called.append(f"{name} {first}")
            if len(called) - 1 == number:
                raise OSError(errno.EIO, SAID, None if isinstance(first, int) else os.fspath(first))
            result = real(first, *more, **options)
            if module is os and name == "open":
                descriptors.add(result)
            return result

        return call

    with pytest.MonkeyPatch.context() as patch:
        for module, name in CALLS:
            patch.setattr(module, name, wrapped(module, name))
        yield called


def _below(path: Any, inside: str) -> bool:
    try:
        return f"{os.path.abspath(os.fspath(path))}{os.sep}".startswith(inside)
    except TypeError:
        return False


def tried(seat: Seat, *args: str | Path) -> Ran:
    """A command that may fail, but shows no traceback and calls nothing its own mistake."""
    ran = seat.pbem(*args, code=None)
    assert "Traceback" not in ran.err and "has a bug" not in ran.err, ran.err
    return ran


def prepared(table: Table) -> None:
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.post()


def stage(seat: Seat) -> int:
    """The last stage that the folder has."""
    return Folder.open(seat.root).stage


class Tree:
    """A folder's files, to be put back as they were: only what differs is written."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = tree(root)
        self.modes = {name: (root / name).stat().st_mode & 0o777 for name in self.files}
        self.folders = {path for path in root.rglob("*") if path.is_dir()}

    def put_back(self) -> None:
        for path in sorted(self.root.rglob("*"), reverse=True):
            name = path.relative_to(self.root).as_posix()
            if path.is_dir() and path not in self.folders:
                path.rmdir()
            elif path.is_file() and (name not in self.files or path.read_bytes() != self.files[name]):
                path.unlink()
        for name, data in self.files.items():
            if not (self.root / name).exists():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                (self.root / name).write_bytes(data)
                (self.root / name).chmod(self.modes[name])


@pytest.mark.parametrize(
    "command", [pytest.param("adjudicate", marks=IN_CI), pytest.param("receive", marks=IN_CI), "sign"]
)
def test_an_operation_that_fails_leaves_the_old_stage_or_the_new_one(
    fog: Table, tmp_path: Path, command: str
) -> None:
    args: tuple[str | Path, ...]
    seat = fog.gm if command == "adjudicate" else fog.players["north"]
    if command == "sign":
        file = tmp_path / "orders.yaml"
        file.write_text(order_file(seat, {"T1/cards/card": "calm"}))
        args = ("orders", "sign", file)
    else:
        prepared(fog)
        args = ("adjudicate",)
    if command == "receive":
        fog.gm.pbem("adjudicate")
        args = ("receive", *[mail for mail in fog.gm.mails() if "report" in mail.name])
    before = Tree(seat.root)
    with failing(seat.root, -1) as calls:
        seat.pbem(*args)
    after = stage(seat)
    assert len(calls) > 20
    for number in range(len(calls)):
        before.put_back()
        with failing(seat.root, number):
            ran = tried(seat, *args)
        if ran.code == 0:
            assert stage(seat) == after, calls[number]
            continue
        assert ran.err.strip(), calls[number]
        assert stage(seat) in (after, after - 1), calls[number]
        tried(seat, *args)
        assert stage(seat) == after, calls[number]
        assert pbem("-C", seat.root, "verify").code == 0
