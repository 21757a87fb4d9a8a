"""`pbem key backup`: an encrypted copy of a game's private side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli._console import made, note
from pbem.cli._keys import new_passphrase
from pbem.cli._options import in_folder, json_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.argument("file", type=click.Path())
@json_option
@in_folder
def command(folder: Folder, file: str, as_json: bool) -> None:
    """Write an encrypted copy of this game's private side: one file to keep in another place.

    Losing the private side hurts more than losing mail: without it nobody can go on for you.

    \b
    Example:  pbem key backup my-game.pbem-backup
    """
    from pbem.cli._backup import pack
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all
    from pbem.trust.backup import backup as encrypted

    folder.need_me()
    if Path(file).exists():
        raise Refused(Diagnostic("file-exists", f"{file} is there already and stays as it is"))
    words = new_passphrase("the backup")
    if not words:
        raise click.UsageError("a backup needs a passphrase: call it on a terminal, or set PBEM_PASSPHRASE")
    write_all({Path(file): encrypted(pack(folder), words).encode()}, private=[Path(file)])
    made({"file": file, "party": folder.me}, [file])
    note(f"private side of {folder.me} in {folder.root}; bring it back with `pbem key restore {file}`")
