"""`pbem scenario`: scenarios of your own, as folders of plain files."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "cli.commands.scenario-commands": {
        "new": "cli.commands.scenario-new",
        "check": "cli.commands.scenario-check",
        "edit": "cli.commands.scenario-edit",
        "draw": "cli.commands.scenario-draw",
        "diff": "cli.commands.scenario-diff",
        "try": "cli.commands.scenario-try",
        "import": "cli.commands.scenario-import",
    },
}


@click.group(
    cls=LazyGroup, help="cli.scenario.help", table=COMMANDS, prefix="pbem.cli.commands.scenario.scenario_"
)
def command() -> None:
    """Hold the commands of the group."""
