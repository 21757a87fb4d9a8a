"""Orders that a correction of the report has overtaken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.stages.progress import revisions
from pbem.trust.statements import Statement

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Readable


def orders_to_sign_again(folder: Readable) -> Statement | None:
    """Return my newest order for the current stage, if it answers a report that was corrected later."""
    progress = folder.progress
    mine = revisions(folder.of(progress.open_stage, "order"), "order").get(folder.me or "", [])
    stale = mine and mine[0].prev != progress.head and folder.me in progress.asked
    return mine[0] if stale else None
