"""`pbem book`: the whole game as a site of static pages."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import directory_option, json_option, lang_option, reader_option
from pbem.text.messages import Message

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(cls=Command, help="cli.book.help")
@click.argument("out", metavar="OUT", type=click.Path(file_okay=False, path_type=Path))
@click.argument("archive", metavar="[ARCHIVE]", required=False, type=FOLDER)
@reader_option
@click.option("--public", is_flag=True, help="cli.book.option-public")
@lang_option
@json_option
@directory_option
def command(
    out: Path, archive: Path | None, reader: str | None, public: bool, lang: str, as_json: bool
) -> None:
    from pbem.cli.games.book import private_side, root_of, write
    from pbem.cli.games.history import read, told_to
    from pbem.cli.games.telling import words_of

    if public and reader is not None:
        raise click.UsageError(Message("cli.options.public-excludes-as"))
    root = archive if archive is not None else root_of()
    history = read(root, private_side(root))
    recipient = None if public else history.reader(reader)
    words = words_of(history.system, lang)
    written, secret = write(out, root, history, recipient, words)
    whose = told_to(history, recipient, words)
    data = {"written": [str(path) for path in written], "reader": recipient, "secret": secret}
    made(data, [str(out / "index.html")])
    note(Message("cli.book.files-written", count=len(written), whose=whose))
    if secret:
        note(Message("cli.book.holds-what-only-one-may-know", who=recipient))
