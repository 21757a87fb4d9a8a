"""`pbem amend chain`: a new chain for the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._amend import aware_option, propose
from pbem.cli._options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@aware_option
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, aware: bool, yes: bool, key_file: str | None, as_json: bool) -> None:
    """Propose a new chain of your own, because the secret of the old one is lost, known, or used up; signed
    by all. The stage is closed, and in the next one everybody is asked.

    \b
    Example:  pbem amend chain
    """
    from pbem.archive import fresh_chain

    propose(folder, [fresh_chain(folder)], key_file, yes=yes, aware=aware)
