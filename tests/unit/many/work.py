"""Work to do on folders, as functions that another process can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def names(folder: Path, value: int) -> tuple[list[str], int]:
    """Return the names of the files that came along, and the double of the value."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    ), value * 2


def kills(folder: Path, value: tuple[int, str]) -> int:
    """Kill its own process for number 1: once if there is a name for a mark of it, else each time."""
    number, mark = value
    if number == 1 and not (mark and Path(mark).exists()):
        if mark:
            Path(mark).write_text("killed")
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def waits(folder: Path, value: tuple[int, str]) -> int:
    """Say that this number is at work and by which process, and take its time."""
    number, place = value
    Path(place, f"{number}-{os.getpid()}").touch()
    time.sleep(0.5)
    return number


def fails(folder: Path, value: int) -> int:
    """Fail for number 1."""
    if value == 1:
        raise RuntimeError("no disk here")
    return value
