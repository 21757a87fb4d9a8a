"""`pbem scenario edit`: a scenario's map and counters in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.commands.table import serve
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import lang_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.scenario-edit.help")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="cli.table.option-port")
@click.option("--no-browser", is_flag=True, help="cli.table.option-no-browser")
@lang_option
def command(directory: str, port: int, no_browser: bool, lang: str) -> None:
    from pbem.cli.web.editor.at_editor import Bench, listening
    from pbem.report.language import language
    from pbem.workshop.editing import open_folder

    language(lang)  # refuse an unknown language
    root = Path(directory).absolute()
    open_folder(root)  # refuse what no editor can draw
    hint = Message("cli.scenario-edit.link-opens-one-browser")
    serve(lambda: listening(Bench(root), port, lang), port, no_browser, hint)
