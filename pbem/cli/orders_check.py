"""`pbem orders check`: everything wrong in an order file at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import print_json, result
from pbem.cli._options import in_folder, json_option
from pbem.cli._orders import checked_file, file_argument, show_faults, show_understood

if TYPE_CHECKING:
    from pbem.archive.folder import Folder


@click.command()
@file_argument
@click.option(
    "--concise", is_flag=True, help="A line per fault, beginning with file:line:column, for editors."
)
@json_option
@in_folder
@click.pass_context
def command(ctx: click.Context, folder: Folder, file: str, concise: bool, as_json: bool) -> None:
    """Check an order file: each fault with its place, the rule and a way out; then what was understood.

    \b
    Example:  pbem orders check private/orders-0012.yaml
    """
    from pbem.text import render

    checked = checked_file(folder, file)
    if as_json:
        faults = [render.as_plain(one) for one in checked.diagnostics]
        print_json({"ok": checked.ok, "diagnostics": faults, "understood": list(checked.understood)})
    elif concise:
        if checked.diagnostics:
            result(render.concise(checked.diagnostics))
    else:
        show_faults(checked)
        if checked.ok:
            show_understood(checked)
    ctx.exit(0 if checked.ok else 1)
