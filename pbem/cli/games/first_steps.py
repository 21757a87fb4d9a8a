"""The output of `pbem new`: the dice modes, and what to do with the invitation."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.games.memory import opened
from pbem.cli.shell.console import note, ready
from pbem.cli.shell.language import FOLDER, code
from pbem.text.messages import Message


def modes(ctx: click.Context) -> None:
    """Show the choice of dice mode on one screen (protocol 10)."""
    own = FOLDER / code() / "modes.txt"
    text_file = own if own.exists() else Path(__file__).parent / "modes.txt"
    ready(text_file.read_text("utf-8").rstrip("\n"))
    ctx.exit(0)


def next_steps(directory: str, root: Path, dice: str) -> None:
    """Say what to do with the invitation, and note the game as one of this computer's."""
    opened(root)
    note(Message("cli.first-steps.send-this-invitation", root=root))
    note(Message("cli.first-steps.dice", dice=dice))
    note(Message("cli.first-steps.when-answers-come", directory=directory))
