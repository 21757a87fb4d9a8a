"""`pbem scenario new`: a folder with a scenario to begin with."""

from __future__ import annotations

import re
from pathlib import Path

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.scenario-new.help")
@click.argument("system_name", metavar="SYSTEM")
@click.argument("directory", metavar="DIR", type=click.Path())
@click.option("--like", metavar="NAME", help="cli.scenario-new.option-like")
@json_option
def command(system_name: str, directory: str, like: str | None, as_json: bool) -> None:
    from pbem.engine.system import find
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all
    from pbem.workshop.writing import files_of

    system = find(system_name)
    root = Path(directory).absolute()
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        message = Message("cli.scenario-new.folder-in-use", root=directory)
        raise Refused(Diagnostic("folder-in-use", message))
    id = None if like else _id(root.name)
    files = files_of(system, like or system.scenarios()[0], id)
    for folder in {(root / name).parent for name in files}:
        folder.mkdir(parents=True, exist_ok=True)
    write_all({root / name: text.encode() for name, text in files.items()})
    listed = [str(root / name) for name in sorted(files)]
    made({"folder": str(root), "files": listed}, listed)
    note(Message("cli.scenario-new.go-on", root=directory))


def _id(name: str) -> str:
    """Return an id made of the folder's name."""
    words = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-_")[:32]
    return words if words and words[0].isalpha() else f"my-{words}".rstrip("-")[:32]
