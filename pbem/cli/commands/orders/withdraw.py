"""`pbem orders withdraw`: take back answers that were sent ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.commands.orders.sign import sign_and_tell
from pbem.cli.post.seats import in_seat
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.orders-withdraw.help")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--all", "everything", is_flag=True, help="cli.orders-withdraw.option-all")
@key_option
@json_option
@in_seat
@click.pass_context
def command(
    ctx: click.Context,
    folder: Folder,
    names: tuple[str, ...],
    everything: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pbem.archive import answers_ahead, order_file
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.flow import flow

    if not names and not everything:
        raise click.UsageError(Message("cli.orders-withdraw.name-it-or-say-all"))
    folder.need_me("player")
    if everything and not answers_ahead.waiting(answers_ahead.in_force(folder)):
        raise Refused(Diagnostic("nothing-waits", Message("cli.orders-withdraw.nothing-waits")))
    wanted = "all" if everything else flow(list(names))
    game, stage = folder.need_roster().game[: order_file.LABEL], folder.progress.open_stage
    text = f'game: "{game}"\nstage: {stage}\nwithdraw: {wanted}\n'
    checked = order_file.check(folder, order_file.load(folder, text, "withdraw"))
    ctx.exit(sign_and_tell(folder, checked, key_file))
