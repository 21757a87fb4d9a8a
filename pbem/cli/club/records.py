"""Notes of how far each mailbox was read for all games, and statements that wait for their game.

A mailbox on a server needs its last number only. Of a folder of emails each name is noted by 16 bytes that
are appended, so that no note is written anew for a new email; marks of emails that are gone are dropped when
they are more than half. Everything is in the user's data folder and readable by its owner alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.post.fetching import Stamp, read_to, stamp_of
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.trust.armour import Signed

_MARK = 16
_TICK = 2_000_000_000  # nanoseconds; file systems count time in steps of up to two seconds
_SPARE = 1000
"""Marks of emails that are gone, up to which nothing is dropped."""


def data_place() -> Path:
    """Return the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("pbem", appauthor=False)


class OfMailbox:
    """The book of one mailbox for all games: a folder with a note, and marks of read files."""

    def __init__(self, name: str, root: Path, first_day: str) -> None:
        self.name, self.root = name, root
        self.place = data_place() / "mailboxes" / hashlib.sha256(name.encode()).hexdigest()[:16]
        self.lines: list[str] = []
        self.again_since = ""
        """Day from which read emails are read again, for a game that is new here."""
        self._first_day = first_day
        self._new: dict[Path, Stamp] = {}
        self._marks: set[bytes] | None = None
        self._times: list[int] | None = None
        self._looked: list[int] | None = None

    # ---- as `fetch_by` wants it ---------------------------------------------------------------------------

    def log(self, text: str) -> None:
        """Keep a line for the journal."""
        self.lines.append(text)

    def first_day(self) -> str:
        """Return the first day of the oldest game, or of one that is new here."""
        return self.again_since or self._first_day

    def how_far(self, box: str) -> Mapping[str, Any]:
        """Return what was noted about a mailbox on a server; nothing if it is to be read again."""
        marks = None if self.again_since else self._note().get("box")
        return marks if isinstance(marks, dict) else {}

    def note_box(self, box: str, entry: Mapping[str, Any]) -> None:
        """Note how far it was read."""
        self._write({**self._note(), "box": dict(entry)})

    def quiet(self, places: Sequence[Path]) -> bool:
        """Return True if these are Maildirs that nobody has touched since this process read them.

        A folder that changed at this very moment may change once more without another time.
        """
        parts = [place / part for place in places for part in ("new", "cur")]
        try:
            times = [part.stat().st_mtime_ns for part in parts]
        except OSError:
            return False
        same, now = times == self._times and not self.again_since, time.time_ns()
        settled = all(_TICK < now - time for time in times)
        self._looked = times if settled else None
        return same

    def unread(self, files: Sequence[str], everything: bool) -> list[tuple[Path, int]]:
        """Return the files that are not marked, each with how much of it was read before."""
        marks = set() if everything else self._read_marks()
        boxes: dict[str, Stamp] = {} if everything else self._note().get("mboxes") or {}
        oldest = datetime.fromisoformat(self.again_since).timestamp() if self.again_since else 0.0
        self._new, unread, maildirs = {}, [], _maildirs(files)
        for name in files:
            if name.rpartition(os.sep)[0] in maildirs:
                if _mark(name) not in marks or (oldest and _changed(name) >= oldest):
                    unread.append((Path(name), 0))
                continue
            known, path = boxes.get(name), Path(name)
            try:
                stat = path.stat()
            except OSError:
                continue
            if oldest and stat.st_mtime >= oldest:
                self._new[path] = stamp_of(path) or []
                unread.append((path, 0))
                continue
            if known is not None and known[:2] == [stat.st_size, stat.st_mtime_ns]:
                continue
            if known is None and _mark(name, stat) in marks:
                continue
            stamp = stamp_of(path)
            if stamp is not None:
                self._new[path] = stamp
                unread.append((path, read_to(path, known or [])))
        return unread

    def note_files(self, read: Sequence[Path], files: Sequence[str]) -> None:
        """Append the marks of files; an mbox, which grows, is noted by name."""
        marks, boxes = [], {}
        for path in read:
            stamp = self._new.get(path)
            if stamp and stamp[2]:
                boxes[str(path)] = stamp
            elif stamp:
                marks.append(_digest(f"{path}\0{stamp[0]}\0{stamp[1]}"))
            else:
                marks.append(_mark(str(path)))
        if boxes:
            note = self._note()
            here = set(files)
            kept = {name: mark for name, mark in (note.get("mboxes") or {}).items() if name in here}
            self._write({**note, "mboxes": kept | boxes})
        fresh = [mark for mark in marks if mark not in self._read_marks()]
        if fresh:
            self._append(fresh)
            self._read_marks().update(fresh)
        if len(self._read_marks()) > 2 * len(files) + _SPARE:
            self._drop_old(files)

    # ---- the games that were here -------------------------------------------------------------------------

    def games(self) -> list[str] | None:
        """Return the salts of the games of the last reading, or None if there was none."""
        note = self._note().get("games")
        return [str(salt) for salt in note] if isinstance(note, list) else None

    def note_games(self, salts: Sequence[str]) -> None:
        """Note for which games the mailbox was read, to its end."""
        self._times = self._looked
        if self.games() != sorted(set(salts)):
            self._write({**self._note(), "games": sorted(set(salts))})

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the mailbox; Refused if another process reads it."""
        from pbem.archive import one_command

        self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            holder = one_command.hold(self.place)
            holder.__enter__()
        except Refused as fault:
            if fault.diagnostics[0].code != "folder-busy":
                raise
            message = Message("cli.club.mailbox-is-read-by-another", mailbox=self.name)
            help_ = (Message("cli.club.only-one-reads-a-mailbox"),)
            raise Refused(Diagnostic("mailbox-busy", message, help=help_)) from None
        try:
            yield
        finally:
            holder.__exit__(None, None, None)

    # ---- files --------------------------------------------------------------------------------------------

    def _note(self) -> dict[str, Any]:
        try:
            data = json.loads((self.place / "read.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def _write(self, note: Mapping[str, Any]) -> None:
        from pbem.text.writing import write_all

        path = self.place / "read.json"
        text = json.dumps({**note, "name": self.name}, indent=1, sort_keys=True)
        write_all({path: f"{text}\n".encode()}, private=[path])

    def _read_marks(self) -> set[bytes]:
        if self._marks is None:
            try:
                data = (self.place / "marks").read_bytes()
            except FileNotFoundError:
                data = b""
            self._marks = {data[at : at + _MARK] for at in range(0, len(data) - _MARK + 1, _MARK)}
        return self._marks

    def _append(self, marks: Sequence[bytes]) -> None:
        self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(self.place / "marks", flags, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            os.lseek(descriptor, size - size % _MARK, os.SEEK_SET)  # over a mark that a crash cut short
            os.write(descriptor, b"".join(marks))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _drop_old(self, files: Sequence[str]) -> None:
        from pbem.text.writing import write_all

        here, maildirs = set(), _maildirs(files)
        for name in files:
            try:
                in_maildir = name.rpartition(os.sep)[0] in maildirs
                here.add(_mark(name) if in_maildir else _mark(name, os.stat(name)))
            except OSError:
                continue
        self._marks = self._read_marks() & here
        path = self.place / "marks"
        write_all({path: b"".join(sorted(self._marks))}, private=[path])


def _maildirs(files: Sequence[str]) -> set[str]:
    """Return the folders of these files that are parts of a Maildir."""
    folders = {name.rpartition(os.sep)[0] for name in files}
    parts = (Path(folder) for folder in folders)
    return {str(part) for part in parts if part.name in ("cur", "new") and (part.parent / "cur").is_dir()}


def _changed(name: str) -> float:
    try:
        return os.stat(name).st_mtime
    except OSError:
        return 0.0


def _mark(name: str, status: os.stat_result | None = None) -> bytes:
    """Return the mark of a file; in a Maildir, where a program renames it, of its name before the flags."""
    if status is None:
        place, _, file = name.rpartition(os.sep)
        return _digest(f"{place.rpartition(os.sep)[0]}\0{file.partition(':')[0]}")
    return _digest(f"{name}\0{status.st_size}\0{status.st_mtime_ns}")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()[:_MARK]


# --- what waits for a game ----------------------------------------------------------------------------------


class Waiting:
    """Statements for games that could not take them: another command was at work, or the game is broken.

    They are here until their game has taken them, so that the mailbox is read on without loss.
    """

    def __init__(self) -> None:
        self.place = data_place() / "mailboxes" / "waiting"

    def keep(self, root: Path, statements: Sequence[Signed]) -> None:
        """Keep statements for the game in a folder."""
        from pbem.text.writing import write_all
        from pbem.trust import armour

        place = self._of(root)
        files = {
            place / f"{hashlib.sha256(statement.data).hexdigest()[:24]}.pbem.txt": armour.armour(
                statement
            ).encode()
            for statement in statements
        }
        fresh = {path: data for path, data in files.items() if not path.exists()}
        if fresh:
            write_all(fresh, private=list(fresh))

    def files(self, root: Path) -> list[Path]:
        """Return the files that wait for the game in a folder."""
        try:
            return sorted(path for path in self._of(root).iterdir() if path.name.endswith(".pbem.txt"))
        except OSError:
            return []

    def _of(self, root: Path) -> Path:
        return self.place / hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
