"""`pbem remind`: emails to those the game waits for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.club.options import in_folder_or_all
from pbem.cli.shell.console import made, note, to_send, wants_json
from pbem.cli.shell.failures import DONE, REFUSED
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.remind.help")
@click.argument("parties", metavar="[PARTY...]", nargs=-1)
@json_option
@in_folder_or_all
@click.pass_context
def command(
    ctx: click.Context,
    folder: Folder | None,
    roots: Sequence[Path],
    parties: tuple[str, ...],
    as_json: bool,
) -> None:
    from pbem.archive import remind
    from pbem.cli.games.clock import due_words

    if folder is None:
        if parties:
            raise click.UsageError(Message("cli.club.name-the-game-with-c"))
        ctx.exit(_all(roots))
    folder.need_acting()
    files = to_send(remind(folder, parties, by=due_words(folder)))
    made({"files": files}, files)
    note(Message("cli.remind.each-goes-to-one-party"))


def _all(roots: Sequence[Path]) -> int:
    """Remind in all games of which this is the GM's computer; give the exit code."""
    from pbem.cli.club.listing import remind_all
    from pbem.cli.club.receiving import broken_data, tell_broken

    done = remind_all(roots)
    files = [file for listed in done.written.values() for file in listed]
    made({"files": files, "broken": broken_data(done.broken, {})["broken"]}, files)
    if not wants_json():
        tell_broken(done.broken, {})
    note(Message("cli.remind.each-goes-to-one-party") if files else Message("cli.club.nobody-to-remind"))
    return REFUSED if done.broken else DONE
