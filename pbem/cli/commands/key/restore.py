"""`pbem key restore`: put a private side back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made
from pbem.cli.shell.keys import passphrase
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.key-restore.help")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--force", is_flag=True, help="cli.key-restore.option-force")
@json_option
@in_folder
def command(folder: Folder, file: str, force: bool, as_json: bool) -> None:
    from pbem.cli.games.backup import unpack
    from pbem.trust.backup import restore as decrypted

    text = Path(file).read_bytes()[: 1 << 26].decode("ascii", "replace")
    words = passphrase("the backup")
    if not words:
        raise click.UsageError(Message("cli.key-restore.wants-the-passphrase"))
    count = unpack(folder, decrypted(text, words), force)
    private = str(folder.root / "private")
    made(
        {"files": count, "folder": private},
        [Message("cli.key-restore.files-put-back", count=count, folder=private)],
    )
