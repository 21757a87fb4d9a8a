"""Taking back a GM's own signed reports, for a folder that was restored from an older backup.

Otherwise the GM would sign a second report of the stage, which the players must take for a fork (protocol
5.3).
"""

from __future__ import annotations

from pbem.archive.adjudicating.closed_stages import closed_run
from pbem.archive.adjudicating.correcting import run_again
from pbem.archive.adjudicating.publishing import Render, lasting_files, report_name, report_texts
from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.earlier import earlier
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import record_files, run_files
from pbem.archive.receiving.taking_reports import Arrived, Waiting, keep
from pbem.stages import running
from pbem.stages.deputies import acted_for_gm
from pbem.stages.inputs import Setting
from pbem.stages.plain_replies import written_down
from pbem.stages.progress import Progress
from pbem.stages.record_checks import first_difference, record_faults
from pbem.stages.running import Run
from pbem.stages.scenario_terms import parse_scenario_name
from pbem.stages.views import roster_facts
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message, in_turn
from pbem.trust.errors import NotAccepted
from pbem.trust.records import Record


def take_back(folder: Readable, progress: Progress, arrived: Arrived, render: Render | None) -> Changes:
    """Return the files of a stage whose report the GM has signed and lost.

    Waiting if a statement it names is not here, NotAccepted if the stage comes out otherwise.
    """
    record = arrived.report.report.record
    faults = list(record_faults(progress, record, folder))
    wrong = [fault for fault in faults if fault.kind == "false"]
    if wrong:
        raise NotAccepted("record", in_turn(fault.text for fault in wrong))
    if faults:
        missing = in_turn(fault.text for fault in faults)
        raise Waiting(Message("archive.receiving.ask-players-for-mails-once-more", missing=missing))
    after = progress.after(record, folder.find)
    closed = record.closed
    secret = folder.secret_for(after.position) if folder.system.hidden else None
    deputy = acted_for_gm(progress.roster, arrived.report)
    setting = Setting(folder.system, after.roster if closed else progress.roster, secret, deputy)
    _need_rulings(folder, record)
    try:
        run = (
            closed_run(folder, record, after, gm=True)
            if closed
            else _again(folder, progress, setting, record)
        )
    except Refused as refused:
        raise NotAccepted("results", refused.diagnostics[0].message) from None
    different = first_difference(run.record, record)
    if different is not None:
        message = Message("archive.receiving.rules-here-give-another-result", different=different)
        raise NotAccepted("results", message)
    changes = record_files(record, run.events)
    changes.update(run_files(setting, run, gm=True))
    changes.update(lasting_files(setting, run, after))
    keep(changes, progress, arrived)
    by = arrived.report.report.by or None
    facts = roster_facts(run.facts, setting.audience)
    began, plain = progress.roster, written_down(record, folder.find)
    before = earlier(folder)
    texts = report_texts(
        setting, began, record, run.events, facts, run.asked, by, render, earlier=before, unsigned=plain
    )
    changes.write(f"{layout.stage_name(progress.open_stage)}/report.txt", texts[None])
    for reader, text in texts.items():
        if reader is not None:
            changes.write(report_name(progress.open_stage, reader), text)
    return changes


def _need_rulings(folder: Readable, record: Record) -> None:
    """Check that sealed rulings of a stage are open here; Waiting if the GM has to hand them over."""
    for sid in record.amends:
        amendment = folder.find(record.stage, sid)
        sealed = amendment is not None and any("commit" in op for op in amendment.amendment.ops)
        if sealed and folder.role == "deputy" and folder.private.ruling(sid) is None:
            raise Waiting(Message("archive.receiving.ruling-was-not-handed-over", stage=record.stage))


def _again(folder: Readable, progress: Progress, setting: Setting, record: Record) -> Run:
    if progress.stage >= 0:
        return run_again(folder, progress, record)
    name, chosen = parse_scenario_name(folder.system, progress.roster.terms.scenario.name)
    return running.begin(setting, name, chosen)
