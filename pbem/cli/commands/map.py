"""`pbem map`: the map now or at the end of a stage, as text, as a drawing, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import print_json
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import STAGE, in_folder, json_option, lang_option, out_option, reader_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.report.structure import Report

FORMS = {".txt": "text", ".svg": "svg", ".png": "png"}


@click.command(cls=Command, help="cli.map.help")
@click.argument("stage", required=False, type=STAGE)
@reader_option
@click.option("--public", is_flag=True, help="cli.book.option-public")
@click.option("--all", "everything", is_flag=True, help="cli.map.option-all")
@click.option("--words", is_flag=True, help="cli.map.option-words")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "svg", "png"]),
    help="cli.map.option-format",
)
@click.option("--hide", "hidden", multiple=True, metavar="LAYER", help="cli.map.option-hide")
@click.option("--show", "shown", multiple=True, metavar="LAYER", help="cli.map.option-show")
@click.option("--around", multiple=True, metavar="HEX", help="cli.map.option-around")
@click.option("--dark", is_flag=True, help="cli.map.option-dark")
@out_option
@lang_option
@json_option
@in_folder
def command(
    folder: Folder,
    stage: int | None,
    reader: str | None,
    public: bool,
    everything: bool,
    words: bool,
    form: str | None,
    hidden: tuple[str, ...],
    shown: tuple[str, ...],
    around: tuple[str, ...],
    dark: bool,
    out: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    from pbem.cli.games.board_picture import board_of
    from pbem.cli.games.drawing import drawing
    from pbem.cli.games.telling import stage_report
    from pbem.cli.shell.made import form_of, give

    if public and reader is not None:
        raise click.UsageError(Message("cli.options.public-excludes-as"))
    recipient = None if public else reader or folder.reader
    report = stage_report(folder, folder.stage if stage is None else stage, recipient, lang)
    if as_json:
        read_by = report.reader.id if report.reader else None
        print_json({"place": report.place, "reader": read_by, "position": report.view.position.to_json()})
        return
    board = None
    form = "text" if words else form_of(form, out, FORMS)
    if form == "text" and not around:
        made: str | bytes = "\n".join(_text(report, everything, words)) + "\n"
    else:
        board = None if public or form == "text" else board_of(folder)
        made = drawing(report, form, hidden, shown, around, everything, dark, board)
    give(made, out, public=recipient is None and board is None)


def _text(report: Report, everything: bool, words: bool) -> list[str]:
    from pbem.report import situation
    from pbem.report.textmap import legend, sheets

    if words:
        return situation.render(report)
    lines = [report.place]
    for title, drawn in sheets(report.view, everything=everything):
        lines += [title, *drawn]
    return [*lines, *legend(report.view), "", *situation.render(report)]
