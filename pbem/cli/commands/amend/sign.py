"""`pbem amend sign`: sign what somebody else proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import aware_option, co_sign, the_one
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-sign.help")
@click.argument("sid", required=False)
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, sid: str | None, aware: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    co_sign(folder, sid or the_one(folder), key_file, yes=yes, aware=aware)
