"""`pbem orders sign`: check, show what was understood, sign, write the mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import note, result
from pbem.cli._keys import folder_key
from pbem.cli._options import in_folder, key_option
from pbem.cli._orders import checked_file, file_argument, show_faults, show_understood

if TYPE_CHECKING:
    from pbem.archive.folder import Folder


@click.command()
@file_argument
@key_option
@in_folder
@click.pass_context
def command(ctx: click.Context, folder: Folder, file: str, key_file: str | None) -> None:
    """Sign an order file: secret answers are committed and sealed, the mail is written to outbox/.

    It may be changed and signed again until the game master's report is out: each time a revision more.

    \b
    Example:  pbem orders sign private/orders-0012.yaml
    """
    checked = checked_file(folder, file)
    show_faults(checked)
    if not checked.ok:
        ctx.exit(1)
    show_understood(checked)
    sign_and_tell(folder, checked, key_file)


def sign_and_tell(folder: Folder, checked: object, key_file: str | None) -> None:
    """Sign what was checked and name the files to send."""
    from pbem.archive.orders import Checked
    from pbem.archive.signing import sign

    assert isinstance(checked, Checked)
    for path in sign(folder, checked, folder_key(folder, key_file)):
        if path.parent.name == "outbox":
            result(str(path))
    note("mail it to everybody (the .eml is ready to send)")
