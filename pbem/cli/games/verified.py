"""The owner's folder for `pbem verify`: the key to the owner's views, and the note for --since."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Private, Verification, Verified


def noted(root: Path, since: str) -> Verified:
    """Return the note of an earlier verify; a usage error if it is of another stage than the named one."""
    from pbem.archive import Private, results_note

    verified = results_note.read(Private(root))
    if since not in ("last", str(verified.stage)):
        raise click.UsageError(Message("cli.verified.last-verify-was-at", stage=verified.stage))
    return verified


def keep_note(root: Path, verified: Verification) -> None:
    """Leave the note, if all was played again and this is somebody's own folder that can be written."""
    from pbem.archive import changes, layout, one_command, private_side
    from pbem.text.diagnostics import PbemError

    if verified.note is None or not verified.ok:
        return
    try:
        if layout.read(root, private_side.ME, layout.PLAYER_LIMIT) is None:
            return
        with one_command.hold(root):
            changes.commit(root, verified.note.changes())
    except (PbemError, OSError):
        return  # a convenience only: a reader may lack the right to write


def begun(root: Path) -> bool:
    """Return True if the game of this folder has begun; before, there is nothing to verify."""
    from pbem.archive import Folder

    return Folder.open(root).stage >= 0 or (root / "stages").exists()


def own_side(root: Path) -> Private | None:
    """Return the private side of a player's or the GM's own folder, if readable without asking.

    The folder may be a stranger's, so its files are read like those of one.
    """
    from pbem.archive import Private, layout, private_side
    from pbem.text.diagnostics import PbemError

    private = Private(root, None)
    try:
        here = [layout.read(root, name, layout.PLAYER_LIMIT) for name in (private_side.ME, private_side.SEAL)]
        mine = None not in here and private.me is not None and private.me.role in ("player", "gm")
        return private if mine and private.seal_key else None
    except PbemError as fault:
        note(Message("cli.verified.own-views-not-looked-at", fault=safe(fault, 400)))
        return None
