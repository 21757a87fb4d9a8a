"""`pbem amend`: change a running game, with the signatures that each change needs."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "list": "cli.commands.amend-list",
        "sign": "cli.commands.amend-sign",
        "key": "cli.commands.amend-key",
        "chain": "cli.commands.amend-chain",
        "takeover": "cli.commands.amend-takeover",
        "drop": "cli.commands.amend-drop",
        "deputy": "cli.commands.amend-deputy",
        "power": "cli.commands.amend-power",
        "option": "cli.commands.amend-option",
        "module": "cli.commands.amend-module",
        "proxy": "cli.commands.amend-proxy",
    }
}


@click.group(cls=LazyGroup, help="cli.amend.help", table=COMMANDS, prefix="pbem.cli.commands.amend.")
def command() -> None:
    """Hold the commands of the group."""
