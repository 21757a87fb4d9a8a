"""`pbem mail list`: every letter, and whether it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import bad, good, note, print_json, ready
from pbem.cli.shell.language import Command, spoken
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import listed, safe
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder

_WRONG = ("unsure", "partly", "nobody")


@click.command(cls=Command, help="cli.mail-list.help")
@json_option
@in_folder
def command(folder: Folder, as_json: bool) -> None:
    from pbem.archive import waiting_letters

    letters = waiting_letters.letters(folder, waiting_letters.book(folder))
    if as_json:
        print_json(
            [
                {
                    "letter": letter.name,
                    "state": letter.state,
                    "to": list(letter.to),
                    "at": letter.at,
                    "why": letter.why,
                }
                for letter in letters
            ]
        )
        return
    for letter in letters:
        mark = Worded(f"{spoken(letter.state):<10}")
        to = safe(listed(letter.to), 300) if letter.state == "ready" else ""
        words = spoken(Message("cli.mail-list.state-and-receivers", words=safe(letter.words, 300), to=to))
        ready(f"{bad(mark) if letter.state in _WRONG else good(mark)} {letter.name}  {words}")
    if not letters:
        note(Message("cli.mail-list.no-letters"))
