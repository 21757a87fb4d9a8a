"""`pbem next`: the next sensible thing, whatever it is."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.club.options import several
from pbem.cli.games.home import home
from pbem.cli.shell.console import as_part, note, print_json
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import (
    directory_option,
    here,
    inside_option,
    json_option,
    key_option,
    open_folder,
    yes_option,
)
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.next.help")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(exists=True, allow_dash=True))
@click.option("--editor", is_flag=True, help="cli.next.option-editor")
@click.option("--by", metavar="TEXT", help="cli.next.option-by")
@yes_option
@key_option
@json_option
@directory_option
@inside_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    inside: str | None,
    editor: bool,
    by: str | None,
    yes: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pbem.cli.games.home import games
    from pbem.cli.games.next import step
    from pbem.cli.games.next_orders import Wishes, asks
    from pbem.cli.post.coming import unanswered

    if not files and (roots := several(inside)):
        list_all(roots, as_json)
        return
    if not games(here()):
        if asks() and len(unanswered(here())) == 1:
            from pbem.cli.commands import join

            ctx.invoke(join.command, name="", mail="", key_file=key_file)
            return
        home(ctx)
        ctx.exit(1)
    folder = open_folder()
    wishes = Wishes(files, editor=editor, by=by, yes=yes, key_file=key_file)
    with as_part():
        done = step(ctx, folder, wishes)
    if as_json:
        print_json(done.data())
    for path in unanswered(here(), mails=False):
        note(Message("cli.home.invitation-lies-here", path=path))


def list_all(roots: list[Path], as_json: bool, *, news: bool = False) -> None:
    """List all games, the soonest due first, with the command for what is yours."""
    from pbem.cli.club import listing

    games = listing.look(roots, news=news)
    if as_json:
        print_json(listing.data(games))
        return
    from pbem.cli.post.coming import unanswered

    listing.tell(games)
    for path in unanswered(here()):
        note(Message("cli.home.invitation-lies-here", path=path))
