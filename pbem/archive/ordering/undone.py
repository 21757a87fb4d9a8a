"""Revision numbers of undone statements, which are never used again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.archive.folder.layout import PRIVATE

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Readable


UNDONE = f"{PRIVATE}/undone.json"


def used_revisions(folder: Readable, stage: int) -> dict[str, int]:
    """Return the highest undone revision of each type of statement in a stage."""
    data = folder.private.json(UNDONE)
    if not data or data.get("stage") != stage:
        return {}
    used: dict[str, int] = dict(data["used"])
    return used
