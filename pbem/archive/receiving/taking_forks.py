"""Forks: two reports or locks of one stage, kept as proof until everyone ends the fork (5.3)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.two_reports import FORK, is_ended
from pbem.archive.letters.refusals import other_reports
from pbem.archive.receiving.desk import Desk, Item
from pbem.stages.deputies import mandate
from pbem.stages.faults import type_words
from pbem.text.messages import Message
from pbem.trust.statements import Statement


def take_fork(desk: Desk, item: Item, report: Statement, changes: Changes) -> bool:
    """Keep two reports of one stage and revision as proof; from then on nothing is signed here.

    Returns False if there is no other report, or lock, of that stage. One that comes after all have ended the
    fork is kept aside.
    """
    come = [(i.statement, i.signed) for i in desk.of_stage(report.stage) if i.statement is not None]
    others = other_reports(desk.folder, report, come)
    if not others:
        return False
    if is_ended(desk.folder, report.stage):
        reason: str = Message("archive.receiving.fork-was-ended", stage=report.stage)
        desk.keep_aside(item, report, changes, reason)
        desk.done(item, changes, "noted", reason)
        return True
    reason = _words(desk, report, [other for other, _ in others])
    for statement, signed in [*others, (report, item.signed)]:
        changes.keep(report.stage, statement.sid, signed)
    name = f"{layout.INBOX}/{FORK}{report.stage:04d}.txt"
    changes.write(name, f"{reason}:\nboth lie in {layout.stage_name(report.stage)}/\n")
    desk.done(item, changes, "fork", reason)
    return True


def closes_fork(folder: Readable, report: Statement) -> bool:
    """Return True for a report that closes the newest stage, or the open one, by an amendment of all.

    Its signatures are checked when it is adopted.
    """
    if report.type != "report" or not report.report.record.closed:
        return False
    return report.stage in (folder.stage, folder.stage + 1)


def _words(desk: Desk, report: Statement, others: Sequence[Statement]) -> str:
    """Return who signed the contradicting statements, with the charge of a deputy."""
    signers = tuple(dict.fromkeys([*(other.sender for other in others), report.sender]))
    common = {"type": type_words(report.type), "stage": report.stage, "rev": report.rev}
    if len(signers) == 1:
        return Message("archive.receiving.gm-has-signed-two-of-a-kind", **common)
    before = desk.folder.progress_at(report.stage - 1)
    here = (i.heard for i in desk.of_stage(before.open_stage) if i.heard.type == "charge")
    charged = mandate(before, desk.folder, [charge for charge in here if charge.prev == before.head])
    by, sid = (charged.charge.sender, charged.charge.sid[:12]) if charged is not None else ("", "")
    return Message("archive.receiving.gm-and-deputy-differ", signers=signers, by=by, charge=sid, **common)
