"""Receiving amendments and co-signatures, and the keys by which a statement counts.

Protocol 4.4, 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.amending.proposing import files_of
from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.parts import Readable
from pbem.archive.receiving.desk import Desk, Item
from pbem.stages.amendments import judge, proposals, roster_to_come, state_of
from pbem.stages.progress import Progress
from pbem.text.messages import Message
from pbem.trust import statements
from pbem.trust.accept import accept
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.roster import Party
from pbem.trust.statements import Statement

_UNSIGNED = ("size", "signer", "signature")


def hear(folder: Readable, progress: Progress, item: Item) -> None:
    """Set the statement of an item by its signature and the checks without history, or its fault.

    NotAccepted if a party signed something that cannot count. The keys are those in force in the
    current stage, those that a complete amendment brings in, and for what was said before, or at
    the end, former ones.
    """
    if item.parties and item.parties == progress.roster.active:
        return
    item.statement, item.parties = None, ()
    signatures = (*item.signed.signatures, *_beside(folder, progress, item.signed.data))
    signed = Signed(item.signed.data, tuple(dict.fromkeys(signatures)))
    former = [entry.party for entry in progress.roster.former]
    heard = _heard(progress, signed, progress.roster.active)
    if heard is not None and heard[0].type != "amend":  # a co-signer may arrive later
        item.parties = progress.roster.active
    if heard is None and folder.stage >= 0:
        coming = roster_to_come(progress, proposals(progress, folder)).active
        heard = _heard(progress, signed, coming) if coming != progress.roster.active else None
        if heard is not None and _too_soon(progress, heard[0]):
            heard = None
    if heard is None and former:
        heard = _heard(progress, signed, [*former, *progress.roster.active])
        if heard is not None and heard[0].stage > progress.stage and heard[0].type != "unseal":
            item.fault = Message("archive.receiving.signed-with-former-key", sender=heard[0].sender)
            heard = None
    if heard is None:
        item.fault = item.fault or _why(progress, signed)
        return
    item.statement, by = heard
    others = [signature for signature in signed.signatures if signature != by]
    item.signed = Signed(signed.data, (by, *others) if item.statement.type == "amend" else (by,))


def _too_soon(progress: Progress, statement: Statement) -> bool:
    """Return True if a coming key signs something of the current stage other than a coming GM's report.

    Protocol 17.9.
    """
    return statement.stage == progress.open_stage and statement.kind.group != "results"


def _beside(folder: Readable, progress: Progress, data: bytes) -> Sequence[str]:
    """Return the signatures in the folder: co-signers of an amendment need not send them again."""
    if b'"type":"amend"' not in data:
        return ()
    return layout.signatures(folder.root, progress.open_stage, statements.sid(data))


def _heard(progress: Progress, signed: Signed, parties: Sequence[Party]) -> tuple[Statement, str] | None:
    """Return the statement and its sender's signature, or None if no such party signed it."""
    worst: NotAccepted | None = None
    for signature in signed.signatures:
        try:
            terms = progress.roster.terms
            game = progress.roster.game
            return accept(signed.data, signature, parties=parties, game=game, dice=terms.dice), signature
        except NotAccepted as fault:
            if fault.code not in _UNSIGNED:
                worst = fault
                worst.signature = signature
    if worst is not None:
        raise worst
    return None


def _why(progress: Progress, signed: Signed) -> str:
    for signature in signed.signatures:
        try:
            accept(
                signed.data,
                signature,
                parties=progress.roster.active,
                game=progress.roster.game,
                dice=progress.roster.terms.dice,
            )
        except NotAccepted as fault:
            return str(fault)
    return Message("archive.adjudicating.unsigned")


# --- amendments -------------------------------------------------------------------------------------------


def take_amendment(
    desk: Desk, item: Item, statement: Statement, progress: Progress, changes: Changes
) -> None:
    """Keep an amendment for the current stage and its new signatures; NotAccepted if it can't count."""
    here = layout.signatures(desk.folder.root, statement.stage, statement.sid)
    before = judge(progress, statement, here)
    now = judge(progress, statement, (*here, *item.signed.signatures), desk.folder.system)
    if now.fault is not None:
        raise NotAccepted("amend", now.fault)
    new = [who for who in now.signatures if who not in before.signatures]
    if not new:
        desk.done(
            item,
            changes,
            "duplicate",
            Message("archive.receiving.it-is-here-already-and-state", state=state_of(now)),
        )
        return
    changes.update(files_of(now))
    desk.done(
        item,
        changes,
        "taken",
        Message("archive.receiving.amendment-signed-by", parties=tuple(new), state=state_of(now)),
    )
