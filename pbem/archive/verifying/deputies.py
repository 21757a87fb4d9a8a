"""Checks of a deputy's acts: under which charge, and whether they were allowed (letters 5, 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.archive.verifying.evidence import StageEvidence
from pbem.stages.deputies import Mandate, charge_fault, mandate, needs_charge
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive.verifying.read_archive import Archive
    from pbem.stages.progress import Progress


def check_deputy(archive: Archive, progress: Progress, evidence: StageEvidence) -> None:
    """Check the charges of a stage, and that the deputy acted in it on one."""
    notes, stage = archive.notes, evidence.stage
    for charge in evidence.of("charge"):
        fault = charge_fault(progress.roster, charge)
        if fault is not None:
            text = Message("archive.verifying.charge-fault", sender=charge.sender, fault=fault)
            notes.false("charge", text, stage, charge.sender)
    for handover in evidence.of("handover"):
        text = Message("archive.verifying.handover-got-out", sender=handover.sender)
        notes.claimed("handover", text, stage, handover.sender)
    acted = [
        statement for statement in evidence.statements.values() if needs_charge(progress.roster, statement)
    ]
    if not acted:
        return
    deputy = acted[0].sender
    charged = mandate(progress, archive)
    if charged is None:
        text = Message("archive.verifying.acted-without-a-charge", deputy=deputy)
        notes.false("charge", text, stage, deputy)
    elif any(statement.type == "report" for statement in acted):
        _say(archive, stage, deputy, charged)


def _say(archive: Archive, stage: int, deputy: str, mandate_: Mandate) -> None:
    where = {"deputy": deputy, "charge": mandate_.charge.sid[:12], "since": mandate_.charge.stage}
    if mandate_.alone:
        text = Message("archive.verifying.deputy-alone", **where)
        archive.notes.claimed("deputy", text, stage, deputy)
    else:
        text = Message("archive.verifying.deputy-charged", **where)
        archive.notes.proved("deputy", text, stage, deputy)
