"""Writing all files or none, whatever goes wrong and whenever."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.text import writing
from pbem.text.writing import NotWritten, thrown_away, write_all


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def everything(folder: Path) -> dict[str, bytes | None]:
    """All files and folders below, with content."""
    found = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes() for path in found}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A game folder with an old state and an old report."""
    (tmp_path / "stages").mkdir()
    (tmp_path / "state.yaml").write_bytes(b"old state")
    (tmp_path / "stages" / "report").write_bytes(b"old report")
    return tmp_path


def new_files(folder: Path) -> dict[Path, bytes]:
    return {
        folder / "state.yaml": b"new state",
        folder / "stages" / "report": b"new report",
        folder / "stages" / "0012" / "record.json": b"{}",
        folder / "private" / "secret": b"secret",
    }


def failing(real: Callable[..., Any], call: int, error: BaseException) -> Callable[..., Any]:
    """The function, which fails at its call of that number, counted from 1."""
    calls = 0

    def stand_in(*args: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise error
        return real(*args, **named)

    return stand_in


def test_files_and_folders_are_made_and_replaced(old: Path) -> None:
    write_all(new_files(old), private=[old / "private" / "secret"])
    assert everything(old) == {
        "private": None,
        "private/secret": b"secret",
        "stages": None,
        "stages/0012": None,
        "stages/0012/record.json": b"{}",
        "stages/report": b"new report",
        "state.yaml": b"new state",
    }


def test_writing_nothing_is_fine(old: Path) -> None:
    before = everything(old)
    write_all({})
    assert everything(old) == before


def test_many_files_in_one_folder(tmp_path: Path) -> None:
    write_all({tmp_path / str(n): b"%d" % n for n in range(200)})
    assert everything(tmp_path) == {str(n): b"%d" % n for n in range(200)}


def test_private_files_are_private_from_the_first_moment(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = os.open

    def watched(path: Any, flags: int, mode: int = 0o777, **named: Any) -> int:
        if flags & os.O_CREAT:
            seen.append(mode)
        return real(path, flags, mode, **named)

    monkeypatch.setattr(writing.os, "open", watched)
    secret = old / "private" / "secret"
    write_all({secret: b"s", old / "public": b"p"}, private={secret})
    assert seen == [0o600, 0o666]
    assert mode(secret) == 0o600
    assert mode(old / "private") == 0o700
    assert mode(old / "public") == 0o666 & ~current_umask()


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_private_file_that_was_open_to_all_is_private_afterwards(old: Path) -> None:
    (old / "secret").write_bytes(b"x")
    (old / "secret").chmod(0o644)
    write_all({old / "secret": b"y"}, private={old / "secret"})
    assert mode(old / "secret") == 0o600


def test_other_files_keep_their_permissions(old: Path) -> None:
    (old / "state.yaml").chmod(0o640)
    write_all({old / "state.yaml": b"new"})
    assert mode(old / "state.yaml") == 0o640


@pytest.mark.parametrize("call", [1, 2, 3, 4])
@pytest.mark.parametrize("function", ["fsync", "open"])
def test_a_failure_before_the_renames_leaves_everything_as_it_was(
    old: Path, monkeypatch: pytest.MonkeyPatch, function: str, call: int
) -> None:
    before = everything(old)
    broken = failing(getattr(os, function), call, OSError(28, "No space left on device"))
    with monkeypatch.context() as patch:
        patch.setattr(writing.os, function, broken)
        with pytest.raises(NotWritten, match="no space left on device") as failure:
            write_all(new_files(old), private={old / "private" / "secret"})
    assert everything(old) == before
    assert failure.value.done == ()
    assert failure.value.path == list(new_files(old))[call - 1]


def test_an_interruption_leaves_everything_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(old)
    with monkeypatch.context() as patch:
        patch.setattr(writing.os, "fsync", failing(os.fsync, 3, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            write_all(new_files(old))
    assert everything(old) == before


def test_a_failed_rename_tells_what_is_new_already_and_leaves_nothing_temporary(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(writing.os, "replace", failing(os.replace, 2, PermissionError(13, "Permission denied")))
        with pytest.raises(NotWritten, match=r"can't write .*report: permission denied") as failure:
            write_all(new_files(old))
    assert failure.value.done == (old / "state.yaml",)
    assert everything(old) == {
        "stages": None,
        "stages/report": b"old report",
        "state.yaml": b"new state",
    }


def test_the_first_rename_comes_after_the_last_file_is_on_the_disk(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        events.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def renamed(source: Any, target: Any) -> None:
        events.append("rename")
        replace(source, target)

    monkeypatch.setattr(writing.os, "fsync", synced)
    monkeypatch.setattr(writing.os, "replace", renamed)
    write_all(new_files(old))
    assert events[:8] == ["file"] * 4 + ["rename"] * 4
    assert set(events[8:]) == {"folder"}


@pytest.mark.skipif(sys.platform == "win32", reason="fork and kill")
@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_a_process_killed_before_the_first_rename_leaves_the_old_files(old: Path, function: str) -> None:
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from pbem.text import writing\n"
        f"writing.os.{function} = lambda *_: os._exit(9)\n"
        "old = Path(sys.argv[1])\n"
        "writing.write_all({old / 'state.yaml': b'new', old / 'stages' / 'report': b'new'})\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", program, str(old)], cwd=root, check=False)
    assert done.returncode == 9
    left = {name: data for name, data in everything(old).items() if writing.TEMPORARY not in name}
    assert left == {"stages": None, "stages/report": b"old report", "state.yaml": b"old state"}
    write_all(new_files(old))
    assert (old / "state.yaml").read_bytes() == b"new state"


def test_a_leftover_of_a_killed_run_is_not_in_the_way(old: Path) -> None:
    leftover = old / f"{writing.TEMPORARY}0.tmp"
    leftover.write_bytes(b"half")
    write_all({old / "state.yaml": b"new"})
    assert leftover.read_bytes() == b"half"
    assert (old / "state.yaml").read_bytes() == b"new"


@pytest.mark.parametrize("target", ["stages", "state.yaml/inside"])
def test_a_folder_or_file_in_the_way_is_told_and_nothing_is_written(old: Path, target: str) -> None:
    before = everything(old)
    with pytest.raises(NotWritten, match="can't write"):
        write_all({old / "fresh" / "file": b"x", old / target: b"x"})
    assert everything(old) == before


def test_a_private_file_is_one_of_those_written(old: Path) -> None:
    with pytest.raises(AssertionError):
        write_all({}, private={old / "x"})


def test_what_is_thrown_away_is_written_and_not_forced_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[int] = []
    monkeypatch.setattr(os, "fsync", forced.append)
    with thrown_away():
        write_all({tmp_path / "a": b"1"})
    assert (tmp_path / "a").read_bytes() == b"1" and not forced
    write_all({tmp_path / "b": b"2"})
    assert forced
