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
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, aware: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    """Propose to play on with the installed revision of the rules; signed by all.

    First the game so far is played again with it, where this folder can, and you are told what would have
    come out otherwise. The stage that is open begins anew, so that no stage is run by two revisions.

    \b
    Example:  pbem amend module
    """
    from pbem.archive import wishes

    ops = wishes.module_ops(folder)
    for line in wishes.differences(folder):
        note(line)
    propose(folder, ops, key_file, yes=yes, aware=aware)
