"""`pbem adjudicate`: run the game as far as it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.games.outcome import data, told
from pbem.cli.games.running import run_folder
from pbem.cli.shell.console import print_json
from pbem.cli.shell.failures import AWAITED, DONE, REFUSED
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import directory_option, json_option, key_option, mail_lang_option, wait_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import StageResult


@click.command(cls=Command, help="cli.adjudicate.help")
@click.argument("files", metavar="[STATE.yaml ORDERS...]", nargs=-1, type=click.Path(exists=True))
@click.option("--out", type=click.Path(file_okay=False), help="cli.adjudicate.option-out")
@click.option(
    "--private",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="cli.adjudicate.option-private",
)
@click.option("--dry-run", is_flag=True, help="cli.adjudicate.option-dry-run")
@click.option(
    "--forfeit",
    "forfeits",
    metavar="PARTY",
    multiple=True,
    help="cli.adjudicate.option-forfeit",
)
@click.option("--deadline-passed", is_flag=True, help="cli.adjudicate.option-deadline-passed")
@click.option("--by", metavar="TEXT", help="cli.adjudicate.option-by")
@click.option("--exit-code", is_flag=True, help="cli.adjudicate.option-exit-code")
@mail_lang_option
@key_option
@wait_option
@json_option
@directory_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    out: str | None,
    private: str | None,
    dry_run: bool,
    forfeits: tuple[str, ...],
    deadline_passed: bool,
    by: str | None,
    exit_code: bool,
    lang: str | None,
    key_file: str | None,
    as_json: bool,
) -> None:
    if files:
        if out is None and not dry_run:
            raise click.UsageError(Message("cli.adjudicate.state-file-wants-out"))
        done = _by_hand(files, out, private, key_file, forfeits, deadline_passed, dry_run, by, lang)
    elif out is not None or private is not None:
        raise click.UsageError(Message("cli.adjudicate.out-and-private-want-a-state-file"))
    else:
        done = run_folder(key_file, forfeits, deadline_passed, dry_run, by, lang)
    if as_json:
        print_json(data(done))
    else:
        told(done, dry_run, by_hand=bool(files))
    if done.done or not files:  # a waiting game is normal, not an error
        ctx.exit(AWAITED if exit_code and not done.done else DONE)
    ctx.exit(REFUSED)


def _by_hand(
    files: tuple[str, ...],
    out: str | None,
    private: str | None,
    key_file: str | None,
    forfeits: tuple[str, ...],
    passed: bool,
    dry_run: bool,
    by: str | None,
    lang: str | None,
) -> StageResult:
    from pbem.cli.games.by_hand import adjudicate_files
    from pbem.cli.shell.language import of_user

    return adjudicate_files(
        [Path(name) for name in files],
        Path(out) if out is not None else None,
        Path(private).absolute() if private is not None else None,
        key_file,
        forfeits=forfeits,
        passed=passed,
        dry_run=dry_run,
        by=by,
        lang=lang or of_user(),
    )
