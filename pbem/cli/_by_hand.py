"""`pbem adjudicate STATE.yaml ORDERS... --out DIR`: for a GM who keeps files by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli._keys import key_for, passphrase

if TYPE_CHECKING:
    from pbem.archive.stage import StageResult


def adjudicate_files(
    files: Sequence[Path],
    out: Path | None,
    private: Path | None,
    key_file: str | None,
    *,
    forfeits: Sequence[str],
    dry_run: bool,
    by: str | None,
) -> StageResult:
    """Run the stage after a state file. The secrets are in `private`, else beside the state."""
    from pbem.archive import byhand
    from pbem.archive.private import Private
    from pbem.cli._telling import plain_renderer
    from pbem.mail.read import read
    from pbem.text.diagnostics import Diagnostic, Refused

    state, orders = files[0], files[1:]
    side = private or beside(state)
    me = Private(side.parent).me
    if me is None:
        message = f"{side} is not the GM's `private` folder: there is no me.json in it"
        raise Refused(Diagnostic("no-secret", message, help=("name that folder with --private",)))
    state_ = byhand.load_state(state)
    roster = byhand.line_of(state_, str(state)).roster
    return byhand.adjudicate_files(
        state,
        orders,
        out,
        side,
        key_for(me, key_file),
        forfeits=forfeits,
        dry_run=dry_run,
        by=by,
        render=plain_renderer({party.id: party.name for party in roster.parties}),
        read=lambda data: read(data).signed,
        passphrase=passphrase,
    )


def beside(state: Path) -> Path:
    """The `private` folder in which a state file lies, or that lies beside it."""
    folder = state.absolute().parent
    return folder if folder.name == "private" else folder / "private"
