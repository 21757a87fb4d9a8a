"""`pbem amend power`: a power comes under another seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import told
from pbem.cli._console import confirmed, note
from pbem.cli._keys import folder_key
from pbem.cli._options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.argument("power")
@click.argument("seat")
@click.option("--reason", metavar="TEXT", help="Why; everybody reads it, for ever.")
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, power: str, seat: str, reason: str | None, yes: bool, key_file: str | None, as_json: bool
) -> None:
    """Hand a power over to another seat, from the end of the open stage on: whatever is asked about it is
    asked of that player then, also what is open now.

    It is a ruling of the game master, marked as his word for ever; between two, both sign it.

    \b
    Example:  pbem amend power italy allies --reason "agreed by mail on Sunday"
    """
    from pbem.archive import proposing, wishes
    from pbem.stages.amendment_words import change_words

    change = wishes.power_change(folder, power, seat)
    why = reason or Message("cli.amend-power.handed-over", power=power, seat=seat)
    proposing.ruling_op(folder, [change], why)
    note(change_words(change), before="- ")
    confirmed(Message("cli.amend.sign"), yes, Message("cli.amend.amendment-needs-terminal-ask-yes"))
    told(proposing.rule(folder, [change], why, folder_key(folder, key_file)))
