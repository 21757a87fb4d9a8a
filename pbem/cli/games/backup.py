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


def pack(folder: Folder, *, whole: bool = False) -> bytes:
    """Return every file of the private side, and its game.

    `whole`: also the public files, and the key that `pbem key new` made, so that a seat moves by one file.
    """
    root = folder.root
    files: dict[str, str] = {}
    for path in sorted((root / "private").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not path.is_symlink() and not _TRANSIENT.fullmatch(name):
            files[name] = base64.b64encode(path.read_bytes()).decode()
    data = {"format": FORMAT, "game": folder.terms.salt.hex(), "files": files}
    if whole:
        files |= _own_key(folder, files)
        data["public"] = {name: base64.b64encode(content).decode() for name, content in _public(root).items()}
    return json.dumps(data).encode()


def _own_key(folder: Folder, files: dict[str, str]) -> dict[str, str]:
    """Return the signing key, if it is pbem's own and not in the private side already."""
    from pbem.cli.shell.keys import own_key_file

    key, me = own_key_file(), folder.private.me
    name = f"private/{key.name}"
    if me is None or name in files or not key.is_file() or me.key_file != str(key.absolute()):
        return {}
    return {name: base64.b64encode(key.read_bytes()).decode()}


def _public(root: Path) -> dict[str, bytes]:
    from pbem.archive import is_published

    names = {path: path.relative_to(root).as_posix() for path in sorted(root.rglob("*"))}
    return {
        name: path.read_bytes()
        for path, name in names.items()
        if is_published(name) and path.is_file() and not path.is_symlink()
    }


def moved_in(root: Path, data: bytes) -> Folder:
    """Make a game folder of a whole backup; Refused, with nothing written, if it holds none."""
    from pbem.archive import Changes, Folder, changes, is_published
    from pbem.text.diagnostics import Diagnostic, Refused

    known, _, files, public = _read(data)
    sound = known and all(map(is_published, public)) and "private/me.json" in files
    if not sound or any(".." in Path(name).parts for name in (*files, *public)):
        raise Refused(Diagnostic("bad-backup", Message("cli.backup.bad-backup")))
    if root.exists() and any(root.iterdir()):
        raise Refused(Diagnostic("folder-in-use", Message("cli.demo.folder-is-not-empty", root=root)))
    made = Changes()
    for name, content in (*files.items(), *public.items()):
        made.write(name, content)
    root.mkdir(parents=True, exist_ok=True)
    changes.commit(root, made)
    return Folder.open(root)


def _read(data: bytes) -> tuple[bool, object, dict[str, bytes], dict[str, bytes]]:
    """Return whether it is a backup, its game, and its private and public files."""
    try:
        packed = json.loads(data)
        read = [
            {str(name): base64.b64decode(text, validate=True) for name, text in packed.get(part, {}).items()}
            for part in ("files", "public")
        ]
        known = packed["format"] == FORMAT and all(map(_NAME.fullmatch, read[0]))
        return known, packed["game"], *read
    except (ValueError, KeyError, TypeError, AttributeError):
        return False, None, {}, {}


def unpack(folder: Folder, data: bytes, force: bool) -> int:
    """Write the files back; Refused if they are another game's, or one is there and `force` is not set."""
    from pbem.archive import Changes
    from pbem.text.diagnostics import Diagnostic, Refused

    known, game, files, _ = _read(data)
    if not known or any(".." in Path(name).parts for name in files):
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
