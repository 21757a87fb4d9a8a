"""The report of a stage that counts in a folder: the last correction, or one of two (5.3, 12.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.stages.progress import revisions
from pbem.trust.statements import Statement

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Readable


def report_taken(folder: Readable, stage: int) -> Statement | None:
    """Return the report that this folder accepted: of those with its record the highest revision.

    None if there is none (between two nobody signs reports), or if two say the same record and something
    else beside it: then nobody can say which one was meant.
    """
    if not 0 <= stage <= folder.stage:
        return None
    head = folder.head(stage)
    here = [statement for statement in folder.of(stage, "report") if statement.report.record.head == head]
    reports = [report for _, listed in sorted(revisions(here, "report").items()) for report in listed]
    reports.sort(key=lambda report: -report.rev)
    newest = [report for report in reports if report.rev == reports[0].rev]
    by_both = {
        report.sender for report in newest
    }  # GM and deputy: their reports of one record are one report
    return newest[0] if newest and len(newest) == len(by_both) else None


def deadline_in(report: Statement | None) -> str:
    """Return when answers are due, as the GM wrote it in a report; for people (17.20)."""
    return report.report.by if report is not None else ""
