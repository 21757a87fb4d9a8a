"""`pbem rewind`: play on from the end of an earlier stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import aware_option, propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import STAGE, in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.rewind.help")
@click.argument("stage", type=STAGE)
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, stage: int, aware: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    propose(folder, [{"op": "rewind", "to": stage}], key_file, yes=yes, aware=aware)
