"""`pbem amend proxy`: the GM holds a player's keys by agreement, or no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import propose
from pbem.cli._options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.option("--end", is_flag=True, help="You hold your own keys again.")
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, end: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    """Say that the GM holds your keys from now on and writes down the orders you mail him; you alone sign it.

    From then on your word is the GM's, and every report says so. To have your keys to yourself again, new
    ones are needed: `pbem join ARCHIVE --as SIDE` and `pbem amend takeover`; --end only takes the mark away.

    \b
    Example:  pbem amend proxy
    """
    party, gm = folder.need_me("player"), folder.need_roster().terms.arbiter
    op = {"op": "key", "party": party, "proxy": None if end else gm}
    propose(folder, [op], key_file, yes=yes, aware=False)
