"""`pbem adjudicate`: run the game as far as it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli._console import note, print_json, result
from pbem.cli._keys import folder_key
from pbem.cli._options import directory_option, json_option, key_option, open_folder
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive.stage import StageResult


@click.command()
@click.argument("files", metavar="[STATE.yaml ORDERS...]", nargs=-1, type=click.Path(exists=True))
@click.option("--out", type=click.Path(file_okay=False), help="With STATE.yaml: where the results go.")
@click.option("--dry-run", is_flag=True, help="Say what would happen and write nothing.")
@click.option(
    "--forfeit", "forfeits", metavar="PARTY", multiple=True, help="His deadline has passed; may be repeated."
)
@click.option("--by", metavar="TEXT", help="The next deadline, as text for the report.")
@key_option
@json_option
@directory_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    out: str | None,
    dry_run: bool,
    forfeits: tuple[str, ...],
    by: str | None,
    key_file: str | None,
    as_json: bool,
) -> None:
    """Run the sequence of play as far as the answers go, and write the next stage: state, report, questions.

    The first run starts the game. Without a game folder, for a GM who keeps files by hand: give the state
    file and the signed order files, and --out.

    \b
    Example:  pbem adjudicate --by "Sunday, 20:00"
              pbem adjudicate STATE.yaml red.pbem.txt blue.pbem.txt --out next
    """
    if files:
        from pbem.cli._by_hand import adjudicate_files

        if out is None and not dry_run:
            raise click.UsageError("with a state file, --out says where the results go")
        adjudicate_files([Path(name) for name in files], out, dry_run, forfeits, by, key_file, as_json)
        return
    if out is not None:
        raise click.UsageError("--out is for a state file given by hand; in a game folder it is not needed")
    from pbem.archive.stage import adjudicate
    from pbem.cli._telling import renderer

    folder = open_folder()
    folder.need_me("gm")
    signer = folder_key(folder, key_file)
    done = adjudicate(folder, signer, forfeits, dry_run=dry_run, by=by, render=renderer(folder))
    if as_json:
        print_json(_data(done))
    else:
        _told(done, dry_run)
    ctx.exit(0 if done.done else 1)


def _told(done: StageResult, dry_run: bool) -> None:
    if not done.done:
        note(f"stage {done.stage} waits, nothing was run or written:")
        for party, reason in done.missing.items():
            note(f"  {party}: {safe(reason)}")
        return
    assert done.run is not None
    what = "would go" if dry_run else "went"
    result(f"stage {done.stage} {what} to: {done.run.outcome.place}")
    result(f"{counted(len(done.run.events), 'public event')}, head {done.run.head}")
    for party, fault in done.diagnostics:
        result(f"answer of {party} not used: {safe(fault.message)}")
    if done.finished:
        result("the game is over: `pbem unseal`, then `pbem verify`")
    else:
        result(f"asked now: {', '.join(done.asked)}")
    if done.mail is not None:
        result(str(done.mail))
        note("mail it to everybody; the .eml beside it is ready to send")


def _data(done: StageResult) -> dict[str, Any]:
    run = done.run
    return {
        "stage": done.stage,
        "done": done.done,
        "missing": dict(done.missing),
        "finished": done.finished,
        "asked": done.asked,
        "place": run.outcome.place if run else None,
        "head": run.head if run else None,
        "refused": [{"party": party, "message": fault.message} for party, fault in done.diagnostics],
        "mail": str(done.mail) if done.mail else None,
    }
