"""`pbem key backup`: an encrypted copy of a game's private side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.keys import new_passphrase
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.key-backup.help")
@click.argument("file", type=click.Path())
@click.option("--whole", is_flag=True, help="cli.key-backup.option-whole")
@json_option
@in_folder
def command(folder: Folder, file: str, whole: bool, as_json: bool) -> None:
    from pbem.cli.games.backup import pack
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all
    from pbem.trust.backup import backup as encrypted

    folder.need_me()
    if Path(file).exists():
        raise Refused(Diagnostic("file-exists", Message("cli.made.file-is-there-already", file=file)))
    words = new_passphrase(Message("cli.key-backup.the-backup"))
    if not words:
        raise click.UsageError(Message("cli.key-backup.wants-a-passphrase"))
    write_all({Path(file): encrypted(pack(folder, whole=whole), words).encode()}, private=[Path(file)])
    made({"file": file, "party": folder.me}, [file])
    note(Message("cli.key-backup.written", me=folder.me, root=folder.root, file=file))
