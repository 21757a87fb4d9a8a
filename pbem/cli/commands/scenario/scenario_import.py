"""`pbem scenario import`: a map or names of counters from a file of another program."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message

MAP, COUNTERS = "imported-map.yaml", "imported-counters.csv"


@click.command(cls=Command, help="cli.scenario-import.help")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.argument("directory", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--rows-first", is_flag=True, help="cli.scenario-import.option-rows-first")
@json_option
def command(file: str, directory: str, rows_first: bool, as_json: bool) -> None:
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all
    from pbem.workshop import outlines, variants
    from pbem.workshop.foreign import MOST_MODULE, Imported
    from pbem.workshop.importing import read
    from pbem.workshop.writing import as_yaml

    with open(file, "rb") as opened:
        data = opened.read(MOST_MODULE + 1)
    if outlines.is_drawing(file, data):
        imported, files = (
            Imported(),
            {outlines.SHAPES: outlines.shapes_of(areas := outlines.read(file, data))},
        )
        imported.notes = [Message("workshop.outlines.taken", areas=len(areas))]
    elif variants.is_variant(file):
        imported, files = Imported(), variants.files_of(variant := variants.read(file, data, beside(file)))
        imported.notes = [Message("workshop.variants.taken", **variants.facts(variant))]
    else:
        imported, files = read(file, data, rows_first=rows_first, beside=beside(file)), {}
    if imported.map:
        files[MAP] = as_yaml(imported.map)
    if imported.counters:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("id", "side", "name"))
        writer.writerows((f"C{n}", side, _safe(name)) for n, (name, side) in enumerate(imported.counters, 1))
        files[COUNTERS] = out.getvalue()
    root = Path(directory).absolute()
    for name in files:
        if (root / name).exists():
            message = Message("cli.scenario-import.there-already", file=root / name)
            raise Refused(Diagnostic("file-in-use", message))
    root.mkdir(parents=True, exist_ok=True)
    write_all({root / name: text.encode() for name, text in files.items()})
    listed = [str(root / name) for name in sorted(files)]
    made({"files": listed, "notes": [str(line) for line in imported.notes]}, listed)
    for line in imported.notes:
        note(line)
    if MAP in files or COUNTERS in files:
        note(Message("cli.scenario-import.go-on"))
    elif outlines.SHAPES not in files:
        note(Message("cli.scenario-import.check-it", directory=root))


def beside(file: str) -> Callable[[str], bytes | None]:
    """Return a reader of plain files in the folder of a file, of which nothing else is read."""
    from pbem.workshop.foreign import MOST

    def found(name: str) -> bytes | None:
        path = Path(file).parent / name
        if not path.is_file() or path.is_symlink():
            return None
        with path.open("rb") as opened:
            return opened.read(MOST)

    return found


def _safe(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return name.lstrip("=+@- ") or "?"
