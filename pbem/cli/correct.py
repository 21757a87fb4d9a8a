"""`pbem correct`: report the newest stage once more, rightly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli._console import print_json
from pbem.cli._keys import folder_key
from pbem.cli._language import Command
from pbem.cli._options import in_folder, json_option, key_option, mail_lang_option
from pbem.cli._outcome import data, told

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
    from pbem.cli._clock import next_deadline
    from pbem.cli._mail import letters_in, own_reports
    from pbem.cli._telling import renderer

    signer = folder_key(folder, key_file)
    by = next_deadline(folder.terms, by)
    render = renderer(lang or letters_in(folder), to_each=own_reports(folder))
    done = correct(folder, signer, by=by, render=render, dry_run=dry_run)
    if as_json:
        print_json(data(done))
    else:
        told(done, dry_run)
