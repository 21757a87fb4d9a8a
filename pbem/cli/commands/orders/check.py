"""`pbem orders check`: everything wrong in an order file at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.post.seats import in_seat
from pbem.cli.shell.console import print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, yes_option
from pbem.cli.writing.mending import data, offer
from pbem.cli.writing.orders import checked_file, file_argument, named_or_usual, show_faults, show_understood

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.orders-check.help")
@file_argument
@click.option("--concise", is_flag=True, help="cli.orders-check.option-concise")
@click.option("--fix", is_flag=True, help="cli.orders-check.option-fix")
@yes_option
@json_option
@in_seat
@click.pass_context
def command(
    ctx: click.Context, folder: Folder, file: str | None, concise: bool, fix: bool, yes: bool, as_json: bool
) -> None:
    from pbem.text import render

    file = named_or_usual(folder, file)
    offered = offer(file, yes) if fix else None
    checked = checked_file(folder, file)
    if as_json:
        faults = [render.as_plain(fault) for fault in checked.diagnostics]
        outcome = {"ok": checked.ok, "diagnostics": faults, "understood": list(checked.understood)}
        print_json(outcome | (data(*offered) if offered else {}))
    elif concise:
        if checked.diagnostics:
            result(render.concise(checked.diagnostics))
    else:
        show_faults(checked)
        if checked.ok:
            show_understood(checked)
    ctx.exit(0 if checked.ok else 1)
