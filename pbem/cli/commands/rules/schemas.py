"""`pbem rules schemas`: JSON Schemas of a system's decisions and order files, for authors of systems."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from pbem.cli.shell.console import made
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message


@click.command(hidden=True, cls=Command, help="cli.rules-schemas.help")
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option(
    "--write",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False),
    required=True,
    help="cli.rules-schemas.option-write",
)
@click.option(
    "--lang",
    metavar="CODE",
    default="en",
    show_default=True,
    help="cli.rules-schemas.option-lang",
)
@json_option
def command(systems: tuple[str, ...], folder: str, lang: str, as_json: bool) -> None:
    from pbem.cli.shell.language import known_in
    from pbem.engine.schemas import files
    from pbem.engine.system import find
    from pbem.report.language import language
    from pbem.text.translating import translated
    from pbem.text.writing import write_all

    language(lang)  # refuse an unknown language
    texts: dict[str, str] = {}
    for name in systems:
        system = find(name)
        texts |= files(system, partial(translated, values=known_in(lang, system)))
    write_all({Path(folder) / name: text.encode() for name, text in texts.items()})
    made(
        {"folder": folder, "files": sorted(texts)},
        [Message("cli.rules-schemas.written", count=len(texts), folder=folder)],
    )
