"""The GM's deputy in `pbem status`: who it is, who is in charge, and what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


def unconfirmed(folder: Folder) -> tuple[list[str], str] | None:
    """Return the deputy's question whether a handover has been confirmed, if it is open."""
    from pbem.archive import taking_over

    if not taking_over.to_confirm(folder):
        return None
    return [Message("cli.standing.confirm-the-handover")], "pbem deputy ready"


def steps_of(folder: Folder) -> list[str]:
    """Return the commands of `pbem deputy` that the owner of this folder may give now."""
    from pbem.archive import handing_over, taking_over
    from pbem.stages import deadlines, deputies

    if folder.role not in ("gm", "deputy") or folder.stage < 0 or folder.need_roster().deputy is None:
        return []
    progress = folder.progress
    charged = deputies.mandate(progress, folder) is not None and not deputies.gm_is_back(progress, folder)
    alone = bool(deadlines.of(folder.terms).deputy_days)
    wanted = {
        "handover": folder.is_gm and handing_over.due(folder),
        "ready": taking_over.to_confirm(folder),
        "charge": folder.is_gm and not charged and not deputies.gm_is_back(progress, folder),
        "takeover": folder.role == "deputy" and folder.knows_all and not charged and alone,
        "return": charged,
    }
    return [step for step, may in wanted.items() if may]


def lines_of_deputy(folder: Folder) -> list[str]:
    """Return who is the deputy, whether they are ready, and who is in charge."""
    from pbem.archive import handing_over
    from pbem.stages import deputies

    roster = folder.need_roster()
    if roster.deputy is None or folder.stage < 0:
        return []
    progress = folder.progress
    mandate = deputies.mandate(progress, folder)
    charged = mandate is not None and not deputies.gm_is_back(progress, folder)
    lines: list[str] = [
        Message(
            "cli.standing.deputy",
            name=safe(roster.deputy.name),
            party=roster.deputy.id,
            ready=deputies.ready(progress, folder),
            since=mandate.charge.stage if mandate is not None and charged else "",
            alone=mandate is not None and charged and mandate.alone,
        )
    ]
    if handing_over.due(folder):
        lines.append(Message("cli.standing.handover-is-due"))
    return lines
