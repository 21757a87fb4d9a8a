"""`pbem scenario check`: everything that is wrong with a scenario, at once."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import note, print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.scenario-check.help")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@json_option
@click.pass_context
def command(ctx: click.Context, directory: str, as_json: bool) -> None:
    from pbem.text import render
    from pbem.workshop.folders import read_folder
    from pbem.workshop.telling import holds

    folder = read_folder(Path(directory))
    if as_json:
        print_json([render.as_plain(fault) for fault in folder.faults])
    elif folder.faults:
        result(render.full(folder.faults, folder.sources))
    for line in folder.mended:
        note(line)
    warnings = len(folder.faults) - len(folder.errors)
    if folder.errors:
        note(Message("cli.scenario-check.faults", count=len(folder.errors), warnings=warnings))
        ctx.exit(1)
    assert folder.system is not None and folder.whole is not None
    size = len(folder.whole.bytes)
    note(Message("cli.scenario-check.sound", id=folder.whole.id, size=size, warnings=warnings))
    for line in holds(folder.system, folder.whole):
        note(line)
