"""`pbem unseal`: the end of the game opens everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import confirmed, made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.unseal.help")
@click.option("--early", is_flag=True, help="cli.unseal.option-early")
@click.option("--received", is_flag=True, help="cli.unseal.option-received")
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, early: bool, received: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    from pbem.archive import need_over, published_letters, unseal
    from pbem.text.diagnostics import Refused

    folder.need_me("gm", "player", "deputy")
    if not early:
        need_over(folder)
    signer = folder_key(folder, key_file)
    confirmed(
        Message("cli.unseal.open-everything"),
        yes,
        Message("cli.unseal.wants-a-terminal-or-yes"),
    )
    published = published_letters.publish(folder, signer, received=received)
    try:
        files = to_send([*published, *unseal(folder, signer, early=early)])
    except Refused:
        if not published:
            raise
        files = to_send(published)
    made({"files": files}, files)
    note(Message("cli.unseal.mail-it-to-everybody"))
