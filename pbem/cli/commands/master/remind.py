"""`pbem remind`: mails to those the game waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made, note, to_send
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.remind.help")
@click.argument("parties", metavar="[PARTY...]", nargs=-1)
@json_option
@in_folder
def command(folder: Folder, parties: tuple[str, ...], as_json: bool) -> None:
    from pbem.archive import remind
    from pbem.cli.games.clock import due_words

    folder.need_me("gm")
    files = to_send(remind(folder, parties, by=due_words(folder)))
    made({"files": files}, files)
    note(Message("cli.remind.each-goes-to-one-party"))
