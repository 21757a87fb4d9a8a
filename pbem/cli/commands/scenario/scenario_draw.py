"""`pbem scenario draw`: the map of a scenario with its counters, as a drawing, a picture or a text."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import note, print_json
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option, lang_option, out_option
from pbem.text.messages import Message

FORMS = {".txt": "text", ".svg": "svg", ".png": "png"}


@click.command(cls=Command, help="cli.scenario-draw.help")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@click.option("--format", "form", type=click.Choice(["text", "svg", "png"]), help="cli.map.option-format")
@click.option("--hide", "hidden", multiple=True, metavar="LAYER", help="cli.map.option-hide")
@click.option("--show", "shown", multiple=True, metavar="LAYER", help="cli.map.option-show")
@click.option("--dark", is_flag=True, help="cli.map.option-dark")
@out_option
@lang_option
@json_option
def command(
    directory: str,
    form: str | None,
    hidden: tuple[str, ...],
    shown: tuple[str, ...],
    dark: bool,
    out: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    from pbem.cli.games.drawing import drawing, report_at_start
    from pbem.cli.shell.made import form_of, give
    from pbem.report.textmap import legend, sheets
    from pbem.workshop.folders import need_folder

    system, scenario_read = need_folder(Path(directory))
    report = report_at_start(system, scenario_read, lang)
    if as_json:
        print_json({"id": scenario_read.id, "position": report.view.position.to_json()})
        return
    form = form_of(form, out, FORMS)
    if form == "text":
        lines = [line for title, drawn in sheets(report.view, everything=True) for line in (title, *drawn)]
        give("\n".join([*lines, *legend(report.view)]) + "\n", out, public=True)
        return
    give(drawing(report, form, hidden, shown, (), True, dark), out, public=True)
    if out is not None:
        note(Message("cli.scenario-draw.drawn", out=out))
