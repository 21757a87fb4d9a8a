"""`pbem orders`: the commands around a player's order file."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "new": "cli.orders.order-file-owe-everything-may",
        "legal": "cli.orders.allowed-now-lines-paste",
        "facts": "cli.orders.conditions-orders-may-test-position",
        "ahead": "cli.orders.will-asked-next-after-answers",
        "check": "cli.orders.everything-wrong-in-file-once",
        "withdraw": "cli.orders.take-back-answers-sent-ahead",
        "again": "cli.orders.sign-same-once-more-after",
        "sign": "cli.orders.check-sign-write-mail-ready",
    }
}


@click.group(cls=LazyGroup, help="cli.orders.help", table=COMMANDS, prefix="pbem.cli.orders_")
def command() -> None:
    """Hold the commands of the group."""
