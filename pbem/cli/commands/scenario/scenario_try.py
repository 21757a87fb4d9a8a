"""`pbem scenario try`: the computer plays a scenario, and says what came of it."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import note, print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.scenario-try.help")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--games",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    help="cli.scenario-try.option-games",
)
@json_option
def command(directory: str, games: int, as_json: bool) -> None:
    from pbem.workshop.folders import need_folder
    from pbem.workshop.trying import lines_of, try_scenario

    system, whole = need_folder(Path(directory))
    tried = try_scenario(
        system,
        whole.id,
        games,
        lambda done: note(Message("cli.scenario-try.played", done=done, games=games)),
    )
    if as_json:
        print_json(tried.data())
        return
    for line in lines_of(tried):
        result(line)
