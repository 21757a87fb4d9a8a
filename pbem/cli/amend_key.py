"""`pbem amend key`: a new signing key of your own, a new name or address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import propose
from pbem.cli._options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.option(
    "--new-key",
    "new_key",
    metavar="FILE",
    type=click.Path(),
    help="The OpenSSH key to sign with.",
)
@click.option("--name", metavar="TEXT", help="How you are called from now on.")
@click.option("--mail", metavar="ADDRESS", help="Where you can be reached from now on.")
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
    """Change your own entry: signing key, name, address. You alone sign it, with the old key and the new.

    It counts from the next stage on. Who has lost the old key needs `pbem amend takeover`.

    \b
    Example:  pbem amend key --new-key ~/.ssh/id_new --mail ann@example.net
    """
    from pbem.archive import remember_key
    from pbem.cli._keys import usual_key
    from pbem.trust.sshsig import public_line

    me = folder.need_me()
    op: dict[str, object] = {"op": "key", "party": me}
    op |= {key: value for key, value in (("name", name), ("mail", mail)) if value is not None}
    extra = []
    if new_key is not None:
        found = usual_key(new_key)
        op["sign"] = public_line(found.signer.public)
        extra = [found.signer]
        remember_key(folder, found.signer.public, found.file)
    if len(op) == 2:
        raise click.UsageError(Message("cli.amend-key.say-changes-new-key-name"))
    propose(folder, [op], key_file, yes=yes, aware=False, extra=extra)
