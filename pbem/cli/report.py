"""`pbem report`: what happened, for one reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import print_json, result
from pbem.cli._options import in_folder, json_option, reader_option

if TYPE_CHECKING:
    from pbem.archive.folder import Folder


@click.command()
@click.argument("stage", required=False, type=click.IntRange(0))
@reader_option
@click.option("--public", is_flag=True, help="Only what everybody may know.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Print as.",
)
@json_option
@in_folder
def command(
    folder: Folder, stage: int | None, reader: str | None, public: bool, form: str, as_json: bool
) -> None:
    """Show the report of the newest stage, or of an earlier one.

    \b
    Example:  pbem report
              pbem report 12 --as red
    """
    from pbem.text.diagnostics import Diagnostic, Refused

    if public and reader is not None:
        raise click.UsageError("--public and --as exclude each other")
    if folder.stage < 0:
        raise Refused(Diagnostic("not-started", "the game has not begun, so there is no report"))
    number = folder.stage if stage is None else stage
    who = None if public else reader or (folder.me if folder.role == "player" else None)
    if form == "json" or as_json:
        if number != folder.stage:
            message = f"only the newest stage, {folder.stage}, can be shown as JSON"
            raise Refused(Diagnostic("only-newest", message, help=("earlier reports are there as text",)))
        print_json(_data(folder, who))
        return
    result(_text(folder, number, who).rstrip("\n"))


def _text(folder: Folder, stage: int, reader: str | None) -> str:
    """The report as it was made with its stage; the newest can be made anew for other readers."""
    from pbem.archive import layout
    from pbem.archive.stage import report_name
    from pbem.cli._telling import report_of
    from pbem.report.text import render
    from pbem.text.diagnostics import Diagnostic, Refused

    folder.record(stage)  # refuses a stage that is not here
    name = f"{layout.stage_name(stage)}/report.txt" if reader is None else report_name(stage, reader)
    if reader is not None:
        folder.view(reader)  # refuses a reader whose eyes are not ours
    data = layout.read(folder.root, name, layout.DERIVED_LIMIT)
    if data is not None:
        return data.decode("utf-8", "replace")
    if stage != folder.stage:
        message = f"the report of stage {stage} for {reader} is not here"
        raise Refused(Diagnostic("no-report", message, help=("the public one is: --public",)))
    view = folder.view(reader, public=reader is None)
    return render(report_of(folder, reader, view))


def _data(folder: Folder, reader: str | None) -> object:
    from pbem.cli._telling import report_of
    from pbem.report.data import as_json

    view = folder.view(reader, public=reader is None)
    return as_json(report_of(folder, reader, view))
