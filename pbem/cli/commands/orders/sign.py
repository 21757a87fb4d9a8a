"""`pbem orders sign`: check, show what was understood, sign, write the email."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.post.seats import in_seat
from pbem.cli.shell.console import made, to_send, wants_json
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, key_option
from pbem.cli.writing.orders import checked_file, file_argument, named_or_usual, show_faults, show_understood

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder
    from pbem.trust.keys import Signer


@click.command(cls=Command, help="cli.orders-sign.help")
@file_argument
@key_option
@json_option
@in_seat
@click.pass_context
def command(
    ctx: click.Context, folder: Folder, file: str | None, key_file: str | None, as_json: bool
) -> None:
    checked = checked_file(folder, named_or_usual(folder, file))
    ctx.exit(sign_and_tell(folder, checked, key_file))


def sign_and_tell(folder: Folder, checked: Checked, key_file: str | None) -> int:
    """Print what was understood, sign it and name the files, or print errors; return the exit code."""
    if not (checked.ok and wants_json()):
        show_faults(checked)
    if not checked.ok:
        return 1
    if not wants_json():
        show_understood(checked)
    sign_now(folder, checked, folder_key(folder, key_file))
    return 0


def sign_now(folder: Folder, checked: Checked, signer: Signer) -> None:
    """Sign orders that were shown, name the files to send, and say or do the mailing."""
    from pbem.archive import letter_writing, sign_orders
    from pbem.cli.games.clock import now
    from pbem.cli.games.practice import keep, practice_of
    from pbem.cli.post.mailing import mailed
    from pbem.text import render

    keep(folder)
    signed = sign_orders(folder, checked, signer)
    files = to_send([*signed, *letter_writing.write_waiting(folder, signer, now().date().isoformat())])
    named = files if practice_of(folder) is None else []  # a practice game emails nothing
    faults = [render.as_plain(fault) for fault in checked.diagnostics]
    made({"understood": list(checked.understood), "diagnostics": faults, "files": files}, named)
    mailed(folder)
