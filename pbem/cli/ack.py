"""`pbem ack`: the GM says what he has in hand."""

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
@key_option
@json_option
@in_folder
def command(folder: Folder, key_file: str | None, as_json: bool) -> None:
    """Sign a list of the orders in hand for the open stage, and of those that cannot be opened.

    A report that later takes an older revision contradicts it, which `verify` says. It costs a mail and
    may be left out.

    \b
    Example:  pbem ack
    """
    from pbem.archive import acknowledge

    folder.need_me("gm")
    files = to_send(acknowledge(folder, folder_key(folder, key_file)))
    made({"files": files}, files)
    note(Message("cli.ack.mail-everybody"))
