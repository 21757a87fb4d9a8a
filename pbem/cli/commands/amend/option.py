"""`pbem amend option`: another value for an option of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import aware_option, propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-option.help")
@click.argument("setting", metavar="NAME=VALUE")
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, setting: str, aware: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    from pbem.archive import wishes

    propose(folder, [wishes.option_op(folder, setting)], key_file, yes=yes, aware=aware)
