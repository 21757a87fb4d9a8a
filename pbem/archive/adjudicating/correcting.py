"""Corrections: a stage run again with its orders and seed, and a report of higher revision (12.1).

Possible until the next stage is locked or reported; later it takes a ruling or a rewind.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.archive.adjudicating.closed_stages import state_behind
from pbem.archive.adjudicating.gm_stage import StageResult, check_gm, finish
from pbem.archive.adjudicating.publishing import Render, publish
from pbem.archive.folder.earlier import earlier
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import older_views
from pbem.archive.ordering.order_body import openings_of
from pbem.stages import running
from pbem.stages.faults import type_words
from pbem.stages.inputs import Opening, Setting, StageInputs
from pbem.stages.inputs_from_statements import from_record
from pbem.stages.progress import Progress
from pbem.stages.record_checks import correction_fault
from pbem.stages.rulings import DECISION as RULING
from pbem.stages.running import Run
from pbem.stages.sealed_orders import open_sealed
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from pbem.trust.bodies import STANDING
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import Signer
from pbem.trust.records import Record
from pbem.trust.statements import Statement


def correct(
    folder: Folder,
    signer: Signer,
    *,
    by: str | None = None,
    render: Render | None = None,
    dry_run: bool = False,
) -> StageResult:
    """Run the newest stage once more and sign the report with the next revision.

    Refused if the result is the same, if it is too late, or if this is not the GM's folder.
    """
    with folder.working():
        folder.need_acting()
        check_gm(folder, signer)
        stage, why = folder.stage, too_late(folder)
        if why is not None:
            help_ = (Message("archive.adjudicating.change-position-with-pbem-rule"),)
            raise Refused(
                Diagnostic(
                    "too-late", Message("archive.adjudicating.too-late", stage=stage, why=why), help=help_
                )
            )
        progress, old = folder.progress_at(stage - 1), folder.record(stage)
        done = run_again(folder, progress, old)
        if done.record == old:
            message = Message("archive.adjudicating.nothing-to-correct", stage=stage)
            raise Refused(Diagnostic("nothing-to-correct", message))
        fault = correction_fault(old, done.record)
        if fault is not None:
            raise Refused(
                Diagnostic("other-inputs", Message("archive.adjudicating.other-inputs", fault=fault))
            )
        if dry_run:
            return StageResult(stage, True, {}, done)
        rev = 1 + max(statement.rev for statement in folder.of(stage, "report"))
        deputy = folder.me if folder.role == "deputy" else None
        setting = Setting(folder.system, progress.roster, _secret(folder, stage), deputy)
        after = progress.after(done.record, folder.find)
        publication = publish(
            setting, signer, progress, done, _named(folder, old), by, render, after, rev, earlier(folder)
        )
        changes = older_views(folder, stage, rev - 1)
        changes.update(publication.changes)
        return finish(folder.root, publication, stage, done, folder.commit(changes))


def too_late(folder: Readable) -> str | None:
    """Return why the newest stage can no longer be corrected, or None."""
    if folder.stage < 1 or folder.record(folder.stage).kind != "played":
        return Message("archive.adjudicating.nothing-was-played")
    progress = folder.progress
    if any(statement.prev == progress.head for statement in folder.of(progress.open_stage, "lock")):
        return Message("archive.adjudicating.next-stage-is-locked")
    return None


def run_again(folder: Readable, progress: Progress, record: Record) -> Run:
    """Return a stage run again in the GM's own folder, from its record and what was sealed to the GM."""
    stage = progress.open_stage
    state, kept = state_behind(folder, progress)
    if state is None:
        raise Refused(
            Diagnostic(
                "no-state", Message("archive.adjudicating.whole-state-before-stage-is-not-here", stage=stage)
            )
        )
    given = _given(folder, progress, record, kept)
    return running.run(Setting(folder.system, progress.roster, _secret(folder, stage)), state, given)


def _given(folder: Readable, progress: Progress, record: Record, kept: running.Kept) -> StageInputs:
    gm = folder.need_gm()
    extra: dict[str, dict[str, Opening]] = {}
    for statement in _statements(folder, record):
        if statement.kind.group == "orders":
            try:
                extra[statement.sid] = dict(
                    open_sealed(statement, progress, gm, folder.gm_side.seal_key).openings
                )
            except NotAccepted as fault:
                message = Message(
                    "archive.adjudicating.unreadable",
                    type=type_words(statement.type),
                    sender=statement.sender,
                    fault=fault,
                )
                raise Refused(Diagnostic("unreadable", message)) from None
        elif (ruling := folder.private.ruling(statement.sid)) is not None:
            extra[statement.sid] = {RULING: Opening.of(ruling, statement.stage)}
    given = from_record(progress, record, folder, extra)
    both = {party: {**kept.get(party, {}), **given.kept.get(party, {})} for party in {**kept, **given.kept}}
    return replace(given, kept=both)


def _statements(folder: Readable, record: Record) -> list[Statement]:
    statements = (folder.find(record.stage, sid) for sid in _sids(record))
    return [statement for statement in statements if statement is not None]


def _sids(record: Record) -> list[str]:
    return [*record.sids, *record.amends]


def _named(folder: Readable, record: Record) -> list[Signed]:
    stage = record.stage
    kept = ((folder.statement(stage, sid), folder.signatures(stage, sid)) for sid in _sids(record))
    return [Signed(pair[1].data, tuple(signatures)) for pair, signatures in kept if pair is not None]


def _secret(folder: Readable, stage: int) -> bytes | None:
    return folder.secret_for(stage) if folder.system.hidden else None


# --- receiving ------------------------------------------------------------------------------------------


def check_correction(folder: Readable, report: Statement) -> None:
    """Check that a report corrects the newest stage here: higher revision, same orders.

    Raises NotAccepted if not.
    """
    stage = report.stage
    why = too_late(folder)
    if stage != folder.stage or why is not None:
        reason = why or Message("archive.adjudicating.stage-is-newest-that-ended", stage=folder.stage)
        raise NotAccepted(
            "correction", Message("archive.adjudicating.correction-is-too-late", stage=stage, reason=reason)
        )
    newest = max(
        (statement.rev for statement in folder.of(stage, "report")), default=0
    )  # of either who may sign one
    if newest >= report.rev:
        raise NotAccepted(
            "correction",
            Message("archive.adjudicating.revision-rev-of-report-is-here-already", rev=newest),
        )
    fault = correction_fault(folder.record(stage), report.report.record)
    if fault is not None:
        raise NotAccepted("correction", fault)


def written_again(folder: Readable, order: Statement) -> dict[str, Json]:
    """Return an order file with my answers from an order that a correction has replaced."""
    answers: dict[str, Json] = {given.decision: given.answer for given in order.order.given}
    known = openings_of(folder, order)
    answers |= {name: opening.value for name, opening in known.items() if name != STANDING}
    made: dict[str, Json] = {
        "game": folder.need_roster().game[:12],
        "stage": folder.progress.open_stage,
        "answers": answers,
    }
    filed = order.order.standing
    standing: Json = known[STANDING].value if STANDING in known else None if filed is None else list(filed)
    return made | ({"standing": standing} if standing is not None else {})
