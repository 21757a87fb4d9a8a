"""`pbem claim`: between two, say for good that the other does not go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import made, note, to_send
from pbem.cli._keys import folder_key
from pbem.cli._options import in_folder, json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.argument("text", default="")
@key_option
@json_option
@in_folder
def command(folder: Folder, text: str, key_file: str | None, as_json: bool) -> None:
    """Sign that the other owes the next mail and does not go on, with what you want to add.

    Nobody judges deadlines between two players: no clock is there that both trust. The claim stays in the
    archive, which is the evidence, and a new game may begin from the last position.

    \b
    Example:  pbem claim "nothing has come since the 3rd of May"
    """
    from pbem.archive import comparing

    files = to_send(comparing.claim(folder, folder_key(folder, key_file), text))
    made({"files": files}, files)
    note(Message("cli.claim.mail-other-keep-folder-can"))
