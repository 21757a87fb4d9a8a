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

    found = read_folder(Path(directory))
    if as_json:
        print_json([render.as_plain(one) for one in found.faults])
    elif found.faults:
        result(render.full(found.faults, found.sources))
    for line in found.mended:
        note(line)
    warnings = len(found.faults) - len(found.errors)
    if found.errors:
        note(Message("cli.scenario-check.faults", count=len(found.errors), warnings=warnings))
        ctx.exit(1)
    assert found.system is not None and found.whole is not None
    size = len(found.whole.bytes)
    note(Message("cli.scenario-check.sound", id=found.whole.id, size=size, warnings=warnings))
    for line in holds(found.system, found.whole):
        note(line)
