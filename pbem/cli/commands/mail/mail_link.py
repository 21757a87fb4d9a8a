"""`pbem mail link`: a link that writes a letter in a mail program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.mail-link.help")
@click.argument("name", metavar="LETTER")
@json_option
@in_folder
def command(folder: Folder, name: str, as_json: bool) -> None:
    from pbem.archive import waiting_letters
    from pbem.mail.envelope import MAX_LINK, mail_link
    from pbem.mail.read import read as signed_in
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.trust import armour

    letters, _ = waiting_letters.named(
        waiting_letters.letters(folder, waiting_letters.book(folder)), [name], folder.root
    )
    if not letters:
        help_ = (Message("cli.letters.mail-list-shows-all"),)
        raise Refused(Diagnostic("no-letter", Message("cli.letters.no-letter", unknown=name), help=help_))
    data = waiting_letters.read(folder, letters[0].name)
    signed = signed_in(data).signed
    armour_text = _text(folder, letters[0].name)
    short = "\n".join(armour.armour(part) for part in signed)
    link = mail_link(data, armour_text or short, armour_only=short) if signed else ""
    if not link:
        message = Message("cli.mail-link.does-not-fit", found=letters[0].name, limit=MAX_LINK)
        raise Refused(Diagnostic("no-link", message, help=(Message("cli.mail-link.attach-or-open-instead"),)))
    if as_json:
        print_json({"letter": letters[0].name, "link": link})
    else:
        result(link)


def _text(folder: Folder, name: str) -> str:
    """Return the `.pbem.txt` beside the letter."""
    path = (folder.root / name).with_suffix(".pbem.txt")
    return path.read_text("utf-8") if path.is_file() and not path.is_symlink() else ""
