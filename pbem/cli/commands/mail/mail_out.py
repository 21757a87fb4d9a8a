"""`pbem mail out`: hand over the letters that wait."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.club.options import in_folder_or_all
from pbem.cli.post.mail import settings_option
from pbem.cli.shell.console import made, print_json
from pbem.cli.shell.failures import DONE, REFUSED
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, wait_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, Waiting
    from pbem.cli.post.handing import Handed
    from pbem.mail.settings import Out


@click.command(cls=Command, help="cli.mail-out.help")
@click.argument("names", metavar="[LETTER...]", nargs=-1)
@click.option("--again", is_flag=True, help="cli.mail-out.option-again")
@click.option("--sent", is_flag=True, help="cli.mail-out.option-sent")
@click.option("--to", metavar="ADDRESS", multiple=True, help="cli.mail-out.option-to")
@click.option("--dry-run", is_flag=True, help="cli.mail-out.option-dry-run")
@click.option("--try", "only_try", is_flag=True, help="cli.mail-out.option-try")
@settings_option
@wait_option
@json_option
@in_folder_or_all
@click.pass_context
def command(
    ctx: click.Context,
    folder: Folder | None,
    roots: Sequence[Path],
    names: tuple[str, ...],
    again: bool,
    sent: bool,
    to: tuple[str, ...],
    dry_run: bool,
    only_try: bool,
    settings_file: str | None,
    as_json: bool,
) -> None:
    from pbem.archive import one_command, undelivered, waiting_letters
    from pbem.cli.post.handing import hand_over, show
    from pbem.cli.post.letters import begin, nobodys, rest, settle, would
    from pbem.cli.post.letters import chosen as choose

    if folder is None:
        if names or again or sent or to or only_try:
            raise click.UsageError(Message("cli.club.name-the-game-with-c"))
        from pbem.cli.club.sending import send_all, tell

        done = send_all(roots, settings_file, dry_run=dry_run)
        tell(done, as_json)
        ctx.exit(DONE if done.good else REFUSED)
    if only_try:
        _try(folder, settings_file)
        return
    if (again or sent or to) and not names:
        raise click.UsageError(Message("cli.mail-out.name-letters-for-these-options"))
    with one_command.hold(folder.root, one_command.MAIL, wait=folder.wait):
        with folder.working():
            ledger = waiting_letters.book(folder)
            letters = waiting_letters.letters(folder, ledger)
        chosen = choose(folder, letters, names, again=again, to=to, sent=sent)
        if sent:
            settle(ledger, chosen)
            return
        if dry_run:
            would(chosen, to, as_json)
            return
        handed: list[Handed] = []
        if chosen:
            out = _way(folder, settings_file)
            begin(ledger, letters, chosen if again else ())
            handed = hand_over(folder, ledger, out, chosen, to)
        lost = nobodys(letters, ledger)
        missed = undelivered(folder, waiting_letters.letters(folder, ledger))
    left = [letter for letter in letters if letter.state == "unsure" and letter not in chosen]
    if as_json:
        print_json(_data(handed, left))
    else:
        show(handed)
        rest(letters, handed, left, lost, missed)
    ctx.exit(0 if all(letter.good for letter in handed) and not left else 1)


def _try(folder: Folder, settings_file: str | None) -> None:
    from pbem.cli.post.mail_trial import try_out

    tried = try_out(_way(folder, settings_file), folder.root)
    made({"tried": tried}, [tried])


def _way(folder: Folder, settings_file: str | None) -> Out:
    from pbem.cli.post.mail import no_settings, settings

    way = settings(folder, settings_file).out
    if way is None:
        raise no_settings(folder, "out")
    return way


def _data(handed: Sequence[Handed], left: Sequence[Waiting]) -> dict[str, object]:
    return {"letters": [letter.data() for letter in handed], "unsure": [letter.name for letter in left]}
