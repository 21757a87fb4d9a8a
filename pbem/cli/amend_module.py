"""`pbem amend module`: play on with the rules as they are installed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import aware_option, propose
from pbem.cli._console import note
from pbem.cli._options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.option("--restart", is_flag=True, help="Begin the current stage again, with fresh dice.")
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, restart: bool, aware: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    """Propose to play on with the installed revision of the rules; everyone signs.

    You read what changed. Where this folder can, it plays the game so far again and tells what would have
    come out otherwise. The current stage keeps its orders and its dice. If an answer in it is not allowed
    by the new rules, you are told, and --restart begins the stage again.

    \b
    Example:  pbem amend module
    """
    from pbem.archive import new_rules

    ops = new_rules.module_ops(folder, restart=restart)
    for line in (*new_rules.changes(folder), *new_rules.differences(folder)):
        note(line)
    propose(folder, ops, key_file, yes=yes, aware=aware)
