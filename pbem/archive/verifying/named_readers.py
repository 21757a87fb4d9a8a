"""Answers for named readers, as far as an archive and its reader show them (protocol-letters 3, 7)."""

from __future__ import annotations

from pbem.archive.folder.private_side import Private
from pbem.archive.verifying.own_views import is_mine, lost_view, own_apart
from pbem.archive.verifying.read_archive import Archive
from pbem.archive.verifying.texts import spans
from pbem.engine.system import System
from pbem.stages.inputs import Setting
from pbem.stages.named_readers import are_for_readers, kept_faults, view_fault
from pbem.stages.unseal_checks import openings_in
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.trust.errors import BadSeal, BadView


def check_readers(archive: Archive, own: Private | None, system: System) -> bool:
    """Check answers for named readers, and say which were read here; False if one is false."""
    notes, gm = archive.notes, archive.roster.terms.arbiter
    opened = openings_in(archive.unseals, archive.find_any)
    proved: list[int] = []
    unread: dict[str, list[int]] = {}
    for stage in sorted(archive.reports):
        record = archive.record(stage)
        for fault in kept_faults(system, record):
            notes.false("readers", fault.text, stage, gm)
            return False
        if not record.readers:
            continue
        try:
            mine = _read_here(archive, own, system, stage)
        except (BadSeal, BadView, Refused) as wrong:
            text = Message("archive.verifying.readers-view", fault=wrong)
            notes.false("readers", text, stage, gm)
            return False
        sids = [sid for sid in record.accepted.values() if sid is not None]
        kept = [(sid, d) for sid in sids for d in _sealed_to_readers(archive, system, stage, sid)]
        if all(decision in opened.get(sid, {}) for sid, decision in kept) or len(mine) == len(record.readers):
            proved.append(stage)
            continue
        proved += [stage] if mine else []
        for who, _ in record.readers:
            if who not in mine:
                unread.setdefault(", ".join(who), []).append(stage)
    if proved:
        notes.proved("readers", Message("archive.verifying.readers-read", spans=spans(proved)))
    for audience, stages in sorted(unread.items()):
        text = Message("archive.verifying.readers-not-read", spans=spans(stages), audience=audience)
        notes.claimed("readers", text)
    return True


def _sealed_to_readers(archive: Archive, system: System, stage: int, sid: str) -> list[str]:
    order = archive.find(stage, sid)
    return (
        [commit for commit in order.said.commits if are_for_readers(system, commit)]
        if order is not None
        else []
    )


def _read_here(archive: Archive, own: Private | None, system: System, stage: int) -> set[tuple[str, ...]]:
    """Return the audiences whose answers were in the owner's view, and match; BadView if one does not."""
    record, me = archive.record(stage), own.me if own is not None else None
    if own is None or me is None or me.role != "player":
        return set()
    if not any(me.party in who for who, _ in record.readers):
        return set()
    if not is_mine(archive, own, stage) or lost_view(archive, me.party, stage):
        return set()
    apart = own_apart(archive, own, stage)
    setting = Setting(system, archive.roster_of(stage))
    fault = view_fault(setting, record, apart, me.party, archive.find)
    if fault is not None:
        raise BadView(fault)
    return {group.audience for group in apart}
