"""`pbem receive`: take in what others sent."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli._console import bad, good, note, print_json, progress, result
from pbem.cli._options import in_folder, json_option
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive.folder import Folder
    from pbem.archive.receive import Receipt
    from pbem.mail.read import Reading


@click.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True, allow_dash=True)
)
@click.option("--late", is_flag=True, help="What I sent last was late: a report without it is right.")
@json_option
@in_folder
@click.pass_context
def command(ctx: click.Context, folder: Folder, files: tuple[str, ...], late: bool, as_json: bool) -> None:
    """Take in mails, mboxes, Maildirs, folders and loose files; - is standard input.

    Every statement found gets a receipt. One refused file never stops the others; if anything was refused, or
    nothing was found, the exit code is 1.

    \b
    Example:  pbem receive ~/Mail/inbox/new
              pbem receive red.pbem.txt blue.eml
    """
    from pbem.archive.receive import receive
    from pbem.cli._telling import renderer
    from pbem.mail.read import together

    with progress("reading") as step:
        reading = together(_each(files, step))
    before = folder.stage
    found = reading.signed
    receipts = receive(folder, found, late=late, render=renderer(folder)) if found else []
    notes = [(one.where, one.text) for one in reading.notes]
    if as_json:
        print_json(
            {
                "receipts": [
                    {"outcome": r.outcome, "what": r.words, "reason": r.reason, "sid": r.sid, "mail": r.mail}
                    for r in receipts
                ],
                "notes": [{"where": where, "text": text} for where, text in notes],
                "stage": folder.stage,
            }
        )
    else:
        for receipt in receipts:
            result(_line(receipt))
            if receipt.mail:
                note(f"tell its sender: {receipt.mail}")
        for where, text in notes:
            note(f"{safe(where)}: {text}")
        _next(folder, before)
    if not receipts or not all(receipt.good for receipt in receipts):
        if not receipts and not as_json:
            note("nothing that was signed for a game was found")
        ctx.exit(1)


def _each(files: Sequence[str], step: Callable[[int, int], None]) -> Iterator[Reading]:
    for done, name in enumerate(files, 1):
        yield _read(name)
        step(done, len(files))


def _read(name: str) -> Reading:
    from pbem.mail.read import read, read_path

    if name == "-":
        return read(sys.stdin.buffer.read())
    return read_path(Path(name))


def _line(receipt: Receipt) -> str:
    outcome = f"{receipt.outcome:<10}"
    mark = good(outcome) if receipt.good else bad(outcome)
    reason = f": {safe(receipt.reason, 400)}" if receipt.reason else ""
    return f"{mark} {safe(receipt.words)}{reason}"


def _next(folder: Folder, before: int) -> None:
    """What the folder can do now that it could not before."""
    if folder.stage > before:
        note(f"the game went on by {counted(folder.stage - before, 'stage')}: `pbem report`, `pbem status`")
    elif folder.roster is not None and folder.me in folder.unsigned():
        note("the roster is here: `pbem sign`")
