"""`pbem rules schemas`: JSON Schemas of a system's decisions and order files, for authors of systems."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli._console import made
from pbem.cli._options import json_option
from pbem.cli._words import counted


@click.command(hidden=True)
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("--write", "folder", metavar="DIR", type=click.Path(file_okay=False), required=True)
@json_option
def command(systems: tuple[str, ...], folder: str, as_json: bool) -> None:
    """Write the schemas of rules systems below DIR, for editors that complete and check order files.

    \b
    Example:  pbem rules schemas victory --write schemas
    """
    from pbem.engine.schemas import files
    from pbem.engine.system import find
    from pbem.text.writing import write_all

    texts = {name: text for system in systems for name, text in files(find(system)).items()}
    write_all({Path(folder) / name: text.encode() for name, text in texts.items()})
    made({"folder": folder, "files": sorted(texts)}, [f"{counted(len(texts), 'schema')} in {folder}"])
