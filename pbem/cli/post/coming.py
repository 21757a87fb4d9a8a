"""Places of saved mail: folders `mail` in and beside the game folder, the current one, and downloads.

Each file is read once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.archive import Folder, Invitation

SEEN = "private/came.json"
OWN = ("*pbem*.txt", "*pbem*.eml", "stage-*.eml", "roster-*.eml", "join-*.eml", "amend-*.eml")
"""What letters are called: as they left, or by their subject, as mail programs save them."""
INVITATION = "*.pbem-invitation*"
_FEW = 20  # emails per place to search for an invitation
_MOST = 400  # files per place; larger folders belong to a mail program


def downloads() -> Path:
    """Return the folder where a browser saves files."""
    from platformdirs import user_downloads_path

    return user_downloads_path()


def came(folder: Folder) -> list[Path]:
    """Return new files that look like letters of games, the oldest first."""
    seen = _files_read(folder)
    return [path for path in _files(folder) if seen.get(str(path)) != _mark(path)]


def note_read(folder: Folder, paths: Iterable[Path]) -> None:
    """Note that these were read; one that changes is read again."""
    from pbem.text.writing import write_all

    seen = {name: mark for name, mark in _files_read(folder).items() if Path(name).exists()}
    seen |= {str(path): _mark(path) for path in paths}
    path = folder.root / SEEN
    write_all({path: json.dumps(seen, indent=0).encode()}, private=[path])


def invitations(start: Path, *, mails: bool = True) -> list[Path]:
    """Return nearby invitations, the newest first; without any also those in saved `mails`."""
    places = _distinct([start, start / "mail", Path.cwd(), downloads()])
    matches = [path for place in places for path in _matching(place, (INVITATION,))]
    if not matches and mails:
        near = [path for place in places for path in islice(_matching(place, OWN), _FEW)]
        matches = [path for path in near if invitation_in(path) is not None]
    return sorted(dict.fromkeys(matches), key=lambda path: (-path.stat().st_mtime_ns, str(path)))


def unanswered(start: Path, *, mails: bool = True) -> list[Path]:
    """Return the invitations from which no known game on this computer came."""
    from pbem.cli.games.memory import Memory, usual

    known = []
    for root in Memory(usual()).games():
        try:
            known.append((root / "private" / "invitation.json").read_text("utf-8"))
        except (OSError, ValueError):
            continue
    return [path for path in invitations(start, mails=mails) if not _is_of(path, known)]


def _is_of(path: Path, known: Iterable[str]) -> bool:
    invitation = invitation_in(path)
    return invitation is not None and any(invitation.terms.salt.hex() in game for game in known)


def invitation_in(path: Path) -> Invitation | None:
    """Return the invitation in a file or a saved email, or None."""
    from pbem.archive import read_invitation
    from pbem.mail.read import read_path
    from pbem.text.diagnostics import Refused

    for signed in read_path(path).signed:
        try:
            return read_invitation(signed)
        except Refused:
            continue
    return None


def places(folder: Folder) -> list[Path]:
    """Return the folders that are searched."""
    near = [folder.root / "mail", folder.root.parent / "mail"]
    return _distinct([*near, Path.cwd(), downloads()])


def _files(folder: Folder) -> list[Path]:
    paths: list[Path] = []
    for place in places(folder):
        any_ending = place.name == "mail"
        paths += _matching(place, ("*.eml", "*.txt", "*.mbox", "*.pbem-*") if any_ending else OWN)
    inside = [path for path in paths if path.parent != folder.root / "outbox"]
    return sorted(dict.fromkeys(inside), key=lambda path: (path.stat().st_mtime_ns, str(path)))


def _matching(place: Path, patterns: Iterable[str]) -> Iterator[Path]:
    if not place.is_dir():
        return
    try:
        entries = [path for pattern in patterns for path in place.glob(pattern) if path.is_file()]
    except OSError:
        return
    yield from sorted(dict.fromkeys(entries), key=lambda path: -path.stat().st_mtime_ns)[:_MOST]


def _distinct(paths: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(Path(os.path.abspath(path)) for path in paths))


def _files_read(folder: Folder) -> dict[str, list[int]]:
    path = folder.root / SEEN
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _mark(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]
