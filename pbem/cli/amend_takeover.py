"""`pbem amend takeover`: somebody else plays a side, or its player lost his keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import aware_option, propose
from pbem.cli._options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.argument("entry", type=click.Path(exists=True, dir_okay=False))
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, entry: str, aware: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    """Propose that somebody takes over a side with new keys; signed by all others, and by him.

    ENTRY is the mail he wrote with `pbem join ARCHIVE --as SIDE`. The stage is closed, and in the next one
    everybody is asked. Without the old key it is your word that its owner is gone: `verify` says so. Who has
    lost his key comes back to his own side in this way.

    \b
    Example:  pbem amend takeover join-blue.pbem.txt
    """
    from pathlib import Path

    from pbem.archive import wishes
    from pbem.mail.read import read_path

    op = wishes.takeover_op(folder, read_path(Path(entry)).signed)
    propose(folder, [op], key_file, yes=yes, aware=aware)
