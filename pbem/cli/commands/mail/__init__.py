"""`pbem mail`: the commands that hand email over and fetch it."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "in": "cli.commands.mail-in",
        "out": "cli.commands.mail-out",
        "list": "cli.commands.mail-list",
        "link": "cli.commands.mail-link",
        "address": "cli.commands.mail-address",
    }
}


@click.group(cls=LazyGroup, help="cli.mail.help", table=COMMANDS, prefix="pbem.cli.commands.mail.mail_")
def command() -> None:
    """Hold the commands of the group."""
