"""`pbem rules`: the rules systems that are installed."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "list": "the installed rules systems and their scenarios",
        "show": "options, decisions and tables of a system",
        "lint": "check the code of a system for what would make results differ between machines",
    },
    "": {"schemas": "write the JSON Schemas of the installed systems' decisions (for developers)"},
}


@click.group(cls=LazyGroup, table=COMMANDS, prefix="pbem.cli.rules_")
def command() -> None:
    """The rules systems that are installed.

    \b
    Example:  pbem rules list
              pbem rules show victory units
    """
