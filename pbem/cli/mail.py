"""`pbem mail`: the commands that hand mail over and fetch it."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "in": "fetch mail from a server or a mailbox, take in what is in it, write receipts",
        "out": "hand over the letters that wait in outbox/",
        "list": "every letter, and whether it is sent",
        "link": "a link that writes a letter in your mail program",
    }
}


@click.group(cls=LazyGroup, table=COMMANDS, prefix="pbem.cli.mail_")
def command() -> None:
    """Hand over and fetch mail. How is said in private/mail.yaml of a game, or mail.yaml of the user.

    \b
    Example:  pbem mail in && pbem adjudicate && pbem mail out
    """
