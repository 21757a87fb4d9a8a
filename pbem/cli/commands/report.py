"""`pbem report`: what happened, for one reader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.language import Command
from pbem.cli.shell.options import STAGE, in_folder, json_option, lang_option, out_option, reader_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.report.structure import Report
    from pbem.report.svg.board import Board


FORMS = {".txt": "text", ".html": "html", ".htm": "html", ".json": "json"}


@click.command(cls=Command, help="cli.report.help")
@click.argument("stage", required=False, type=STAGE)
@reader_option
@click.option("--public", is_flag=True, help="cli.book.option-public")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "html", "json"]),
    help="cli.map.option-format",
)
@click.option("--whole", is_flag=True, help="cli.report.option-whole")
@out_option
@lang_option
@json_option
@in_folder
def command(
    folder: Folder,
    stage: int | None,
    reader: str | None,
    public: bool,
    form: str | None,
    whole: bool,
    out: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    from pbem.cli.shell.made import form_of, give
    from pbem.text.diagnostics import Diagnostic, Refused

    if public and reader is not None:
        raise click.UsageError(Message("cli.options.public-excludes-as"))
    if folder.stage < 0:
        raise Refused(Diagnostic("not-started", Message("cli.report.not-started")))
    number = folder.stage if stage is None else stage
    recipient = None if public else reader or (folder.me if folder.role == "player" else None)
    form = "json" if as_json else form_of(form, out, FORMS)
    board = None
    if form == "html" and not public:
        from pbem.cli.games.board_picture import board_of

        board = board_of(folder)
    own = recipient is not None and recipient == folder.me and number == folder.stage
    text = _in_form(folder, number, recipient, form, lang, whole, board, own=own)
    give(text, out, public=recipient is None and board is None)


def _in_form(
    folder: Folder,
    stage: int,
    reader: str | None,
    form: str,
    lang: str,
    whole: bool,
    board: Board | None,
    *,
    own: bool,
) -> str:
    """Return the report; `own`: the owner's newest, which ends with the letters since the last orders."""
    from pbem.cli.games import press

    if form == "json":
        import json

        from pbem.report.data import as_json

        letters = press.for_programs(folder) if own else []
        return json.dumps(as_json(_made(folder, stage, reader, lang), letters), indent=2) + "\n"
    if form == "html":
        from pbem.report.html import render

        letters_of = press.for_page(folder) if own else None
        return render(_made(folder, stage, reader, lang), board, letters_of)
    return _text(folder, stage, reader, lang, whole) + (press.section(folder) if own else "")


def _text(folder: Folder, stage: int, reader: str | None, lang: str, whole: bool) -> str:
    """Return the report as made with its stage; for another language or reader made anew."""
    from pbem.archive import layout, report_name
    from pbem.report.text import render

    if not whole and lang == "en" and (reader in (None, folder.me) or folder.knows_all):
        folder.record(stage)  # refuse a missing stage
        name = f"{layout.stage_name(stage)}/report.txt" if reader is None else report_name(stage, reader)
        data = layout.read(folder.root, name, layout.DERIVED_LIMIT)
        if data is not None:
            return data.decode("utf-8", "replace")
    return render(_made(folder, stage, reader, lang), whole=whole)


def _made(folder: Folder, stage: int, reader: str | None, lang: str) -> Report:
    from pbem.cli.games.telling import stage_report

    return stage_report(folder, stage, reader, lang)
