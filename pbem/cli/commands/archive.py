"""`pbem archive`: the game as a history in git."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.archive.help")
@click.option(
    "--merge",
    "other",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="cli.archive.option-merge",
)
@click.option("--bundle", metavar="FILE", type=click.Path(dir_okay=False), help="cli.archive.option-bundle")
@json_option
@in_folder
def command(folder: Folder, other: str | None, bundle: str | None, as_json: bool) -> None:
    from pbem.archive import merge
    from pbem.cli.games.bundle import write_bundle
    from pbem.cli.games.shelving import shelved
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in
    from pbem.cli.shell.git import Git

    folder.need_me()
    taken = merge(folder, Path(other), renderer(letters_in(folder))) if other is not None else None
    git = Git(os.environ)
    done = shelved(folder, git)
    data: dict[str, Any] = {
        "commits": [{"stage": stage, "commit": sha, "subject": text} for stage, sha, text in done.commits],
        "tags": done.tags,
        "merged": taken.data() if taken else None,
        "bundle": None,
    }
    lines = [f"{sha[:10]} {safe(text)}" for _, sha, text in done.commits] or [
        Message("cli.archive.nothing-is-new")
    ]
    notes = [*(taken.notes if taken else ()), *done.notes]
    if bundle is not None:
        file = Path(bundle).absolute()
        notes += write_bundle(folder, git, file, os.environ)
        data["bundle"] = str(file)
        lines.append(str(file))
    made(data, lines)
    for text in notes:
        note(safe(text, 400))
    if done.tags:
        note(Message("cli.archive.tags", count=len(done.tags), tags=tuple(done.tags)))
