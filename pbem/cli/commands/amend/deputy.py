"""`pbem amend deputy`: name a deputy for the GM, or end one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.text.canonical import Json


@click.command(cls=Command, help="cli.amend-deputy.help")
@click.argument("entry", metavar="[FILE]", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--end", is_flag=True, help="cli.amend-deputy.option-end")
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, entry: str | None, end: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    from pathlib import Path

    from pbem.archive import handing_over, wishes
    from pbem.mail.read import read_path

    if end == (entry is not None):
        raise click.UsageError(Message("cli.amend-deputy.name-a-file-or-end"))
    op: dict[str, Json]
    if entry is None:
        op = {"op": "deputy", "party": handing_over.need_deputy(folder).id}
    else:
        op = wishes.deputy_op(folder, read_path(Path(entry)).signed)
    propose(folder, [op], key_file, yes=yes, aware=False)
