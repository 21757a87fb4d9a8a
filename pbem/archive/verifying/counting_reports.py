"""The report of a stage that counts: the newest correction, or the end of a fork (5.3, 12.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.archive.verifying.evidence import StageEvidence
from pbem.stages.progress import Progress, one_report
from pbem.stages.record_checks import correction_fault
from pbem.text.messages import Message
from pbem.trust.statements import Statement

if TYPE_CHECKING:
    from pbem.archive.verifying.read_archive import Archive


def report_that_counts(archive: Archive, progress: Progress, stage: int) -> Statement | None:
    """Return the report that counts; two with one revision are a fork, unless all have ended it (5.3)."""
    if progress.roster.terms.dice == "pair":
        return archive.record_of_two(stage)
    listed = _one_each(archive.evidence[stage].of("report"), archive.evidence[stage])
    forked = len({report.rev for report in listed}) < len(listed)
    if forked and _ended(archive, stage, listed):
        return listed[0]
    if forked:
        signers = tuple(sorted({report.sender for report in listed}))
        text = Message("archive.verifying.two-different-reports", signers=signers)
        archive.notes.false("fork", text, stage, listed[0].sender)
        return None
    if listed and listed[0].rev > 1:
        _corrected(archive, stage, listed)
    return listed[0] if listed else None


def closed_by_rewind(archive: Archive, stage: int, report: Statement) -> bool:
    """Return True if a report closes its stage by a rewind; who signed that is checked with its record."""
    record = report.report.record
    amends = [archive.find(stage, sid) for sid in record.amends] if record.closed else []
    ops = [
        op["op"]
        for amend in amends
        if amend is not None and amend.type == "amend"
        for op in amend.amendment.ops
    ]
    return "rewind" in ops


def _ended(archive: Archive, stage: int, listed: Sequence[Statement]) -> bool:
    """Return True if a later revision ends a fork: then statements that answer the two are valid."""
    newest, others = listed[0], listed[1:]
    if any(other.rev == newest.rev for other in others) or not closed_by_rewind(archive, stage, newest):
        return False
    for other in others:
        archive.superseded.setdefault(stage, set()).add(other.report.record.head)
    say_ended(archive, stage, [other.sender for other in others])
    return True


def say_ended(archive: Archive, stage: int, signers: Sequence[str]) -> None:
    """Note that all ended a fork, and between whose reports or locks."""
    text = Message("archive.verifying.fork-ended", signers=tuple(sorted(set(signers))))
    archive.notes.proved("fork-ended", text, stage)


def _one_each(listed: Sequence[Statement], evidence: StageEvidence) -> list[Statement]:
    """Return the reports without those that differ in their seals alone (17.35).

    Of several the one stays whose views are here.
    """
    kept: list[Statement] = []
    for report in sorted(
        listed, key=lambda report: (-report.rev, -_views_here(report, evidence), report.sid)
    ):
        if not any(report.rev == other.rev and one_report(report, other) for other in kept):
            kept.append(report)
    return kept


def _views_here(report: Statement, evidence: StageEvidence) -> int:
    return sum(evidence.views.get(party) == digest for party, digest in report.report.views.items())


def _corrected(archive: Archive, stage: int, listed: Sequence[Statement]) -> None:
    """Check a correcting report: it has the same orders, links and seed; answers to old ones are valid."""
    counts, gm = listed[0], listed[0].sender
    text = Message("archive.verifying.corrected", rev=counts.rev, count=len(listed) - 1)
    archive.notes.claimed("corrected", text, stage, gm)
    for report in listed[1:]:
        old = report.report.record
        fault = correction_fault(old, counts.report.record)
        if fault is not None:
            archive.notes.false(
                "correction", Message("archive.verifying.correction", rev=counts.rev, fault=fault), stage, gm
            )
        archive.superseded.setdefault(stage, set()).add(old.head)
