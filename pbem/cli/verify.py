"""`pbem verify`: the whole archive, from the roster to the last head."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli._console import bad, good, note, print_json, progress, result
from pbem.cli._options import directory_option, json_option, open_folder
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive import Finding, Verification

_CLASSES = {
    "proved": "proved",
    "consistent": "consistent so far (proved when the game is unsealed)",
    "claimed": "claimed (rests on somebody's word)",
    "false": "FALSE",
}


@click.command()
@click.argument("archive", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--game", metavar="ID", help="The game id as you know it: 32 digits or more.")
@click.option("--since", metavar="STAGE", help="Trust what an earlier verify proved; `last` will do.")
@json_option
@directory_option
@click.pass_context
def command(
    ctx: click.Context, archive: str | None, game: str | None, since: str | None, as_json: bool
) -> None:
    """Check a whole archive: signatures, history, dice, openings, results by adjudicating again.

    Works on the folder of a stranger too: nothing in it is run, and what can be made anew is not believed.
    Ends with the last head, because an archive that stops too early is a valid one.

    \b
    Example:  pbem verify
              pbem verify downloaded-game --game 94901e555ec7eb8a004cadeef9119356
    """
    from pbem.archive import verify
    from pbem.cli._telling import renderers
    from pbem.cli._verified import begun, keep_note, noted, own_side
    from pbem.text.diagnostics import Diagnostic, Refused

    if archive and since:
        raise click.UsageError("--since trusts a note in your own folder; leave DIR out")
    root = Path(archive) if archive else open_folder().root
    if not archive and not begun(root):
        raise Refused(Diagnostic("not-started", "the game has not begun, so there is nothing to check yet"))
    trusted = noted(root, since) if since else None
    with progress("verifying") as step:
        found = verify(root, game, step, own=own_side(root), renderers=renderers, since=trusted)
    if not archive:
        keep_note(root, found)
    if as_json:
        print_json(_data(found))
    else:
        _told(found)
    ctx.exit(0 if found.ok else 1)


def _told(found: Verification) -> None:
    for kind, title in _CLASSES.items():
        listed = found.of(kind)  # type: ignore[arg-type]
        if listed:
            result(bad(title) if kind == "false" else title)
        for one in listed:
            where = f"stage {one.stage}: " if one.stage is not None else ""
            result(f"  {where}{safe(one.text, 600)}")
    worst = found.first_bad
    if worst is not None:
        where = f"stage {worst.stage}" if worst.stage is not None else "before the first stage"
        who = f", {safe(worst.party)}" if worst.party else ""
        result(bad(f"not sound: the first fault is {where}{who}: {safe(worst.text, 600)}"))
    else:
        result(good(f"sound as far as it goes: {counted(found.stage + 1, 'stage')}"))
    if found.game:
        result(f"game {found.game}")
    if found.head:
        result(f"last head {found.head} (stage {found.stage})")
        note("compare the last head with the other players: an archive that stops too early is a valid one")


def _data(found: Verification) -> dict[str, Any]:
    return {
        "ok": found.ok,
        "game": found.game,
        "stage": found.stage,
        "head": found.head,
        "first_bad": _finding(found.first_bad) if found.first_bad else None,
        "findings": [_finding(one) for one in found.findings],
    }


def _finding(one: Finding) -> dict[str, Any]:
    from pbem.archive import severity

    return {
        "class": one.kind,
        "code": one.code,
        "severity": severity(one.kind, one.code),
        "stage": one.stage,
        "party": one.party,
        "text": one.text,
    }
