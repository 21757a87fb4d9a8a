"""`pbem orders`: the commands around a player's order file."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "new": "cli.commands.orders-new",
        "legal": "cli.commands.orders-legal",
        "facts": "cli.commands.orders-facts",
        "ahead": "cli.commands.orders-ahead",
        "check": "cli.commands.orders-check",
        "withdraw": "cli.commands.orders-withdraw",
        "again": "cli.commands.orders-again",
        "sign": "cli.commands.orders-sign",
    }
}


@click.group(cls=LazyGroup, help="cli.orders.help", table=COMMANDS, prefix="pbem.cli.commands.orders.")
def command() -> None:
    """Hold the commands of the group."""
