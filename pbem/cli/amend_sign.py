"""`pbem amend sign`: sign what somebody else proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import aware_option, co_sign, the_one
from pbem.cli._options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.argument("sid", required=False)
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, sid: str | None, aware: bool, yes: bool, key_file: str | None, as_json: bool
) -> None:
    """Read an amendment in words, sign it, and write the mail. SID is the beginning of its id.

    Without SID it is the one that waits for you. Orders are signed with `pbem orders sign`.

    Once you have signed one that closes the stage you send no order for that stage: it goes before them.

    \b
    Example:  pbem amend sign 9c1f20aa
    """
    co_sign(folder, sid or the_one(folder), key_file, yes=yes, aware=aware)
