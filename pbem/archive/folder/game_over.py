"""When no stage follows: the rules have come to an end, or the GM has opened everything (protocol 11.3)."""

from __future__ import annotations

from pbem.archive.folder.parts import Going
from pbem.text.diagnostics import Diagnostic, Refused

OVER = "the game is over"


def unsealed(folder: Going) -> bool:
    """Whether the GM has opened everything: then the game ends where it stands."""
    gm = folder.need_roster().terms.arbiter
    here = folder.statements(folder.progress.open_stage) if folder.stage >= 0 else []
    return any((one.type, one.sender) == ("unseal", gm) for one, _ in here)


def ended(folder: Going) -> bool:
    """Whether no stage follows."""
    return folder.progress.over or unsealed(folder)


def need_going_on(folder: Going) -> None:
    """Refused if no stage follows; says what is left to do."""
    if not ended(folder):
        return
    message, help_ = f"{OVER}: nobody is asked anything", "`pbem verify` checks the whole of it"
    if unsealed(folder):
        message = f"{OVER} and everything in it is opened: nobody is asked anything"
    elif folder.is_gm:
        help_ = "`pbem unseal` opens what was hidden, then `pbem verify` proves the whole game"
    raise Refused(Diagnostic("game-over", message, help=(help_,)))
