"""`pbem undo`: take back what was signed and not mailed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import confirmed, made, note
from pbem.cli._options import in_folder, json_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli._practice import Practice


@click.command()
@yes_option
@json_option
@in_folder
def command(folder: Folder, yes: bool, as_json: bool) -> None:
    """Take back what you signed last, if nobody has it yet: orders, a change that was proposed, the roster.

    What was handed over by `pbem mail out` cannot be taken back; of what you mailed by hand only you know.
    What you signed before that counts again. Your order file stays; until the report is out you may also
    change it and sign again, which takes the place of what you mailed.

    In a game against the computer the others have answered at once: everything goes back to where you signed
    last, up to ten times.

    \b
    Example:  pbem undo
    """
    from pbem.archive import last_signed, take_back
    from pbem.cli._practice import practice_of

    practice = practice_of(folder)
    if practice is not None:
        _at_the_table(practice, yes)
        return
    found = last_signed(folder)
    words = found.words if found.statement is None else f"{found.words}, signed here"
    confirmed(
        f"take back {words}? Only if you have not mailed it by hand",
        yes,
        f"{words}: if you have not mailed it by hand, `pbem undo --yes` takes it back",
    )
    gone = take_back(folder, found)
    made({"undone": found.words, "removed": [str(path) for path in gone]}, [f"taken back: {found.words}"])
    note("sign again when you like: `pbem next`")


def _at_the_table(practice: Practice, yes: bool) -> None:
    """Back to where its owner signed last, in a game against the computer."""
    from pbem.cli._practice import can_take_back, take_back
    from pbem.text.diagnostics import Diagnostic, Refused

    if not can_take_back(practice):
        raise Refused(Diagnostic("nothing-to-undo", "you have signed nothing here that can be taken back"))
    words = "go back to where you signed last, with what the others did since"
    confirmed(f"{words}?", yes, "`pbem undo --yes` goes back to where you signed last")
    take_back(practice)
    made({"undone": "the last answer", "removed": []}, ["taken back: your last answer, and what followed"])
    note("your order file is as it was: `pbem next`")
