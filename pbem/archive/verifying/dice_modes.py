"""The checks of `verify` for dice `locked` and `pair`: locks, links, and the last signer (10, 13, 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.archive.verifying.counting_reports import closed_by_rewind, say_ended
from pbem.engine.system import System
from pbem.stages.faults import named
from pbem.stages.locked_dice import check_link
from pbem.stages.two_players import check_last
from pbem.text.messages import Message
from pbem.trust.errors import NotAccepted

if TYPE_CHECKING:
    from pbem.archive.verifying.read_archive import Archive
    from pbem.stages.progress import Progress
    from pbem.stages.running import Run


# --- pair -----------------------------------------------------------------------------------------------


def last_signed(archive: Archive, progress: Progress) -> str:
    """Return who has signed the last head, in words."""
    if archive.roster.terms.dice != "pair":
        return Message("archive.verifying.has-gms-signature-only")
    heads = {
        statement.sender
        for statement in archive.of(progress.stage, "link")
        if statement.given_link.head == progress.head
    }
    waiting = archive.evidence.get(progress.open_stage)
    if waiting is not None:
        heads |= {
            statement.sender
            for _, statement in sorted(waiting.statements.items())
            if statement.prev == progress.head
        }
    if not heads:
        return Message("archive.verifying.has-nobodys-signature-yet")
    *others, last = sorted(heads)
    return Message("archive.verifying.head-signed-by", others=tuple(others), last=last)


# --- locked ---------------------------------------------------------------------------------------------


def check_locks(archive: Archive, stage: int) -> None:
    """Report two locks of one stage, and links for a lock that is not here (10, rule 1)."""
    notes, gm = archive.notes, archive.roster.terms.arbiter
    listed = archive.of(stage, "lock")
    locks = {lock.sid for lock in listed}
    closing = archive.reports.get(stage)
    if len(locks) > 1 and closing is not None and closed_by_rewind(archive, stage, closing):
        say_ended(archive, stage, [lock.sender for lock in listed])
    elif len(locks) > 1:
        gm = next((lock.sender for lock in listed if lock.sender != gm), gm)
        notes.false("fork", Message("archive.verifying.fork"), stage, gm)
    if archive.roster.terms.dice == "pair":
        return
    answered: dict[str, set[str]] = {}
    for statement in archive.of(stage, "link"):
        answered.setdefault(statement.sender, set()).add(statement.said.answers or "")
    for party, sids in sorted(answered.items()):
        if len(sids) > 1:
            notes.claimed("two-locks", Message("archive.verifying.two-locks", party=party), stage, party)
        for sid in sorted(sids - locks):
            text = Message("archive.verifying.other-lock", party=party, sid=sid[:12])
            notes.claimed("other-lock", text, stage, party)


# --- by the rules ---------------------------------------------------------------------------------------


def link_faults(archive: Archive, progress: Progress, system: System, run: Run) -> list[tuple[str, str]]:
    """Return (party, fault) of links that do not open what the rules require."""
    mode, record = progress.roster.terms.dice, archive.record(progress.open_stage)
    if mode == "swift" or record.kind != "played":
        return []
    faults: list[tuple[str, str]] = []
    for link in archive.of(progress.open_stage, "link"):
        try:
            if mode == "pair":
                check_last(progress, link, archive, system)
                open_ = [
                    question.key
                    for question in run.outcome.pending
                    if question.opening and question.party == link.sender
                ]
                if open_:
                    message = Message("archive.verifying.opening", open=tuple(open_))
                    raise NotAccepted("opening", message)
            elif link.said.answers == record.lock:
                sid = record.accepted.get(link.sender)
                order = named(progress, link.sender, sid, "order", archive.find)[0] if sid else None
                check_link(progress, link, order, system)
        except NotAccepted as fault:
            faults.append((link.sender, Message("archive.verifying.link", sender=link.sender, fault=fault)))
    return faults
