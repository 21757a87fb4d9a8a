"""`pbem orders`: the commands around a player's order file."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "new": "an order file for what you owe, with everything you may answer beside it",
        "legal": "what is allowed now, as lines to paste",
        "facts": "what conditions of orders may test of the position",
        "ahead": "what you will be asked next after the answers in a file, to be answered ahead",
        "check": "everything wrong in a file at once, then what was understood",
        "withdraw": "take back answers that were sent ahead",
        "again": "sign the same once more, after a correction of the report",
        "sign": "check, sign, and write the mail that is ready to send",
    }
}


@click.group(cls=LazyGroup, table=COMMANDS, prefix="pbem.cli.orders_")
def command() -> None:
    """Write, check and sign orders.

    \b
    Example:  pbem orders new
              pbem orders check private/orders-0012.yaml
              pbem orders sign private/orders-0012.yaml
    """
