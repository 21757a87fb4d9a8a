"""`pbem undo`: take back what was signed and not mailed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import confirmed, made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.games.practice import Practice


@click.command(cls=Command, help="cli.undo.help")
@yes_option
@json_option
@in_folder
def command(folder: Folder, yes: bool, as_json: bool) -> None:
    from pbem.archive import last_signed, take_back
    from pbem.cli.games.practice import practice_of

    practice = practice_of(folder)
    if practice is not None:
        _at_the_table(practice, yes)
        return
    signed = last_signed(folder)
    words = signed.words if signed.statement is None else Message("cli.undo.signed-here", words=signed.words)
    confirmed(
        Message("cli.undo.take-it-back", words=words),
        yes,
        Message("cli.undo.yes-if-not-mailed", words=words),
    )
    gone = take_back(folder, signed)
    made(
        {"undone": signed.words, "removed": [str(path) for path in gone]},
        [Message("cli.undo.taken-back", words=signed.words)],
    )
    note(Message("cli.undo.sign-again"))


def _at_the_table(practice: Practice, yes: bool) -> None:
    """Go back to the owner's last signature in a game against the computer."""
    from pbem.cli.games.practice import can_take_back, take_back
    from pbem.text.diagnostics import Diagnostic, Refused

    if not can_take_back(practice):
        raise Refused(Diagnostic("nothing-to-undo", Message("cli.undo.nothing-to-undo")))
    question = Message("cli.undo.go-back-to-where-you-signed")
    confirmed(question, yes, Message("cli.undo.yes-goes-back"))
    take_back(practice)
    made(
        {"undone": Message("cli.undo.last-answer"), "removed": []},
        [Message("cli.undo.last-answer-taken-back")],
    )
    note(Message("cli.undo.order-file-is-as-it-was"))
