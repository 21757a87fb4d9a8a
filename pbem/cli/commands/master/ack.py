"""`pbem ack`: the GM signs a list of the orders received."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.post.mailing import whom_to_mail
from pbem.cli.shell.console import made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.ack.help")
@key_option
@json_option
@in_folder
def command(folder: Folder, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import acknowledge, sending_on

    folder.need_acting()
    if sending_on.waiting(folder) and not sending_on.unacknowledged(folder):
        written = sending_on.send_on(folder)
    else:
        written = [*acknowledge(folder, folder_key(folder, key_file)), *sending_on.send_on(folder)]
    files = to_send(written)
    made({"files": files}, files)
    note(whom_to_mail(folder))
