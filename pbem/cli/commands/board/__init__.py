"""`pbem board`: the picture of your own board under the maps of a game."""

from __future__ import annotations

import click

from pbem.cli.shell.lazy import LazyGroup

COMMANDS = {
    "cli.commands.board-commands": {
        "use": "cli.commands.board-use",
        "drop": "cli.commands.board-drop",
    },
}


@click.group(cls=LazyGroup, help="cli.board.help", table=COMMANDS, prefix="pbem.cli.commands.board.board_")
def command() -> None:
    """Hold the commands of the group."""
