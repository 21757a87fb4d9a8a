"""`pbem claim`: between two players, sign that the other has stopped playing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.claim.help")
@click.argument("text", default="")
@key_option
@json_option
@in_folder
def command(folder: Folder, text: str, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import comparing

    files = to_send(comparing.claim(folder, folder_key(folder, key_file), text))
    made({"files": files}, files)
    note(Message("cli.claim.mail-it-and-keep-the-folder"))
