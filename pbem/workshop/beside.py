"""Private files of an editor in the folder of a scenario, which never travel.

    .editor/recovery.json   work that was not saved
    .editor/board.png       a picture of the board
    .editor/board.json      how the grid is laid on it
    .editor/board-east.*    both of the sheet `east` alone

`read_folder` does not look there. The files can be read by their owner only, and git passes them over.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.writing import write_all

FOLDER = ".editor"
RECOVERY, BOARD = "recovery.json", "board"
MOST, MOST_PICTURE = 8 << 20, 32 << 20
KINDS = {
    "png": (b"\x89PNG\r\n\x1a\n", "image/png"),
    "jpg": (b"\xff\xd8\xff", "image/jpeg"),
    "webp": (b"RIFF", "image/webp"),
}


def read_beside(root: Path, name: str, most: int = MOST) -> bytes | None:
    """Return a file of the editor, None if there is none; Refused for links and huge files."""
    if not _folder(root):
        return None
    path = root / FOLDER / name
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return None
    if not stat.S_ISREG(mode):
        raise _odd(path)
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise _odd(path)
    return data


def read_json(root: Path, name: str) -> dict[str, Any] | None:
    """Return an object that the editor kept; None if there is none, or no editor wrote it."""
    data = read_beside(root, name)
    try:
        kept = json.loads(data) if data is not None else None
    except (ValueError, RecursionError):
        return None
    return kept if isinstance(kept, dict) else None


def keep(root: Path, files: Mapping[str, bytes]) -> None:
    """Write files of the editor, all or none."""
    _folder(root)
    for name in files:
        if (root / FOLDER / name).is_symlink():
            raise _odd(root / FOLDER / name)
    paths = {root / FOLDER / name: data for name, data in {".gitignore": b"*\n", **files}.items()}
    write_all(paths, private=list(paths))


def drop(root: Path, name: str) -> None:
    """Remove a file of the editor, if it is there."""
    if _folder(root):
        (root / FOLDER / name).unlink(missing_ok=True)


def kind_of(data: bytes) -> str | None:
    """Return the kind of a picture by its first bytes; None for anything else."""
    for kind, (first, _) in KINDS.items():
        if data.startswith(first) and (kind != "webp" or data[8:12] == b"WEBP"):
            return kind
    return None


def stem(sheet: str) -> str:
    """Return how the files of a sheet's picture are called, without an ending; "" is the whole map."""
    return f"{BOARD}-{sheet}" if sheet else BOARD


def picture(root: Path, sheet: str = "") -> tuple[str, bytes] | None:
    """Return the picture of the board, or of one sheet, with its kind; None if there is none."""
    for kind in KINDS:
        data = read_beside(root, f"{stem(sheet)}.{kind}", MOST_PICTURE)
        if data is not None and kind_of(data) == kind:
            return kind, data
    return None


def alignment(root: Path, sheet: str = "") -> dict[str, Any] | None:
    """Return how the grid is laid on a picture; None if it is not."""
    return read_json(root, f"{stem(sheet)}.json")


def keep_alignment(root: Path, alignment: Mapping[str, Any] | None, sheet: str = "") -> None:
    """Keep how the grid is laid on a picture; without it, forget it."""
    if alignment is None:
        drop(root, f"{stem(sheet)}.json")
    else:
        keep(root, {f"{stem(sheet)}.json": (json.dumps(alignment, indent=1) + "\n").encode()})


def keep_picture(root: Path, data: bytes, sheet: str = "") -> str:
    """Keep a picture of the board, replacing any other, and return its file name; Refused if it is none."""
    kind = kind_of(data)
    if kind is None or len(data) > MOST_PICTURE:
        raise Refused(
            Diagnostic("no-picture", Message("workshop.beside.no-picture", most=MOST_PICTURE >> 20))
        )
    keep(root, {f"{stem(sheet)}.{kind}": data})
    for other in KINDS:
        if other != kind:
            drop(root, f"{stem(sheet)}.{other}")
    return f"{stem(sheet)}.{kind}"


def _folder(root: Path) -> bool:
    """Return True if the editor's folder is there; Refused if something else has its name."""
    try:
        mode = os.lstat(root / FOLDER).st_mode
    except OSError:
        return False
    if not stat.S_ISDIR(mode):
        raise _odd(root / FOLDER)
    return True


def _odd(path: Path) -> Refused:
    return Refused(Diagnostic("odd-file", Message("workshop.beside.odd-file", path=path)))
