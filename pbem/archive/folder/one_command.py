"""One command at a time in a game folder.

The lock dies with the process that holds it, so a crash leaves none behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.archive.folder.layout import PRIVATE
from pbem.text.browser import in_browser
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

NAME = "lock"
MAIL, MAIL_IN = "lock-mail", "lock-mail-in"
"""Held while mail is handed over or fetched, which takes long and keeps nobody from other work."""


@contextmanager
def hold(root: Path, name: str = NAME, *, wait: bool = False) -> Iterator[None]:
    """Hold the folder's lock; Refused at once if another command has it, unless it may `wait`."""
    folder = root / PRIVATE
    folder.mkdir(mode=0o700, exist_ok=True)
    if in_browser():
        with _alone(folder / name, root):
            yield
        return
    descriptor = os.open(folder / name, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if not _take(descriptor, wait):
            raise _busy(root)
        yield
    finally:
        os.close(descriptor)  # gives the lock back as well


def _busy(root: Path) -> Refused:
    message = Message("archive.folder.folder-busy", root=root)
    help_ = (Message("archive.folder.wait-until-it-has-ended"),)
    return Refused(Diagnostic("folder-busy", message, help=help_))


_held: set[Path] = set()


@contextmanager
def _alone(path: Path, root: Path) -> Iterator[None]:
    """Hold a lock in a browser, where files lock nothing.

    The page's Web Lock lets one process run, and it has one thread, so waiting would never end.
    """
    if path in _held:
        raise _busy(root)
    _held.add(path)
    try:
        yield
    finally:
        _held.discard(path)


def _take(descriptor: int, wait: bool) -> bool:
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:  # LK_LOCK gives up after ten seconds
                if not wait:
                    return False
            else:
                return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
