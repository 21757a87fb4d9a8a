"""Changing a game folder: all files of a command or none, whatever happens meanwhile.

`text.writing.write_all` replaces files one rename at a time. So that a kill between two renames cannot
leave half a stage, the whole change is first written into one file, `private/redo.json`, and whoever opens
the folder next carries it out again. Doing it twice is harmless.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pbem.archive.folder.layout import PRIVATE
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.writing import TEMPORARY, NotWritten, sync_folder, write_all

REDO = f"{PRIVATE}/redo.json"
_NAME = re.compile(
    r"(?:game\.yaml|state\.yaml|allowed_signers|module\.lock|roster(?:\.[a-z0-9-]+)*|\.gitattributes|\.gitignore"
    r"|(?:stages|inbox|outbox|private)(?:/\.?[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)"
)


@dataclass
class Changes:
    """Files to write and to remove, by their names below the folder.

    Everything under `private/` is made 0600.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)

    def write(self, name: str, data: bytes | str) -> None:
        """Write a file; text as UTF-8."""
        self.files[name] = data.encode() if isinstance(data, str) else data
        self.removed.discard(name)

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


def commit(root: Path, changes: Changes) -> list[Path]:
    """Carry out the changes, all or none; gives the paths written, in order of name."""
    files = {name: data for name, data in changes.files.items() if not _same(root / name, data)}
    removed = sorted(name for name in changes.removed if (root / name).exists())
    if len(files) + len(removed) > 1:
        _write(root, {REDO: _encode(files, removed)})
    try:
        _carry_out(root, files, removed)
    except NotWritten as fault:
        if not fault.done:  # nothing has changed, so there is nothing to finish
            _forget(root)
        raise
    _forget(root)
    return [root / name for name in sorted(changes.files)]


def recover(root: Path) -> bool:
    """Finish a change that a crash cut short. The caller holds the lock. True if there was one."""
    path = root / REDO
    if not path.exists():
        return False
    try:
        data = json.loads(path.read_bytes())
        files = {_safe(name): base64.b64decode(text) for name, text in data["files"].items()}
        removed = [_safe(name) for name in data["removed"]]
        _no_links(root, [*files, *removed])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        message = f"{REDO} is damaged: it should hold the change that the last command did not finish"
        raise Refused(Diagnostic("damaged-redo", message)) from None
    for folder in sorted({(root / name).parent for name in files}):
        for left in sorted(folder.glob(f"{TEMPORARY}*.tmp")):
            left.unlink()
    _carry_out(root, files, removed)
    _forget(root)
    return True


def _forget(root: Path) -> None:
    """The change is carried out, and its file goes for good: if it came back after a power cut, it would undo
    what was written since.
    """
    path = root / REDO
    if path.exists():
        path.unlink()
        sync_folder(path.parent)


def _safe(name: object) -> str:
    """A name that stays below the folder: whoever hands over a folder must not make us write elsewhere."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"no file of a game folder: {name!r}")
    return name


def _no_links(root: Path, names: Iterable[str]) -> None:
    """ValueError if a link leads out of the folder; only the private side as a whole may lie elsewhere."""
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
    packed = {name: base64.b64encode(files[name]).decode() for name in sorted(files)}
    return json.dumps({"files": packed, "removed": removed}).encode()


def _same(path: Path, data: bytes) -> bool:
    try:
        return not path.is_symlink() and path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
