"""`pbem deputy handover`: the GM seals the secrets of the game to the deputy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.deputy-handover.help")
@key_option
@json_option
@in_folder
def command(folder: Folder, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import handing_over, lent
    from pbem.cli.post.proxied import lent_keys

    me = folder.need_me("gm")
    keys = lent_keys(folder) if folder.stage >= 0 else {}
    files = to_send(handing_over.hand_over(folder, folder_key(folder, key_file), keys))
    made({"files": files, "lent": sorted(keys)}, files)
    for party in (party_id.id for party_id in lent.lent_to(folder.need_roster(), me)):
        if party in keys:
            note(Message("cli.deputy.lent-keys-go-along", party=party))
        else:
            note(Message("cli.deputy.lent-keys-are-not-here", party=party))
    note(Message("cli.deputy.mail-it-to-the-deputy-alone"))
