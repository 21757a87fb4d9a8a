"""`pbem letters`: the conversations, unread ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, paged, print_json, ready, strong
from pbem.cli.shell.language import Command, spoken
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.letters.help")
@click.option("--with", "who", metavar="PLAYER", help="cli.letters.option-with")
@click.option("--all", "everything", is_flag=True, help="cli.letters.option-all")
@json_option
@in_folder
def command(folder: Folder, who: str | None, everything: bool, as_json: bool) -> None:
    show(folder, who, everything=everything, as_json=as_json)


def show(folder: Folder, who: str | None = None, *, everything: bool = False, as_json: bool = False) -> None:
    """Print the conversations, those with unread letters in full, and note that they were read."""
    from pbem.archive import letters_kept
    from pbem.cli.games import press
    from pbem.cli.games.press import news

    listed = press.conversations(folder)
    doubts, wanted = press.odd(folder, listed), set[str]()
    if who is not None:
        wanted = {party.strip().lower() for party in who.split(",") if party.strip()}
        listed = [conversation for conversation in listed if wanted <= set(conversation.who)]
    if as_json:
        print_json(press.data(folder, listed, doubts))
        return
    if not listed:
        note(Message("cli.letters.none-yet", who=tuple(sorted(wanted))))
        return
    shown: list[str] = []
    with paged():
        for conversation in listed:
            ready(strong(conversation.title))
            in_full = everything or who is not None
            letters = [letter for letter in conversation.letters if in_full or not letter.read]
            for letter in letters:
                for line in press.told(letter, doubts.get(letter.statement.sid, ()), folder.me):
                    ready(safe(line, 20000))
                shown.append(letter.statement.sid)
            if len(letters) < len(conversation.letters):
                ready(
                    "  "
                    + spoken(
                        Message("cli.letters.read-before", count=len(conversation.letters) - len(letters))
                    )
                )
    for line in news(folder):
        if not shown:
            note(line)
    if folder.me is not None and shown:
        with folder.working():
            folder.commit(letters_kept.mark_read(folder, shown))
