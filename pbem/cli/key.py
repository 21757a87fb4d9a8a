"""`pbem key`: the OpenSSH key that signs, and the backup of a game's private side."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "new": "cli.key.make-new-openssh-ed25519-key",
        "show": "cli.key.public-key-fingerprint",
        "backup": "cli.key.encrypted-copy-game-s-private",
        "restore": "cli.key.put-private-side-back",
    }
}


@click.group(cls=LazyGroup, help="cli.key.help", table=COMMANDS, prefix="pbem.cli.key_")
def command() -> None:
    """Hold the commands of the group."""
