"""`pbem orders sign`: check, show what was understood, sign, write the mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import made, note, to_send, wants_json
from pbem.cli._keys import folder_key
from pbem.cli._options import in_folder, json_option, key_option
from pbem.cli._orders import checked_file, file_argument, show_faults, show_understood

if TYPE_CHECKING:
    from pbem.archive.folder.game_folder import Folder
    from pbem.archive.ordering.order_file import Checked


@click.command()
@file_argument
@key_option
@json_option
@in_folder
@click.pass_context
def command(ctx: click.Context, folder: Folder, file: str, key_file: str | None, as_json: bool) -> None:
    """Sign an order file: secret answers are committed and sealed, the mail is written to outbox/.

    It may be changed and signed again until the game master's report is out: each time a revision more.

    \b
    Example:  pbem orders sign private/orders-0012.yaml
    """
    checked = checked_file(folder, file)
    ctx.exit(sign_and_tell(folder, checked, key_file))


def sign_and_tell(folder: Folder, checked: Checked, key_file: str | None) -> int:
    """Say what was understood, sign it and name the files to send; or say what is wrong. The exit code."""
    from pbem.archive.ordering.signing import sign
    from pbem.text import render

    if not (checked.ok and wants_json()):
        show_faults(checked)
    if not checked.ok:
        return 1
    if not wants_json():
        show_understood(checked)
    files = to_send(sign(folder, checked, folder_key(folder, key_file)))
    faults = [render.as_plain(one) for one in checked.diagnostics]
    made({"understood": list(checked.understood), "diagnostics": faults, "files": files}, files)
    note("mail it to everybody (the .eml is ready to send)")
    return 0
