"""`pbem deputy`: the GM hands the secrets over, and a deputy who is ready acts on a charge."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "handover": "cli.commands.deputy-handover",
        "ready": "cli.commands.deputy-ready",
        "charge": "cli.commands.deputy-charge",
        "takeover": "cli.commands.deputy-takeover",
        "return": "cli.commands.deputy-return",
    }
}


@click.group(cls=LazyGroup, help="cli.deputy.help", table=COMMANDS, prefix="pbem.cli.commands.deputy.deputy_")
def command() -> None:
    """Hold the commands of the group."""
