"""Reports and views on the desk: the report of the current stage, and corrections of the newest one."""

from __future__ import annotations

from dataclasses import replace

from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder import two_reports
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.stage_files import older_views
from pbem.archive.ordering.overtaken import orders_to_sign_again
from pbem.archive.receiving.desk import Desk
from pbem.archive.receiving.missing_statements import missing_report
from pbem.archive.receiving.restoring_reports import take_back
from pbem.archive.receiving.taking_forks import closes_fork
from pbem.archive.receiving.taking_reports import Arrived, Waiting, adopt, blob_of
from pbem.stages.deputies import check_charge
from pbem.stages.progress import Progress, one_report, when
from pbem.text.messages import Message, in_turn
from pbem.trust import groups
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement

AGAIN = "archive.receiving.again"


class ReportDesk(Desk):
    """A desk that takes the reports on it.

    `late`: the owner agrees that their last orders were late, so a report may have an older
    revision. `render` makes the texts of reports.
    """

    def __init__(self, folder: Folder, late: bool, render: Render | None) -> None:
        super().__init__(folder)
        self.late = late
        self.render = render

    def advance(self, progress: Progress) -> bool:
        """Try the report of the current stage; True if the folder has moved on."""
        if self._corrected(progress):
            return True
        reports = self.open_of("report", progress.open_stage)
        newest = max((item.heard.rev for item in reports), default=0)
        for best in (item for item in reports if item.heard.rev == newest):  # of two copies, the complete one
            if self.folder.fork() and not closes_fork(self.folder, best.heard):
                self.wait(best, Message("archive.receiving.gm-has-signed-two-different-reports-of-one"))
                break
            assert best.statement is not None
            arrived = Arrived(best.statement, best.signed, self._views(progress.open_stage))
            try:
                check_charge(progress, self.folder, best.statement)
                changes, note = self._adopted(progress, arrived)
            except Waiting as reason:
                self.wait(best, str(reason))
            except NotAccepted as fault:
                harmless = self.folder.knows_all or fault.code == "charge"
                self.refuse(best, "refused", fault, false=None if harmless else progress.open_stage)
            else:
                self.done(best, changes, "taken", note)
                self._take_views(best.statement, changes)
                changes.update(two_reports.end(self.folder, best.statement.report.record, best.statement.rev))
                for item in reports:
                    if item is not best and one_report(item.heard, best.heard):
                        if item.heard.sender != best.heard.sender:
                            changes.keep(item.heard.stage, item.heard.sid, item.signed)
                        self.done(item, changes, "noted", Message(AGAIN))
                self.folder.commit(changes)
                return True
        for item in self.open():
            statement = item.statement
            if statement is None:
                continue
            if when(progress, statement) == "late":
                self.refuse(
                    item,
                    "refused",
                    NotAccepted("stage", Message("archive.receiving.it-belongs-to-report-that-is-not-here")),
                )
            elif when(progress, statement) == "far":
                message = Message(
                    "archive.receiving.stage-not-open-yet",
                    stage=statement.stage,
                    open_stage=progress.open_stage,
                    missing=missing_report(self.folder, [statement]),
                )
                self.refuse(item, "refused", NotAccepted("stage", message))
            elif statement.stage > progress.open_stage:
                waits_for = Message("archive.receiving.waits-stage", stage=statement.stage)
                lacking = missing_report(self.folder, [statement])
                self.wait(item, f"{waits_for}: {lacking}", early=True)
            else:
                self.wait(item, "", early=True)
        return False

    def _adopted(self, progress: Progress, arrived: Arrived) -> tuple[Changes, str]:
        """Return the files of a stage whose report is right, and a note: by the truth if it is known here."""
        if not self.folder.knows_all:
            return adopt(self.folder, progress, arrived, late=self.late, render=self.render)
        own = arrived.report.sender == self.folder.me
        note = Message("archive.receiving.your-own-report-is-taken-back") if own else ""
        return take_back(self.folder, progress, arrived, self.render), note

    def _corrected(self, progress: Progress) -> bool:
        """Take a correction of the newest stage, if one has come; True if the folder has changed."""
        item = next(iter(self.open_of("report", progress.stage)), None)
        if item is None or item.statement is None:
            return False
        if self.folder.fork() and not closes_fork(self.folder, item.statement):
            return False
        report, before = item.statement, self.folder.progress_at(progress.stage - 1)
        arrived = Arrived(report, item.signed, self._views(progress.stage))
        ending = two_reports.end(self.folder, report.report.record, report.rev)
        try:
            if report.report.record.closed and not ending:
                raise Waiting(Message("archive.receiving.two-reports-that-it-ends-are-not-here"))
            changes, _ = self._adopted(before, arrived)
        except Waiting as reason:
            self.wait(item, str(reason))
            return False
        except NotAccepted as fault:
            self.refuse(item, "refused", fault, false=progress.open_stage)
            return False
        kept = older_views(self.folder, progress.stage, report.rev - 1)
        kept.update(ending)
        kept.update(changes)
        words = (
            Message("archive.receiving.fork-is-over", stage=progress.stage, rev=report.rev)
            if ending
            else Message(
                "archive.receiving.stage-is-corrected-and-revision-counts",
                stage=progress.stage,
                rev=report.rev,
            )
        )
        self.done(item, kept, "taken", words)
        self._take_views(report, kept)
        self.folder.commit(kept)
        if orders_to_sign_again(self.folder) is not None and item.receipt is not None:
            note = Message("archive.receiving.your-orders-answer-report-before")
            item.receipt = replace(item.receipt, reason=in_turn((item.receipt.reason, note)))
        return True

    def _views(self, stage: int) -> dict[str, Statement]:
        """Return the views received for a stage, by the hash of their sealed content."""
        came = (item.statement for item in self.of_stage(stage))
        views = (view for view in came if view is not None and view.type == "view")
        return {groups.view_hash(blob_of(view)).hex(): view for view in views}

    def _take_views(self, report: Statement, changes: Changes) -> None:
        """Accept the view statements whose blobs were kept beside their report."""
        named = report.report.views.values()
        for item in self.open_of("view", report.stage):
            statement = item.statement
            assert statement is not None
            if groups.view_hash(blob_of(statement)).hex() in named:
                self.done(item, changes, "taken", "")
            elif statement.view.head == report.report.record.head:
                self.done(item, changes, "noted", Message(AGAIN))

    def sealed_again(self, statement: Statement) -> bool:
        """Return True for a report that is here already but for its seals, and for its views (17.35)."""
        stage = statement.stage
        if statement.type == "view":
            return statement.view.head == self.folder.head(stage)
        if statement.type != "report":
            return False
        here = (report for report in self.folder.of(stage, "report") if report.rev == statement.rev)
        return any(one_report(report, statement) for report in here)
