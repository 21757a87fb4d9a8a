"""`pbem amend module`: play on with the rules as they are installed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import aware_option, propose
from pbem.cli.shell.console import note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-module.help")
@click.option("--restart", is_flag=True, help="cli.amend-module.option-restart")
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, restart: bool, aware: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    from pbem.archive import new_rules

    ops = new_rules.module_ops(folder, restart=restart)
    for line in (*new_rules.changes(folder), *new_rules.differences(folder)):
        note(line)
    propose(folder, ops, key_file, yes=yes, aware=aware)
