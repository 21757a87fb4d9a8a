"""`pbem amend list`: what is proposed for the current stage, and who must still sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import data, lines_of
from pbem.cli.shell.console import print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-list.help")
@json_option
@in_folder
def command(folder: Folder, as_json: bool) -> None:
    from pbem.archive import two_reports

    proposed = two_reports.proposed(folder)
    if as_json:
        print_json([data(proposal) for proposal in proposed])
        return
    for proposal in proposed:
        for line in lines_of(folder, proposal):
            result(line)
    if not proposed:
        result(Message("cli.amend-list.nothing-is-proposed", stage=two_reports.to_amend(folder).open_stage))
