"""`pbem mail address`: the real address of a player in a game with pseudonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.mail-address.help")
@click.argument("seat")
@click.argument("address")
@json_option
@in_folder
def command(folder: Folder, seat: str, address: str, as_json: bool) -> None:
    from pbem.archive import seat_addresses

    seat_addresses.set_address(folder, seat, address)
    made({"seat": seat, "address": address}, [])
    note(Message("cli.mail-address.kept", seat=seat, address=address))
