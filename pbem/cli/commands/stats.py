"""`pbem stats`: the figures of a whole game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, lang_option, reader_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.stats.help")
@reader_option
@click.option("--public", is_flag=True, help="cli.book.option-public")
@lang_option
@json_option
@in_folder
def command(folder: Folder, reader: str | None, public: bool, lang: str, as_json: bool) -> None:
    from dataclasses import replace

    from pbem.archive import arrivals
    from pbem.cli.games.history import figures, read, told_to
    from pbem.cli.games.telling import report_view, words_of
    from pbem.report.whole.stats_text import as_json as data
    from pbem.report.whole.stats_text import render

    if public and reader is not None:
        raise click.UsageError(Message("cli.options.public-excludes-as"))
    words = words_of(folder.system, lang)
    history = read(folder.root, folder.private)
    recipient = None if public else history.reader(reader)
    stats = figures(history, recipient, words, {} if public else arrivals.arrivals(folder))
    if as_json:
        print_json(data(stats, recipient))
        return
    view = replace(report_view(history.view(history.chapters[-1], recipient)), wording=words)
    title = history.roster.terms.title
    result(render(stats, view, title, told_to(history, recipient, words)).rstrip("\n"))
