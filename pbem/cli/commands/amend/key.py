"""`pbem amend key`: a new signing key of your own, a new name or address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.amend import propose
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.amend-key.help")
@click.option(
    "--new-key",
    "new_key",
    metavar="FILE",
    type=click.Path(),
    help="cli.amend-key.option-new-key",
)
@click.option("--name", metavar="TEXT", help="cli.amend-key.option-name")
@click.option("--mail", metavar="ADDRESS", help="cli.amend-key.option-mail")
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder,
    new_key: str | None,
    name: str | None,
    mail: str | None,
    yes: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pbem.archive import remember_key
    from pbem.cli.shell.keys import usual_key
    from pbem.trust.sshsig import public_line

    me = folder.need_me()
    op: dict[str, object] = {"op": "key", "party": me}
    op |= {key: value for key, value in (("name", name), ("mail", mail)) if value is not None}
    extra = []
    if new_key is not None:
        key = usual_key(new_key)
        op["sign"] = public_line(key.signer.public)
        extra = [key.signer]
        remember_key(folder, key.signer.public, key.file)
    if len(op) == 2:
        raise click.UsageError(Message("cli.amend-key.say-what-changes"))
    propose(folder, [op], key_file, yes=yes, aware=False, extra=extra)
