"""`pbem status`: where the game stands, who owes what, and the command that does my part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.club.options import in_folder_or_all
from pbem.cli.games.standing import stand
from pbem.cli.games.standing_printed import data_of, tell
from pbem.cli.shell.console import print_json
from pbem.cli.shell.failures import AWAITED, DONE, REFUSED
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.status.help")
@click.option("--exit-code", is_flag=True, help="cli.status.option-exit-code")
@json_option
@in_folder_or_all
@click.pass_context
def command(
    ctx: click.Context, folder: Folder | None, roots: Sequence[Path], exit_code: bool, as_json: bool
) -> None:
    if folder is None:
        ctx.exit(_all(roots, exit_code, as_json))
    standing = stand(folder)
    if as_json:
        print_json(data_of(standing))
    else:
        tell(standing)
    ctx.exit(AWAITED if exit_code and standing.awaited else DONE)


def _all(roots: Sequence[Path], exit_code: bool, as_json: bool) -> int:
    """Tell the state of all games, the soonest due first; give the exit code."""
    from pbem.cli.club import listing

    games = listing.look(roots)
    if as_json:
        print_json(listing.data(games))
    else:
        listing.tell(games)
    if games.broken:
        return REFUSED
    return AWAITED if exit_code and any(entry.awaited for entry in games.entries) else DONE
