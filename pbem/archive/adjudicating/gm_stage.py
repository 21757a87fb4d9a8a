"""The GM's side of a stage: collect orders, run it, sign the report, write the email (protocol 13)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from pbem.archive.adjudicating.closed_stages import closed_record, closed_run, signed_whole
from pbem.archive.adjudicating.locks_and_links import lock_of, sign_lock, under_lock
from pbem.archive.adjudicating.publishing import Publication, Render, publish
from pbem.archive.folder import layout, private_side, two_reports
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.earlier import earlier
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import need_going_on, unsealed
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import kept_from
from pbem.archive.folder.two_reports import to_amend
from pbem.stages import running
from pbem.stages.amendments import Proposal, counting
from pbem.stages.arrived_orders import Collected, collect, with_earlier, with_own_link
from pbem.stages.deadlines import forfeit_fault
from pbem.stages.deputies import mandate
from pbem.stages.inputs import Setting, StageInputs
from pbem.stages.progress import Progress
from pbem.stages.running import Run
from pbem.stages.scenario_terms import parse_scenario_name
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from pbem.trust.keys import Signer
from pbem.trust.statements import Statement


@dataclass(frozen=True)
class StageResult:
    """The result of a run.

    Not `done` if something is `missing`: then nothing was run or written.

    `refused` says which statements were left out and why: of files given by hand, and rulings that no longer
    fit. `locked`: nothing
    was run, a lock was signed; the links come next.
    """

    stage: int
    done: bool
    missing: Mapping[str, str] = field(default_factory=dict)
    run: Run | None = None
    written: Sequence[Path] = ()
    mail: Path | None = None
    refused: Sequence[str] = ()
    locked: bool = False

    @property
    def finished(self) -> bool:
        """Return True if the game is over."""
        return self.run is not None and self.run.outcome.finished

    @property
    def asked(self) -> dict[str, list[str]]:
        """Return who is asked now, and what."""
        return self.run.asked if self.run else {}

    @property
    def diagnostics(self) -> tuple[tuple[str, Diagnostic], ...]:
        """Return the faults of unusable answers, by party."""
        return self.run.outcome.diagnostics if self.run else ()


def adjudicate(
    folder: Folder,
    signer: Signer,
    forfeits: Collection[str] = (),
    *,
    dry_run: bool = False,
    by: str | None = None,
    render: Render | None = None,
) -> StageResult:
    """Run the current stage as far as it goes and write report, state and mail.

    The first run starts the game. `forfeits` are parties whose deadline has passed (games with
    `absent: skip`), `by` the next deadline as text. A dry run writes nothing. Refused if this is not the
    GM's folder, the game is over, or the rules installed are others than the roster's. Complete amendments
    go into the record; one that closes the stage overrides all its orders.
    """
    with folder.working():
        folder.need_acting()
        progress = to_amend(folder)
        counted = counting(progress, two_reports.proposed(folder))
        if any(proposal.closes for proposal in counted):
            return _close(folder, progress, signer, counted, dry_run=dry_run, by=by, render=render)
        _check_ready(folder, signer)
        if folder.stage < 0:
            setting = folder.setting(secret=True)
            name, chosen = parse_scenario_name(folder.system, setting.roster.terms.scenario.name)
            done = running.begin(setting, name, chosen)
            taken: list[Signed] = [_signed_roster(folder)]
            left: dict[bytes, str] = {}
        else:
            gm = folder.need_gm()
            collected = collect(folder.statements(progress.open_stage), progress, gm, folder.gm_side.seal_key)
            lock = lock_of(folder)
            if lock is not None:
                collected, forfeits = under_lock(folder, lock, collected)
            else:
                check_forfeits(progress, forfeits, collected.orders)
            missing = collected.missing(progress, forfeits)
            if missing:
                return StageResult(progress.open_stage, False, missing)
            if lock is None and progress.roster.terms.dice == "locked":
                return _lock(folder, signer, collected, forfeits, dry_run, by)
            taken = [*collected.signed, *(signed_whole(proposal) for proposal in counted), *charges(folder)]
            kept = kept_from(folder.private.json(private_side.KEPT))
            given = collected.given(progress, frozenset(forfeits), kept)
            given = with_earlier(progress, given, collected, folder.find)
            given = with_own_link(progress, given, gm, folder.own_chain())
            done, left = _run(folder, given, counted)
            taken = [signed for signed in taken if signed.data not in left]
        if dry_run:
            return StageResult(progress.open_stage, True, {}, done)
        after = progress.after(done.record, folder.find)
        setting = folder.setting(secret=True)
        before = earlier(folder)
        publication = publish(setting, signer, progress, done, taken, by, render, after, earlier=before)
        written = folder.commit(publication.changes)
        result = finish(folder.root, publication, progress.open_stage, done, written)
        refused = [Message("archive.adjudicating.ruling-is-not-in-it", why=why) for why in left.values()]
        return replace(result, refused=refused)


def _lock(
    folder: Folder, signer: Signer, collected: Collected, forfeits: Collection[str], dry: bool, by: str | None
) -> StageResult:
    """Fix the orders that count before any link is out: the first half of a stage with dice locked."""
    stage = folder.progress.open_stage
    if dry:
        return StageResult(stage, True, locked=True)
    letter, changes = sign_lock(folder, signer, collected, forfeits, by)
    written = folder.commit(changes)
    mail = folder.root / layout.OUTBOX / f"{letter.name}{letter.ending}"
    return StageResult(stage, True, written=written, mail=mail, locked=True)


def _run(folder: Readable, given: StageInputs, counted: Sequence[Proposal]) -> tuple[Run, dict[bytes, str]]:
    """Return the run with the amendments in it, except rulings that no longer fit; these are named."""
    amends = tuple(proposal.statement for proposal in counted)
    given = replace(given, amends=amends, ruled=folder.private.rulings([amend.sid for amend in amends]))
    setting, state = folder.setting(secret=True), folder.state()
    left: dict[bytes, str] = {}
    while True:
        try:
            return running.run(setting, state, given), left
        except Refused as fault:
            ruling = next((amend for amend in reversed(given.amends) if _rules(amend)), None)
            if ruling is None:
                raise
            left[ruling.bytes] = fault.diagnostics[0].message
            given = replace(given, amends=tuple(amend for amend in given.amends if amend is not ruling))


def _rules(amendment: Statement) -> bool:
    return any(op["op"] == "ruling" for op in amendment.amendment.ops)


def _close(
    folder: Folder,
    progress: Progress,
    signer: Signer,
    counted: Sequence[Proposal],
    *,
    dry_run: bool,
    by: str | None,
    render: Render | None,
) -> StageResult:
    """Close the current stage; the GM of the next stage signs the report (17.9).

    A stage of two reports is closed once more, by the next revision, which brings both as proof.
    """
    if unsealed(folder):
        need_going_on(folder)
    forked = two_reports.disputed(folder) is not None and two_reports.ends(counted)
    if not forked:
        folder.check_no_fork()
    stage, record = progress.open_stage, closed_record(progress, counted)
    after = progress.after(record, folder.find)
    me = after.roster.by_id[folder.need_acting()]
    if signer.public != me.sign or me.id in after.roster.dropped:
        message = Message("archive.adjudicating.key-is-not-one-from-now-on", party=me.id, name=me.name)
        raise Refused(Diagnostic("other-key", message))
    done = closed_run(folder, record, after, gm=True)
    if dry_run:
        return StageResult(stage, True, {}, done)
    secret = folder.secret_for(after.position) if folder.system.hidden else None
    deputy = me.id if me.role == "deputy" else None
    setting = Setting(folder.system, after.roster, secret, deputy)
    taken = [*(signed_whole(proposal) for proposal in counted), *charges(folder)]
    rev, changes = two_reports.next_revision(folder, stage), Changes()
    if forked:
        taken += [signed for statement, signed in folder.statements(stage) if statement.kind.twice == "fork"]
        changes = two_reports.end(folder, record, rev)
    before = earlier(folder)
    publication = publish(setting, signer, progress, done, taken, by, render, after, rev, before)
    changes.update(publication.changes)
    return finish(folder.root, publication, stage, done, folder.commit(changes))


def charges(folder: Readable) -> list[Signed]:
    """Return the charge under which the owner acts as deputy. It travels with their emails."""
    if folder.role != "deputy":
        return []
    charged = mandate(folder.progress, folder)
    kept = folder.statement(charged.charge.stage, charged.charge.sid) if charged is not None else None
    return [kept[1]] if kept is not None else []


def _signed_roster(folder: Readable) -> Signed:
    """Return the roster with all signatures: the first report brings it to those who lack some."""
    return Signed(folder.need_roster().statement.bytes, tuple(folder.roster_signatures().values()))


def _check_ready(folder: Readable, signer: Signer) -> None:
    unsigned = folder.unsigned()
    if unsigned:
        message = Message("archive.adjudicating.roster-unsigned", unsigned=tuple(unsigned))
        raise Refused(
            Diagnostic(
                "roster-unsigned",
                message,
                help=(Message("archive.adjudicating.pbem-receive-their-signatures-first"),),
            )
        )
    need_going_on(folder)
    check_gm(folder, signer)


def check_gm(folder: Readable, signer: Signer) -> None:
    """Check that this key, these rules and this folder may sign a report; Refused if not."""
    me = folder.need_roster().by_id[folder.need_acting()]
    if signer.public != me.sign:
        raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me.id)))
    folder.check_module()
    folder.check_no_fork()


def check_forfeits(progress: Progress, forfeits: Collection[str], having: Collection[str]) -> None:
    """Check that the game lets these parties forfeit.

    Raises Refused if not; `having` are those whose orders are here.
    """
    strangers = sorted(set(forfeits) - set(progress.asked))
    if strangers:
        stage = progress.open_stage
        message = Message("archive.adjudicating.not-asked", strangers=tuple(strangers), stage=stage)
        raise Refused(Diagnostic("not-asked", message))
    for party in sorted(forfeits):
        fault = forfeit_fault(progress.roster.terms, party, has_order=party in having, fresh=progress.fresh)
        if fault is not None:
            help_ = (Message("archive.adjudicating.wait-remind-him-with-pbem-remind"),)
            raise Refused(
                Diagnostic("must-wait", Message("archive.adjudicating.must-wait", fault=fault), help=help_)
            )


def finish(
    root: Path, publication: Publication, stage: int, done: Run, written: Sequence[Path]
) -> StageResult:
    """Return the result of a stage whose files are written."""
    letter = publication.letter
    mail = root / layout.OUTBOX / f"{letter.name}{letter.ending}"
    return StageResult(stage, True, {}, done, written, mail)
