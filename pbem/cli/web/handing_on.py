"""The archive of a game as one file, for a player who takes over a seat: only public files."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

BEGINS = b"PK\x03\x04"
MOST_FILES, MOST_BYTES = 100_000, 256 << 20
_IN_DIRECTORY = b"PK\x01\x02"  # what each file has in the directory of a zip
_ROSTER = re.compile(r"((?:[^/\\]+/)*)roster\.json")


def packed(folder: Folder) -> bytes:
    """Return the published files of a game folder, zipped."""
    from pbem.archive import is_published

    folder.need_roster()
    kept = BytesIO()
    with ZipFile(kept, "w", ZIP_DEFLATED) as archive:
        for path in sorted(folder.root.rglob("*")):
            name = path.relative_to(folder.root).as_posix()
            if is_published(name) and path.is_file() and not path.is_symlink():
                archive.writestr(ZipInfo(name), path.read_bytes(), ZIP_DEFLATED)
    return kept.getvalue()


def unpacked(data: bytes, into: Path) -> None:
    """Write the published files of such an archive into an empty folder, and nothing else.

    Raises Refused for another kind of file, or one that is too large. A folder zipped by hand is accepted.
    """
    if data.count(_IN_DIRECTORY) > MOST_FILES:  # the library builds an object for each
        raise _too_large()
    try:
        with ZipFile(BytesIO(data)) as archive:
            for name, entry in _wanted(archive.infolist()).items():
                path = into / name
                path.parent.mkdir(parents=True, exist_ok=True)
                if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):  # others take any memory they like
                    raise NotImplementedError(Message("cli.web.packed-otherwise"))
                with archive.open(entry) as inside, path.open("wb") as file:
                    copyfileobj(inside, file)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError) as fault:
        raise Refused(
            Diagnostic("no-archive", Message("cli.web.file-cannot-be-unpacked", fault=fault))
        ) from None


def _wanted(members: list[ZipInfo]) -> dict[str, ZipInfo]:
    """Return the published files by their names below the roster, which is on top of a game folder."""
    from pbem.archive import is_published

    tops = [match[1] for member in members if (match := _ROSTER.fullmatch(member.filename))]
    if not tops:
        message = Message("cli.web.no-roster-in-file")
        raise Refused(Diagnostic("no-archive", message))
    top = min(tops, key=len)
    below = {
        member.filename.removeprefix(top): member for member in members if member.filename.startswith(top)
    }
    wanted = {name: member for name, member in below.items() if is_published(name)}
    if len(wanted) > MOST_FILES or sum(member.file_size for member in wanted.values()) > MOST_BYTES:
        raise _too_large()
    return wanted


def _too_large() -> Refused:
    return Refused(Diagnostic("too-large", Message("cli.web.too-large")))
