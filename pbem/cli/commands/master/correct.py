"""`pbem correct`: report the newest stage once more, rightly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.games.outcome import data, told
from pbem.cli.shell.console import print_json
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, mail_lang_option

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.correct.help")
@click.option("--dry-run", is_flag=True, help="cli.adjudicate.option-dry-run")
@click.option("--by", metavar="TEXT", help="cli.adjudicate.option-by")
@mail_lang_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder, dry_run: bool, by: str | None, lang: str | None, key_file: str | None, as_json: bool
) -> None:
    from pbem.archive import correct
    from pbem.cli.games.clock import next_deadline
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in, own_reports
    from pbem.cli.post.plain_lists import send_lists

    signer = folder_key(folder, key_file)
    by = next_deadline(folder.terms, by)
    render = renderer(lang or letters_in(folder), to_each=own_reports(folder))
    done = correct(folder, signer, by=by, render=render, dry_run=dry_run)
    if not dry_run:
        send_lists(folder)
    if as_json:
        print_json(data(done))
    else:
        told(done, dry_run)
