"""`pbem key`: the OpenSSH key that signs, and the backup of a game's private side."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "new": "make a new OpenSSH Ed25519 key",
        "show": "public key and fingerprint",
        "backup": "an encrypted copy of a game's private side",
        "restore": "put a private side back",
    }
}


@click.group(cls=LazyGroup, table=COMMANDS, prefix="pbem.cli.key_")
def command() -> None:
    """The key you sign with, and the backup of what a game keeps secret.

    Where --key names none, a game begins with the key that `pbem key new` made, else with
    ~/.ssh/id_ed25519, else with one that the ssh-agent holds; so often nothing has to be made.

    \b
    Example:  pbem key show
    """
