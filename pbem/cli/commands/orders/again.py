"""`pbem orders again`: sign the same orders once more, because the report they answer was corrected."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from pbem.cli.commands.orders.sign import sign_and_tell
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.orders-again.help")
@key_option
@json_option
@in_folder
@click.pass_context
def command(ctx: click.Context, folder: Folder, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import order_file, orders_to_sign_again, written_again
    from pbem.text.diagnostics import Diagnostic, Refused

    order = orders_to_sign_again(folder)
    if order is None:
        message = Message("cli.orders-again.nothing-to-sign")
        raise Refused(Diagnostic("nothing-to-sign", message))
    text = json.dumps(written_again(folder, order), indent=1)
    checked = order_file.check(
        folder, order_file.load(folder, text, Message("cli.orders-again.your-last-orders"))
    )
    ctx.exit(sign_and_tell(folder, checked, key_file))
