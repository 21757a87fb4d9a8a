"""The private side of a game folder as one piece of data, and back (protocol 4.1)."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

FORMAT = "pbem-private/1"
_NAME = re.compile(r"private(?:/[A-Za-z0-9_.-]{1,80}){1,3}")
_TRANSIENT = re.compile(r"private/(?:lock|redo(?:-[0-9a-z]+)?\.json)")


def pack(folder: Folder) -> bytes:
    """Return every file of the private side, and its game."""
    root = folder.root
    files: dict[str, str] = {}
    for path in sorted((root / "private").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not path.is_symlink() and not _TRANSIENT.fullmatch(name):
            files[name] = base64.b64encode(path.read_bytes()).decode()
    return json.dumps({"format": FORMAT, "game": folder.terms.salt.hex(), "files": files}).encode()


def unpack(folder: Folder, data: bytes, force: bool) -> int:
    """Write the files back; Refused if they are another game's, or one is there and `force` is not set."""
    from pbem.archive import Changes
    from pbem.text.diagnostics import Diagnostic, Refused

    try:
        packed = json.loads(data)
        files = {str(name): base64.b64decode(text, validate=True) for name, text in packed["files"].items()}
        game, known = packed["game"], packed["format"] == FORMAT
    except (ValueError, KeyError, TypeError, AttributeError):
        known, game, files = False, None, {}
    names = [Path(name).parts for name in files]
    if not known or any(".." in parts for parts in names) or not all(map(_NAME.fullmatch, files)):
        raise Refused(Diagnostic("bad-backup", Message("cli.backup.bad-backup")))
    if game != folder.terms.salt.hex():
        message = Message("cli.backup.other-game", game=str(game)[:12])
        raise Refused(Diagnostic("other-game", message))
    if (folder.root / "private" / "me.json").exists() and not force:
        help_ = (Message("cli.backup.force-replaces-it"),)
        raise Refused(Diagnostic("private-exists", Message("cli.backup.private-exists"), help=help_))
    changes = Changes()
    for name, content in files.items():
        changes.write(name, content)
    with folder.working():
        folder.commit(changes)
    return len(files)
