"""`pbem rules`: the rules systems that are installed."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "list": "cli.commands.rules-list",
        "show": "cli.commands.rules-show",
        "lint": "cli.commands.rules-lint",
    },
    "": {"schemas": "write the JSON Schemas of the installed systems' decisions (for developers)"},
}


@click.group(cls=LazyGroup, help="cli.rules.help", table=COMMANDS, prefix="pbem.cli.commands.rules.")
def command() -> None:
    """Hold the commands of the group."""
