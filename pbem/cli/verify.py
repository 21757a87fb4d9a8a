"""`pbem verify`: the whole archive, from the roster to the last head."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli._console import bad, good, note, print_json, progress, result
from pbem.cli._options import directory_option, here, json_option
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive.findings import Verification
    from pbem.archive.private import Private

_CLASSES = {
    "proved": "proved",
    "consistent": "consistent so far (proved when the game is unsealed)",
    "claimed": "claimed (rests on somebody's word)",
    "false": "FALSE",
}


@click.command()
@click.argument("archive", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--game", metavar="ID", help="The game id as you know it: 32 digits or more.")
@json_option
@directory_option
@click.pass_context
def command(ctx: click.Context, archive: str | None, game: str | None, as_json: bool) -> None:
    """Check a whole archive: signatures, history, dice, openings, results by adjudicating again.

    Works on the folder of a stranger too: nothing in it is run, and what can be made anew is not believed.
    Ends with the last head, because an archive that stops too early is a valid one.

    \b
    Example:  pbem verify
              pbem verify downloaded-game --game 94901e555ec7eb8a004cadeef9119356
    """
    from pbem.archive.verify import verify
    from pbem.cli._telling import renderers

    root = Path(archive) if archive else _root()
    with progress("verifying") as step:
        found = verify(root, game, step, own=_own(root), renderers=renderers)
    if as_json:
        print_json(_data(found))
    else:
        _told(found)
    ctx.exit(0 if found.ok else 1)


def _root() -> Path:
    from pbem.archive.folder import Folder

    return Folder.open(here()).root


def _own(root: Path) -> Private | None:
    """The private side, if this is a player's own folder and can be read without asking anybody.

    The folder may be a stranger's, so its files are read like those of one.
    """
    from pbem.archive import layout
    from pbem.archive.private import ME, SEAL, Private
    from pbem.text.diagnostics import PbemError

    private = Private(root, None)
    try:
        here = [layout.read(root, name, layout.PLAYER_LIMIT) for name in (ME, SEAL)]
        mine = None not in here and private.me is not None and private.me.role == "player"
        return private if mine and private.seal_key else None
    except PbemError as fault:
        note(f"your own views were not looked at: {safe(fault, 400)}")
        return None


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
        "findings": [
            {"class": one.kind, "code": one.code, "stage": one.stage, "party": one.party, "text": one.text}
            for one in found.findings
        ],
    }
