"""`pbem key restore`: put a private side back."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import made
from pbem.cli.shell.keys import passphrase
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import directory_option, json_option, open_folder
from pbem.text.messages import Message

_MOST = 25 << 20  # bytes of a backup


@click.command(cls=Command, help="cli.key-restore.help")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--force", is_flag=True, help="cli.key-restore.option-force")
@click.option("--into", metavar="DIR", type=click.Path(path_type=Path), help="cli.key-restore.option-into")
@json_option
@directory_option
def command(file: str, force: bool, into: Path | None, as_json: bool) -> None:
    from pbem.cli.games.backup import moved_in, unpack
    from pbem.cli.games.memory import opened
    from pbem.trust.backup import restore as decrypted

    with Path(file).open("rb") as source:
        text = source.read(_MOST).decode("ascii", "replace")
    words = passphrase("the backup")
    if not words:
        raise click.UsageError(Message("cli.key-restore.wants-the-passphrase"))
    if into is not None:
        moved = moved_in(into.absolute(), decrypted(text, words))
        opened(moved.root)
        help_text = Message("cli.key-restore.game-is-here", folder=into, party=moved.me)
        made({"folder": str(moved.root), "party": moved.me}, [help_text])
        return
    folder = open_folder()
    count = unpack(folder, decrypted(text, words), force)
    private = str(folder.root / "private")
    made(
        {"files": count, "folder": private},
        [Message("cli.key-restore.files-put-back", count=count, folder=private)],
    )
