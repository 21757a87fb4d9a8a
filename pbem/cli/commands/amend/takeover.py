"""`pbem amend takeover`: another player takes a seat, or its player lost the keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import aware_option, propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-takeover.help")
@click.argument("entry", type=click.Path(exists=True, dir_okay=False))
@click.option("--mail", metavar="ADDRESS", help="cli.amend-takeover.option-mail")
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder,
    entry: str,
    mail: str | None,
    aware: bool,
    yes: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pathlib import Path

    from pbem.archive import seat_addresses, wishes
    from pbem.mail.read import read_path

    reading = read_path(Path(entry))
    op = wishes.takeover_op(folder, reading.signed)
    more = seat_addresses.of_newcomer(folder, op, mail or next(iter(reading.senders.values()), None))
    keep = partial(seat_addresses.add_addresses, folder, more)
    propose(folder, [op], key_file, yes=yes, aware=aware, before=keep)
