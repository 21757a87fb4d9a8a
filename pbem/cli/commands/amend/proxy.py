"""`pbem amend proxy`: the GM holds a player's keys by agreement, or no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-proxy.help")
@click.option("--end", is_flag=True, help="cli.amend-proxy.option-end")
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, end: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    party, gm = folder.need_me("player"), folder.need_roster().terms.arbiter
    op = {"op": "key", "party": party, "proxy": None if end else gm}
    propose(folder, [op], key_file, yes=yes, aware=False)
