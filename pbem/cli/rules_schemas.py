"""`pbem rules schemas`: the published JSON Schemas of decisions, made from their types."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli._console import result
from pbem.cli._schemas import generated
from pbem.cli._words import counted


@click.command(hidden=True)
@click.option("--write", "folder", metavar="DIR", type=click.Path(file_okay=False), required=True)
def command(folder: str) -> None:
    """Write the schemas of all installed systems' decisions below DIR; what is there of them is replaced.

    \b
    Example:  pbem rules schemas --write schemas
    """
    from pbem.engine.system import find, installed
    from pbem.text.writing import write_all

    root = Path(folder)
    files = {}
    for name in sorted(installed()):
        for path, text in generated(find(name)).items():
            files[root / path] = text.encode()
        for old in sorted((root / name).glob("*.schema.json")):
            if old not in files:
                old.unlink()
    write_all(files)
    result(f"{counted(len(files), 'schema')} in {folder}")
