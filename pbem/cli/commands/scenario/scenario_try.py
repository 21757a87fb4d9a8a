"""`pbem scenario try`: the computer plays a scenario and shows the result."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import note, print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import cluster_option, jobs_option, json_option
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
@jobs_option
@cluster_option
@json_option
def command(directory: str, games: int, jobs: int | None, cluster: str | None, as_json: bool) -> None:
    from pbem.cli.shell.many import do_all
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.workshop.folders import need_folder
    from pbem.workshop.trying import all_of, lines_of, play

    folder = Path(directory)
    _, scenario_read = need_folder(folder)
    tasks = [(folder, (scenario_read.bytes, number)) for number in range(games)]
    played = do_all(
        play,
        tasks,
        jobs,
        cluster,
        lambda done, of: note(Message("cli.scenario-try.played", done=done, games=of)),
    )
    fault = next((game.fault for game in played if game.fault), "")
    if fault:
        raise Refused(Diagnostic("worker-failed", Message("cli.scenario-try.worker-failed", why=fault)))
    tried = all_of([game.value for game in played])
    if as_json:
        print_json(tried.data())
        return
    for line in lines_of(tried):
        result(line)
