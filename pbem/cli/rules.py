"""`pbem rules`: the rules systems that are installed."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "list": "cli.rules.installed-rules-systems-scenarios",
        "show": "cli.rules.options-decisions-tables-system",
        "lint": "cli.rules.check-code-system-would-make",
    },
    "": {"schemas": "write the JSON Schemas of the installed systems' decisions (for developers)"},
}


@click.group(cls=LazyGroup, help="cli.rules.help", table=COMMANDS, prefix="pbem.cli.rules_")
def command() -> None:
    """Hold the commands of the group."""
