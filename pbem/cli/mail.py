"""`pbem mail`: the commands that hand mail over and fetch it."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "in": "cli.mail.fetch-mail-from-server-mailbox",
        "out": "cli.mail.hand-over-letters-wait-in",
        "list": "cli.mail.every-letter-whether-sent",
        "link": "cli.mail.link-writes-letter-in-mail",
    }
}


@click.group(cls=LazyGroup, help="cli.mail.help", table=COMMANDS, prefix="pbem.cli.mail_")
def command() -> None:
    """Hold the commands of the group."""
