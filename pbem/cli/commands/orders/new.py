"""`pbem orders new`: an order file for exactly the decisions a player owes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.post.seats import in_seat
from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.cli.writing.orders import between, order_file, shown
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.orders-new.help")
@click.option(
    "-o",
    "--output",
    "--out",
    "output",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="cli.orders-new.option-output",
)
@click.option("--force", is_flag=True, help="cli.orders-new.option-force")
@json_option
@in_seat
def command(folder: Folder, output: str | None, force: bool, as_json: bool) -> None:
    from pbem.archive import order_form
    from pbem.cli.shell.language import code, spoken
    from pbem.cli.writing.units import unit_lines
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all

    schema = folder.root / order_form.SCHEMA
    if output == "-":
        text = order_form.template(folder, None, unit_lines(folder), code(), spoken)
        made({"file": None, "schema": None, "text": text}, [text.rstrip("\n")])
        return
    path = Path(output) if output else order_file(folder)
    text = order_form.template(
        folder,
        between(schema, path.absolute().parent).replace(os.sep, "/"),
        unit_lines(folder),
        code(),
        spoken,
    )
    if path.exists() and not force:
        help_ = (Message("cli.orders-new.go-on-or-force", path=path),)
        raise Refused(
            Diagnostic("file-exists", Message("cli.made.file-is-there-already", file=path), help=help_)
        )
    write_all(
        {path: text.encode(), schema: order_form.schema_text(folder, spoken).encode()}, private=[path, schema]
    )
    name = shown(path)
    made({"file": str(path), "schema": str(schema), "text": text}, [name])
    given = "" if output is None else f" {name}"
    note(Message("cli.orders-new.fill-it-in", arguments=given))
