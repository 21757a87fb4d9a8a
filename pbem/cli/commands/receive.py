"""`pbem receive`: take in what others sent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, progress
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, wait_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.mail.read import Reading

AGAIN = 75
"""What mail systems take as: hand it over again later (sysexits.h)."""


@click.command(cls=Command, help="cli.receive.help")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(exists=True, allow_dash=True))
@click.option("--late", is_flag=True, help="cli.receive.option-late")
@click.option(
    "--filter",
    "as_filter",
    is_flag=True,
    help="cli.receive.option-filter",
)
@wait_option
@json_option
@in_folder
@click.pass_context
def command(
    ctx: click.Context, folder: Folder, files: tuple[str, ...], late: bool, as_filter: bool, as_json: bool
) -> None:
    from pbem.cli.post.coming import note_read
    from pbem.cli.post.intake import TakenIn, show, take_in
    from pbem.text.diagnostics import Refused

    paths = [Path(name) for name in files] if files else _lying_about(folder)
    reading = _read(paths)
    before, taken = folder.stage, TakenIn()
    try:
        take_in(folder, reading, taken, late=late)
    except Refused as fault:
        if as_filter and fault.diagnostics[0].code == "folder-busy":
            ctx.exit(AGAIN)
        raise
    if not files:
        note_read(folder, paths)
        taken.receipts = [
            receipt for receipt in taken.receipts if receipt.outcome not in ("duplicate", "unsigned")
        ]
    show(folder, taken, before, as_json)
    if not files and not paths:
        ctx.exit(0)
    if not (taken.receipts or taken.telling or as_json):
        note(Message("cli.web.nothing-was-found"))
    ctx.exit(0 if taken.good or as_filter else 1)


def _lying_about(folder: Folder) -> list[Path]:
    """Return new saved files; without any, say where it looked."""
    from pbem.cli.post.coming import came, places

    paths = came(folder)
    if not paths:
        looked = ", ".join(str(place) for place in places(folder) if place.is_dir())
        note(Message("cli.receive.nothing-new-there", where=looked))
    return paths


def _read(files: Sequence[Path]) -> Reading:
    """Return everything in the files, with a progress bar by their bytes."""
    from pbem.mail import boxes
    from pbem.mail.read import read_path, read_stream, together

    paths = [None if str(path) == "-" else path for path in files]
    total = sum(boxes.size(file) for path in paths if path is not None for file in boxes.files(path))
    done = 0
    with progress(Message("cli.fetching.reading")) as bar:

        def step(size: int) -> None:
            nonlocal done
            done += size
            bar(min(done, total), max(total, 1))

        return together(
            read_stream(sys.stdin.buffer) if path is None else read_path(path, step) for path in paths
        )
