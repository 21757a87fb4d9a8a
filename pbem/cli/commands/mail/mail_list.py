"""`pbem mail list`: every letter, and whether it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import bad, good, note, print_json, ready
from pbem.cli.shell.language import Command, Told, spoken
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import listed, safe
from pbem.text.messages import Message

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
                {"letter": one.name, "state": one.state, "to": list(one.to), "at": one.at, "why": one.why}
                for one in letters
            ]
        )
        return
    for one in letters:
        mark = Told(f"{spoken(one.state):<10}")
        to = safe(listed(one.to), 300) if one.state == "ready" else ""
        words = spoken(Message("cli.mail-list.state-and-receivers", words=safe(one.words, 300), to=to))
        ready(f"{bad(mark) if one.state in _WRONG else good(mark)} {one.name}  {words}")
    if not letters:
        note(Message("cli.mail-list.no-letters"))
