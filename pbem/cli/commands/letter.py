"""`pbem letter`: write to the other players or the GM."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import confirmed, made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.letter.help")
@click.option("--to", "to", metavar="PLAYERS", multiple=True, help="cli.letter.option-to")
@click.option("--public", is_flag=True, help="cli.letter.option-public")
@click.option("--grey", is_flag=True, help="cli.letter.option-grey")
@click.option("--text", "text", metavar="TEXT", help="cli.letter.option-text")
@click.option("--re", "re", metavar="SID", help="cli.letter.option-re")
@click.option("--pass-on", is_flag=True, help="cli.letter.option-pass-on")
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder,
    to: tuple[str, ...],
    public: bool,
    grey: bool,
    text: str | None,
    re: str | None,
    pass_on: bool,
    yes: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    if pass_on:
        passed_on(folder, key_file)
        return
    readers = [reader.strip().lower() for words in to for reader in words.split(",") if reader.strip()]
    if not readers and not public:
        if text is not None or grey or re is not None:
            raise click.UsageError(Message("cli.letter.to-whom"))
        from pbem.cli.commands.letters import show

        show(folder, as_json=as_json)
        return
    if readers and public:
        raise click.UsageError(Message("cli.letter.to-or-public"))
    if grey and re is not None:
        raise click.UsageError(Message("cli.letter.grey-answers-nothing"))
    _write(folder, readers, grey, text, re, yes, key_file)


def _write(
    folder: Folder,
    readers: list[str],
    grey: bool,
    text: str | None,
    re: str | None,
    yes: bool,
    key_file: str | None,
) -> None:
    from pbem.archive import letter_writing, letters_kept
    from pbem.cli.games.clock import now
    from pbem.cli.post.mailing import whom_to_mail
    from pbem.cli.writing.letter_text import answered, typed
    from pbem.stages.letters import MOST_A_DAY

    folder.need_me("gm", "player", "deputy")
    before = answered(folder, re)
    day = now().date().isoformat()
    if letter_writing.written_today(folder, day) >= MOST_A_DAY:
        question = Message("cli.letter.many-today", most=MOST_A_DAY)
        confirmed(question, yes, Message("cli.letter.many-today-wants-yes", most=MOST_A_DAY))
    draft = folder.private.side / Path(letters_kept.DRAFT).relative_to("private")
    letter_text = text if text is not None else typed(draft)
    written = letter_writing.write(
        folder,
        folder_key(folder, key_file),
        letter_text,
        readers or None,
        re=before,
        grey=grey,
        day=day,
    )
    draft.unlink(missing_ok=True)
    files = to_send(written.files)
    made({"files": files, "sid": written.statement.sid}, files)
    for line in written.notes:
        note(line)
    note(Message("cli.letter.mail-it-to-the-gm") if grey else whom_to_mail(folder, readers))


def passed_on(folder: Folder, key_file: str | None) -> list[str]:
    """Pass grey letters on, print what happened, and return the files to send."""
    from pbem.archive import grey_letters

    folder.need_me("gm")
    if not grey_letters.pending(folder):
        note(Message("cli.letter.no-grey-letter-waits"))
        return []
    done = grey_letters.pass_on(folder, folder_key(folder, key_file))
    files = to_send(done.files)
    made({"files": files}, files)
    for line in done.notes:
        note(line)
    note(Message("cli.letter.grey-letters-passed-on", count=done.count))
    return files
