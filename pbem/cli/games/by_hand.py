"""`pbem adjudicate STATE.yaml ORDERS... --out DIR`: for a GM who keeps files by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.shell.keys import key_for, passphrase

if TYPE_CHECKING:
    from pbem.archive import StageResult


def adjudicate_files(
    files: Sequence[Path],
    out: Path | None,
    private: Path | None,
    key_file: str | None,
    *,
    forfeits: Sequence[str],
    passed: bool,
    dry_run: bool,
    by: str | None,
    lang: str = "en",
) -> StageResult:
    """Run the stage after a state file. The secrets are in `private`, else beside the state.

    Nothing there says when the last report was, so where days were agreed on it is for the GM to say that
    they have `passed`.
    """
    from pbem.archive import StateFile, side_of
    from pbem.archive import adjudicate_files as adjudicated
    from pbem.cli.games.clock import check_over, next_deadline
    from pbem.cli.games.telling import renderer
    from pbem.report.language import language
    from pbem.stages import deadlines

    language(lang)  # refuse an unknown language
    state = StateFile.open(files[0])
    terms = state.progress.roster.terms
    if forfeits and not passed:
        check_over(None, deadlines.of(terms))
    side = side_of(state.path, private, passphrase)
    return adjudicated(
        state,
        files[1:],
        out,
        side,
        key_for(side, key_file),
        forfeits=forfeits,
        dry_run=dry_run,
        by=next_deadline(terms, by),
        render=renderer(lang),
    )
