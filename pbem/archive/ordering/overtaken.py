"""Orders that a correction of the report has overtaken."""

from __future__ import annotations

from pbem.archive.folder.game_folder import Folder
from pbem.stages.progress import revisions
from pbem.trust.statements import Statement


def orders_to_sign_again(folder: Folder) -> Statement | None:
    """My newest order for the open stage, if it answers a report that has been corrected since."""
    line = folder.line
    mine = revisions(folder.of(line.open_stage, "order"), "order").get(folder.me or "", [])
    stale = mine and mine[0].prev != line.head and folder.me in line.asked
    return mine[0] if stale else None
