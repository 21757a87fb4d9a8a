"""Statements due from me without a decision: a link for a lock, or a stage's last word between two.

Protocol 10, 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.keys import Signer

if TYPE_CHECKING:
    from pbem.archive.adjudicating.publishing import Render


def link_due(folder: Readable) -> bool:
    """Return True if only my link is wanted from me now."""
    if folder.role != "player" or folder.roster is None or folder.unsigned() or folder.stage < 0:
        return False
    if folder.progress.over or _stopped(folder):
        return False
    dice = folder.progress.roster.terms.dice
    if dice == "swift":  # the link goes with the order
        return False
    from pbem.archive.adjudicating import between_two, locks_and_links

    return between_two.due(folder) if dice == "pair" else locks_and_links.due(folder)


def _stopped(folder: Readable) -> bool:
    try:
        folder.check_no_fork()
    except Refused:
        return True
    return False


def give_link(folder: Folder, signer: Signer, *, render: Render | None = None) -> Sequence[Path]:
    """Sign the link that is due and return the files written. Refused if none is due.

    In a game of two, run the stage with it.
    """
    from pbem.archive.adjudicating import between_two, locks_and_links

    if folder.progress.roster.terms.dice != "pair":
        return locks_and_links.answer(folder, signer)
    result = between_two.close_between_two(folder, signer, render=render)
    if not result.done:
        party, reason = next(iter(result.missing.items()))
        raise Refused(
            Diagnostic(
                "not-your-turn", Message("archive.adjudicating.not-your-turn", party=party, reason=reason)
            )
        )
    return result.written
