"""The end of a game: the rules have ended it, or the GM has opened everything (protocol 11.3)."""

from __future__ import annotations

from pbem.archive.folder.parts import Readable
from pbem.stages.deputies import judges
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message


def unsealed(folder: Readable) -> bool:
    """Return True if the GM has unsealed the game, which ends it."""
    who = judges(folder.need_roster())
    here = folder.statements(folder.progress.open_stage) if folder.stage >= 0 else []
    opened = (unseal for unseal, _ in here if unseal.type == "unseal" and unseal.sender in who)
    return any(unseal.unseal.secret is not None for unseal in opened)


def ended(folder: Readable) -> bool:
    """Return True if no stage follows."""
    return folder.progress.over or unsealed(folder)


def need_going_on(folder: Readable) -> None:
    """Check that a stage follows; Refused if not, with what is left to do."""
    if not ended(folder):
        return
    message, help_ = (
        Message("archive.adjudicating.game-over"),
        Message("archive.folder.pbem-verify-checks-whole"),
    )
    if unsealed(folder):
        message = Message("archive.folder.game-is-over-and-opened")
    elif folder.acting:
        help_ = Message("archive.folder.pbem-unseal-opens-what-was-hidden")
    raise Refused(Diagnostic("game-over", message, help=(help_,)))


def need_over(folder: Readable) -> None:
    """Check that no stage follows; Refused if one does, with what stops a game early."""
    if ended(folder):
        return
    message = Message("archive.adjudicating.not-over", open_stage=folder.progress.open_stage)
    help_ = Message("archive.adjudicating.if-all-have-agreed-say-early")
    raise Refused(Diagnostic("not-over", message, help=(help_,)))
