"""Copies of folders that share what is in them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pbem.text import copies


def tree(root: Path) -> dict[str, tuple[bytes, int]]:
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mode & 0o777) for path in found
    }


def test_each_copy_comes_back_as_it_was(tmp_path: Path) -> None:
    root, place = tmp_path / "game", tmp_path / "kept"
    (root / "red" / "private").mkdir(parents=True)
    place.mkdir()
    states = []
    for number in range(5):
        (root / "red" / f"stage-{number}").write_bytes(b"report %d" % number)
        (root / "red" / "state").write_bytes(b"%d" % number)
        (root / "red" / "private" / "key").write_bytes(b"secret")
        os.chmod(root / "red" / "private" / "key", 0o600)
        states.append(tree(root))
        copies.keep(place, f"{number:05d}", root, ["red", "not-there"])
    for listed, state in zip(copies.lists(place), states, strict=True):
        goal = tmp_path / "back"
        copies.restore(listed, goal)
        assert tree(goal) == state
        shutil.rmtree(goal)
    held = list((place / copies.CONTENTS).iterdir())
    assert len(held) == 11, "what is the same is there once"
    copies.drop(copies.lists(place)[:4])
    copies.restore(copies.lists(place)[0], tmp_path / "back")
    assert tree(tmp_path / "back") == states[4]
    assert len(list((place / copies.CONTENTS).iterdir())) == 7


def test_a_file_that_changed_at_once_is_read_again(tmp_path: Path) -> None:
    """Same size, and a time that is not older than the copy before: that proves nothing."""
    root, place = tmp_path / "game", tmp_path / "kept"
    (root / "a").mkdir(parents=True)
    place.mkdir()
    (root / "a" / "file").write_bytes(b"1")
    first = copies.keep(place, "1", root, ["a"])
    stamp = first.stat().st_mtime_ns
    (root / "a" / "file").write_bytes(b"2")
    os.utime(root / "a" / "file", ns=(stamp, stamp))
    copies.keep(place, "2", root, ["a"])
    copies.restore(copies.lists(place)[1], tmp_path / "back")
    assert (tmp_path / "back" / "a" / "file").read_bytes() == b"2"
