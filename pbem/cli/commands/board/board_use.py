"""`pbem board use`: draw the maps of this game on a picture of your own board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.board-use.help")
@click.argument("picture", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--align",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="cli.board-use.option-align",
)
@json_option
@in_folder
def command(folder: Folder, picture: Path, align: Path | None, as_json: bool) -> None:
    from pbem.cli.games.board_picture import use

    kept, count = use(folder, picture, align)
    paths = [str(path) for path in kept]
    made({"picture": paths[0], "pictures": paths, "hexes": count}, paths)
    note(Message("cli.board.used", count=count))
