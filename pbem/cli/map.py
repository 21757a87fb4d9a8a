"""`pbem map`: the map now, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import print_json, result
from pbem.cli._options import in_folder, json_option, lang_option, reader_option

if TYPE_CHECKING:
    from pbem.archive.folder import Folder


@click.command()
@reader_option
@click.option("--public", is_flag=True, help="Only what everybody may know.")
@click.option(
    "--all", "everything", is_flag=True, help="The whole of a large map, not just where counters are."
)
@lang_option
@json_option
@in_folder
def command(
    folder: Folder,
    reader: str | None,
    public: bool,
    everything: bool,
    lang: str,
    as_json: bool,
) -> None:
    """Show the map now, with the order of battle, as you may see it.

    \b
    Example:  pbem map
              pbem map --as red
    """
    from pbem.cli._telling import report_view, view_at
    from pbem.report.forces import order_of_battle
    from pbem.report.textmap import legend, sheets

    if public and reader is not None:
        raise click.UsageError("--public and --as exclude each other")
    who = None if public else reader or folder.me
    view = view_at(folder, folder.stage, who)
    shown = report_view(view, lang)
    if as_json:
        print_json({"place": view.place, "reader": view.player, "position": shown.position.to_json()})
        return
    result(shown.wording.where(view.place))
    for title, lines in sheets(shown, everything=everything):
        result(title)
        for line in lines:
            result(line)
    for line in legend(shown):
        result(line)
    result()
    for line in order_of_battle(shown, view.player):
        result(line)
