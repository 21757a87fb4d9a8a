"""`pbem link`: give the link that is wanted, where `pbem receive` could not sign it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import made, note, to_send
from pbem.cli._keys import folder_key
from pbem.cli._language import Command
from pbem.cli._options import in_folder, json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.link.help")
@key_option
@json_option
@in_folder
def command(folder: Folder, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import give_link
    from pbem.cli._mail import letters_in
    from pbem.cli._telling import renderer

    folder.need_me("player")
    render = renderer(letters_in(folder))
    files = to_send(give_link(folder, folder_key(folder, key_file), render=render))
    made({"files": files}, files)
    note(Message("cli.mailing.mail-it-eml-is-ready"))
