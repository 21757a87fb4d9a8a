"""`pbem amend power`: a power comes under another seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import told
from pbem.cli.shell.console import confirmed, note
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-power.help")
@click.argument("power")
@click.argument("seat")
@click.option("--reason", metavar="TEXT", help="cli.amend-power.option-reason")
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, power: str, seat: str, reason: str | None, yes: bool, key_file: str | None, as_json: bool
) -> None:
    from pbem.archive import proposing, wishes
    from pbem.stages.amendment_words import change_words

    change = wishes.power_change(folder, power, seat)
    why = reason or Message("cli.amend-power.handed-over", power=power, seat=seat)
    proposing.ruling_op(folder, [change], why)
    note(change_words(change), before="- ")
    confirmed(Message("cli.amend.sign-it"), yes, Message("cli.amend.proposing-wants-a-terminal-or-yes"))
    told(folder, proposing.rule(folder, [change], why, folder_key(folder, key_file)))
