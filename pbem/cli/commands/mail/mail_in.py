"""`pbem mail in`: fetch email and take in what is in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.club.options import in_folder_or_all
from pbem.cli.post.mail import settings_option
from pbem.cli.shell.console import made, note
from pbem.cli.shell.failures import DONE, REFUSED
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, wait_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command("in", cls=Command, help="cli.mail-in.help")
@click.option("--all", "everything", is_flag=True, help="cli.mail-in.option-all")
@click.option("--try", "only_try", is_flag=True, help="cli.mail-in.option-try")
@settings_option
@wait_option
@json_option
@in_folder_or_all
@click.pass_context
def command(
    ctx: click.Context,
    folder: Folder | None,
    roots: Sequence[Path],
    everything: bool,
    only_try: bool,
    settings_file: str | None,
    as_json: bool,
) -> None:
    if folder is None:
        ctx.exit(_all(roots, everything, only_try, settings_file, as_json))
    _fetch_for_game(folder, everything, only_try, settings_file, as_json)


def _fetch_for_game(
    folder: Folder, everything: bool, only_try: bool, settings_file: str | None, as_json: bool
) -> None:
    from pbem.archive import one_command
    from pbem.cli.post.fetching import fetch
    from pbem.cli.post.intake import TakenIn, show
    from pbem.cli.post.mail import no_settings, settings

    where = settings(folder, settings_file).in_
    if where is None:
        raise no_settings(folder, "in")
    if only_try:
        from pbem.cli.post.mail_trial import try_in

        made({"tried": (tried := try_in(where, folder.root))}, [tried])
        return
    before, taken = folder.stage, TakenIn()
    with one_command.hold(folder.root, one_command.MAIL_IN, wait=folder.wait):
        fetch(folder, where, taken, everything=everything)
    show(folder, taken, before, as_json)
    if not taken.receipts:
        note(Message("cli.mail-in.nothing-of-this-game", messages=taken.messages))


def _all(
    roots: Sequence[Path], everything: bool, only_try: bool, settings_file: str | None, as_json: bool
) -> int:
    """Read each mailbox once for all games; give the exit code."""
    from pbem.cli.club.games import Index
    from pbem.cli.club.receiving import Round, mailboxes, receive_all, tell

    index = Index.of(roots)
    if only_try:
        from pbem.cli.post.mail_trial import try_in

        tried = [
            try_in(mailbox.where, mailbox.roots[0]) for mailbox in mailboxes(index, settings_file, Round())
        ]
        made({"tried": tried}, tried)
        return DONE
    done = receive_all(index, settings_file, everything=everything)
    tell(done, as_json)
    return DONE if done.good else REFUSED
