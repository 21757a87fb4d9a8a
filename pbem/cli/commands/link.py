"""`pbem link`: give the link that is wanted, where `pbem receive` could not sign it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.post.mailing import whom_to_mail
from pbem.cli.post.seats import in_seat
from pbem.cli.shell.console import made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, key_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.link.help")
@key_option
@json_option
@in_seat
def command(folder: Folder, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import give_link
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in

    folder.need_me("player")
    render = renderer(letters_in(folder))
    files = to_send(give_link(folder, folder_key(folder, key_file), render=render))
    made({"files": files}, files)
    note(whom_to_mail(folder, ready_to_send=True))
