"""`pbem board drop`: draw the maps of this game without a picture again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, print_json
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.board-drop.help")
@json_option
@in_folder
def command(folder: Folder, as_json: bool) -> None:
    from pbem.cli.games.board_picture import drop

    gone = drop(folder)
    if as_json:
        print_json({"dropped": gone})
    else:
        note(Message("cli.board.dropped") if gone else Message("cli.board.none"))
