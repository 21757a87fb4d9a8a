"""`pbem postmaster`: look after all games by itself."""

from __future__ import annotations

import click

from pbem.cli.shell.console import note, print_json, ready
from pbem.cli.shell.failures import DONE, REFUSED
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import directory_option, inside_option, json_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.postmaster.help")
@inside_option
@click.option("--once", is_flag=True, help="cli.postmaster.option-once")
@click.option(
    "--every", type=click.IntRange(1, 86_400), metavar="SECONDS", help="cli.postmaster.option-every"
)
@click.option("--state", is_flag=True, help="cli.postmaster.option-state")
@json_option
@directory_option
@click.pass_context
def command(
    ctx: click.Context, inside: str | None, once: bool, every: int | None, state: bool, as_json: bool
) -> None:
    from dataclasses import replace

    from pbem.cli.club import settings
    from pbem.cli.club.games import all_games, no_games
    from pbem.cli.club.postmaster import Postmaster, place_of
    from pbem.cli.shell.keys import ask_for_all

    if state:
        _show(inside, as_json)
        return
    if not all_games(inside):
        raise no_games(inside)
    wanted = settings.read(settings.file())
    wanted = replace(wanted, every=every) if every is not None else wanted
    ask_for_all(all_games(inside))
    with Postmaster(lambda: all_games(inside), inside, wanted) as postmaster:
        note(Message("cli.postmaster.page-is-in", page=place_of(inside) / "state.txt"))
        while True:
            good = postmaster.round()
            if once:
                if as_json:
                    print_json(postmaster.data())
                else:
                    ready("\n".join(postmaster.page()))
                ctx.exit(DONE if good else REFUSED)
            postmaster.wait()


def _show(inside: str | None, as_json: bool) -> None:
    """Print the state page."""
    from pbem.cli.club.journal import Journal
    from pbem.cli.club.postmaster import place_of

    journal = Journal(place_of(inside))
    if as_json:
        print_json(journal.state())
        return
    try:
        ready(journal.page.read_text("utf-8").rstrip("\n"))
    except OSError:
        note(Message("cli.postmaster.no-state-yet"))
