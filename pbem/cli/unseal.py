"""`pbem unseal`: the end of the game opens everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import confirmed, made, note, to_send
from pbem.cli._keys import folder_key
from pbem.cli._options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.option("--early", is_flag=True, help="The game is not over, but all have agreed to end it here.")
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, early: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    """Publish the GM's secret and everything that was sealed, so that `verify` proves the hidden part too.

    It cannot be taken back, and no stage follows. A player opens what he committed to and nobody called for.

    \b
    Example:  pbem unseal
    """
    from pbem.archive import unseal

    folder.need_me("gm", "player")
    signer = folder_key(folder, key_file)
    confirmed(
        Message("cli.unseal.open-everything-everybody-good"),
        yes,
        Message("cli.unseal.unseal-needs-terminal-ask-yes"),
    )
    files = to_send(unseal(folder, signer, early=early))
    made({"files": files}, files)
    note(Message("cli.unseal.mail-everybody-pbem-verify-now"))
