"""`pbem protest`: say for good that something is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.post.mailing import whom_to_mail
from pbem.cli.shell.console import made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.protest.help")
@click.argument("text")
@click.option("--about", metavar="SID", multiple=True, help="cli.protest.option-about")
@key_option
@json_option
@in_folder
def command(folder: Folder, text: str, about: tuple[str, ...], key_file: str | None, as_json: bool) -> None:
    from pbem.archive import protest

    folder.need_me()
    files = to_send(protest(folder, folder_key(folder, key_file), text, about))
    made({"files": files}, files)
    note(whom_to_mail(folder))
