"""`pbem key`: the OpenSSH key that signs, and the backup of a game's private side."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "new": "cli.commands.key-new",
        "show": "cli.commands.key-show",
        "backup": "cli.commands.key-backup",
        "restore": "cli.commands.key-restore",
    }
}


@click.group(cls=LazyGroup, help="cli.key.help", table=COMMANDS, prefix="pbem.cli.commands.key.")
def command() -> None:
    """Hold the commands of the group."""
