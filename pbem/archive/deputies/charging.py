"""Charges: signed notices to everyone of who runs the stages from now on (protocol-letters 5)."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.deputies.handing_over import need_deputy
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import need_going_on
from pbem.archive.letters import outbox
from pbem.stages.deputies import charge_fault, gm_is_back, mandate
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from pbem.trust.keys import Signer


def charge(folder: Folder, signer: Signer, to: str) -> list[Path]:
    """Sign that this party, GM or deputy, acts from the current stage on. Return the files written.

    The caller vouches that the GM was silent for the agreed days. Refused if the charge cannot be,
    or changes nothing.
    """
    with folder.working():
        me, deputy = folder.need_me("gm", "deputy"), need_deputy(folder)
        need_going_on(folder)
        folder.check_no_fork()
        progress = folder.progress
        if signer.public != progress.roster.by_id[me].sign:
            raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me)))
        if folder.role == "deputy" and not folder.knows_all and to == me:
            raise Refused(Diagnostic("charge", Message("archive.folder.no-handover-here")))
        statement = progress.own_statement("charge", {"to": to}, me)
        fault = charge_fault(progress.roster, statement)
        if fault is not None:
            raise Refused(Diagnostic("charge", fault))
        acting = mandate(progress, folder) is not None and not gm_is_back(progress, folder)
        if acting == (to == deputy.id):
            raise Refused(Diagnostic("charge", Message("archive.deputies.in-charge-already", party=to)))
        if to == deputy.id and gm_is_back(progress, folder):
            message = Message("stages.deputies.gm-is-back", stage=progress.open_stage)
            raise Refused(Diagnostic("charge", message))
        signed = Signed.by(signer, statement.bytes)
        changes = Changes()
        changes.keep(statement.stage, statement.sid, signed)
        lines = [
            Message(
                "archive.deputies.acts-from-now-on",
                name=progress.roster.by_id[to].name,
                party=to,
                stage=statement.stage,
                alone=me == to == deputy.id,
            )
        ]
        readable = outbox.heading(progress.roster.terms.title, lines)
        what = Message("archive.deputies.charge-subject", party=to)
        letter = outbox.to_all(
            progress.roster, statement, what, readable, [signed], file=f"charge-{statement.sid[:8]}"
        )
        changes.update(letter.changes(folder.say))
        return folder.commit(changes)
