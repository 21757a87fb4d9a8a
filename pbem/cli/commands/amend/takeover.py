"""`pbem amend takeover`: somebody else plays a side, or its player lost his keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import aware_option, propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-takeover.help")
@click.argument("entry", type=click.Path(exists=True, dir_okay=False))
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, entry: str, aware: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    from pathlib import Path

    from pbem.archive import wishes
    from pbem.mail.read import read_path

    op = wishes.takeover_op(folder, read_path(Path(entry)).signed)
    propose(folder, [op], key_file, yes=yes, aware=aware)
