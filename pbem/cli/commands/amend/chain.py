"""`pbem amend chain`: a new chain for the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import aware_option, propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-chain.help")
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, aware: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import fresh_chain

    propose(folder, [fresh_chain(folder)], key_file, yes=yes, aware=aware)
