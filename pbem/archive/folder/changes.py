"""Changing a game folder: all files of a command or none, whatever happens meanwhile.

`text.writing.write_all` replaces files one rename at a time. So that a kill between two renames cannot
leave half a stage, the whole change is first written into one file, `private/redo.json`, and whoever opens
the folder next carries it out again. Doing it twice is harmless.

A command that makes many changes keeps a `Journal` of them, `private/redo-00001.json` and so on: each is on
the disk before it is carried out, and what they wrote is forced to the disk once for all, at the end.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.archive.folder import layout
from pbem.archive.folder.layout import PRIVATE
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.writing import TEMPORARY, NotWritten, force, sync_folder, thrown_away, write_all

if TYPE_CHECKING:
    from pbem.trust.armour import Signed

REDO = f"{PRIVATE}/redo.json"
_DONE = f"{PRIVATE}/redo-done.json"
_NUMBERED = f"{PRIVATE}/redo-{{:05d}}.json"
_NAME = re.compile(
    r"(?:game\.yaml|state\.yaml|allowed_signers|module\.lock|roster(?:\.[a-z0-9-]+)*|\.gitattributes|\.gitignore"
    r"|scenario\.json|(?:stages|letters|inbox|outbox|private)(?:/\.?[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)"
)


@dataclass
class Changes:
    """The files to write and to remove, by their names below the folder.

    Everything under `private/` is made 0600.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)

    def write(self, name: str, data: bytes | str) -> None:
        """Write a file; text as UTF-8."""
        self.files[name] = data.encode() if isinstance(data, str) else data
        self.removed.discard(name)

    def keep(self, stage: int, sid: str, signed: Signed) -> None:
        """Write a statement with the first of its signatures, its sender's, to its stage."""
        self.write(layout.statement_name(stage, sid), signed.data)
        self.write(layout.signature_name(stage, sid), signed.signatures[0])

    def write_signed(self, name: str, signed: Signed) -> None:
        """Write a statement with the first of its signatures, outside of the stages."""
        self.write(f"{name}.json", signed.data)
        self.write(f"{name}.sig", signed.signatures[0])

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        self.files.pop(name, None)
        self.removed.add(name)

    def update(self, other: Changes) -> None:
        """Take over what another set changes."""
        for name, data in other.files.items():
            self.write(name, data)
        for name in other.removed:
            self.remove(name)

    def __bool__(self) -> bool:
        return bool(self.files or self.removed)


class Journal:
    """The changes of a command that makes many: logged on the disk one by one, written at the end."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._count = 0
        self._written: dict[Path, None] = {}

    def note(self, files: Mapping[str, bytes], removed: list[str]) -> str:
        """Force a change to the disk before it is carried out, and return the name of its file."""
        self._count += 1
        name = _NUMBERED.format(self._count)
        _write(self._root, {name: _encode(files, removed)})
        self._written |= dict.fromkeys(self._root / file for file in (*files, *removed))
        return name

    def close(self) -> None:
        """Force the changed files to the disk, and forget the changes."""
        if self._count:
            force(self._written)
            _forget(self._root, [self._root / _NUMBERED.format(n + 1) for n in range(self._count)])


@contextmanager
def journal(root: Path) -> Iterator[Journal]:
    """Open a journal of the changes made inside.

    If one was left half done, the journal stays for `recover`.
    """
    kept = Journal(root)
    try:
        yield kept
    except NotWritten as fault:
        if not fault.done:
            kept.close()
        raise
    except Exception:
        kept.close()
        raise
    kept.close()


def commit(root: Path, changes: Changes, kept: Journal | None = None) -> list[Path]:
    """Carry out the changes, all or none, and return the paths written, in order of name."""
    files = {name: data for name, data in changes.files.items() if not _same(root / name, data)}
    removed = sorted(name for name in changes.removed if (root / name).exists())
    if kept is not None:
        if files or removed:
            name = kept.note(files, removed)
            with thrown_away():  # the journal already names it
                _do(root, files, removed, name)
        return [root / name for name in sorted(changes.files)]
    if len(files) + len(removed) > 1:
        _write(root, {REDO: _encode(files, removed)})
    _do(root, files, removed, REDO)
    _forget(root, [root / REDO])
    return [root / name for name in sorted(changes.files)]


def _do(root: Path, files: Mapping[str, bytes], removed: list[str], noted: str) -> None:
    """Carry out the changes noted in a file. Remove the note if none of them had begun."""
    try:
        _carry_out(root, files, removed)
    except NotWritten as fault:
        if not fault.done:
            _forget(root, [root / noted])
        raise


def unfinished(root: Path) -> list[Path]:
    """Return the files of changes that may be unfinished, in their order."""
    return sorted((root / PRIVATE).glob("redo*.json"))


def recover(root: Path) -> bool:
    """Finish what a crash cut short. The caller holds the lock. True if there was anything."""
    paths = unfinished(root)
    if root / _DONE not in paths:
        for path in paths:
            _again(root, path)
    _forget(root, paths)
    return bool(paths)


def _again(root: Path, path: Path) -> None:
    """Carry out a noted change, even if part of it was done before."""
    try:
        data = json.loads(path.read_bytes())
        files = {_safe(name): base64.b64decode(text) for name, text in data["files"].items()}
        removed = [_safe(name) for name in data["removed"]]
        _no_links(root, [*files, *removed])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        name = path.relative_to(root).as_posix()
        message = Message("archive.folder.damaged-redo", name=name)
        raise Refused(Diagnostic("damaged-redo", message)) from None
    for folder in sorted({(root / name).parent for name in files}):
        for left in sorted(folder.glob(f"{TEMPORARY}*.tmp")):
            left.unlink()
    _carry_out(root, files, removed)


def _forget(root: Path, noted: Iterable[Path]) -> None:
    """Remove the files of finished changes.

    One that came back after a power cut would undo later changes. So where there are several, a mark first
    says that none counts.
    """
    there = [path for path in noted if path.exists()]
    if not there:
        return
    mark = root / _DONE
    if len(there) > 1 and not mark.exists():
        _write(root, {_DONE: b"{}"})
    for path in there:
        if path != mark:
            path.unlink()
    sync_folder(mark.parent)
    if mark.exists():
        mark.unlink()
        sync_folder(mark.parent)


def _safe(name: object) -> str:
    """Return a name that stays below the folder: a foreign folder must not make us write elsewhere."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(name)
    return name


def _no_links(root: Path, names: Iterable[str]) -> None:
    """Check that no link leads out of the folder; only the private side as a whole may be elsewhere.

    Raises ValueError.
    """
    for name in names:
        for folder in (root / name).relative_to(root).parents:
            if str(folder) not in (".", PRIVATE) and (root / folder).is_symlink():
                raise ValueError(f"{folder} is a link")


def _carry_out(root: Path, files: Mapping[str, bytes], removed: Iterable[str]) -> None:
    _write(root, files)
    gone = [root / name for name in removed if (root / name).exists()]
    for path in gone:
        path.unlink(missing_ok=True)
    for folder in dict.fromkeys(path.parent for path in gone):
        sync_folder(folder)


def _write(root: Path, files: Mapping[str, bytes]) -> None:
    if files:
        private = {root / name for name in files if name.startswith(PRIVATE + "/")}
        write_all({root / name: files[name] for name in sorted(files)}, private)


def _encode(files: Mapping[str, bytes], removed: list[str]) -> bytes:
    packed = {name: base64.b64encode(data).decode() for name, data in files.items()}
    return json.dumps({"files": packed, "removed": removed}).encode()


def _same(path: Path, data: bytes) -> bool:
    try:
        return not path.is_symlink() and path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
