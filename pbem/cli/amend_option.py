"""`pbem amend option`: another value for an option of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import aware_option, propose
from pbem.cli._options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.argument("setting", metavar="NAME=VALUE")
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, setting: str, aware: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    """Propose another value for an option of the rules, for deadlines, for dice (swift, locked) or absent
    (stop, skip); signed by all. It holds from the next stage on.

    \b
    Example:  pbem amend option absent=skip
    """
    from pbem.archive import wishes

    propose(folder, [wishes.option_op(folder, setting)], key_file, yes=yes, aware=aware)
