"""`verify`: a whole archive, from the roster to the last head (protocol 12.3 and 15).

Takes statements, signatures and sealed blobs from the folder and makes everything else anew. Runs no code and
reads no YAML that came with it; the rules are the installed ones.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.folder.private_side import Private
from pbem.archive.verifying import results_note
from pbem.archive.verifying.amendment_findings import changes_by_amendments, proxied
from pbem.archive.verifying.counting_reports import report_that_counts
from pbem.archive.verifying.deputies import check_deputy
from pbem.archive.verifying.dice_modes import check_locks, last_signed
from pbem.archive.verifying.evidence import StageEvidence, check_derived, read_derived, read_stage
from pbem.archive.verifying.findings import Notes, few, shown
from pbem.archive.verifying.letters import check_letters, read_letters
from pbem.archive.verifying.plain_mail import say_plain
from pbem.archive.verifying.read_archive import Archive, Renderers
from pbem.archive.verifying.results import check_results
from pbem.archive.verifying.results_note import Verified
from pbem.archive.verifying.rosters import check_files, check_roster
from pbem.archive.verifying.sealed_stages import PROGRAM, Files, Sealed, digest_of
from pbem.archive.verifying.texts import say_other_words, spans
from pbem.archive.verifying.verification import Verification
from pbem.stages.faults import type_words
from pbem.stages.progress import Progress, equivocations, revisions
from pbem.stages.record_checks import record_faults, roll_faults
from pbem.stages.unseal_checks import unseal_fault
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message
from pbem.trust import dice, records
from pbem.trust.records import Record
from pbem.trust.statements import Statement

Counting = Callable[[int, int], None]
"""Called with what is done and what there is to do."""
_MOST = 200


def verify(
    root: Path,
    game_id: str | None = None,
    counting: Counting | None = None,
    *,
    own: Private | None = None,
    renderers: Renderers | None = None,
    since: Verified | None = None,
) -> Verification:
    """Check everything in an archive that can be checked.

    `game_id` is the id that the reader knows the game by, at least 32 digits of it. `own` is the
    private side of a player's own folder, which lets the player check views before the game is
    unsealed. `renderers` let the reports for people be compared; without them they are passed over.
    `since` is the note of an earlier verify: results up to its stage are not looked at again.
    Refused if it is not of this history.
    """
    notes = Notes()
    evidence = read_evidence(root, game_id, notes, counting, since)
    if evidence is None:
        return Verification(notes.findings)
    archive, progress = evidence
    archive.renderers = renderers
    if since is not None and not notes.any_false():
        archive.trusted = _trusted(archive, progress, since)
    count = len(archive.evidence)
    if not notes.any_false():
        check_results(archive, own, lambda done: counting(count + done, 2 * count) if counting else None)
        say_other_words(archive)
    if counting:
        counting(2 * count, 2 * count)
    head = progress.head if progress.stage >= 0 else None
    final = None
    if archive.final is not None and not notes.any_false():
        rules = archive.roster.terms.module.sha256
        texts = renderers is not None and (archive.trusted is None or archive.trusted.texts)
        texts = texts and not archive.other_words
        game, seals = archive.roster.game, _seals(archive)
        final = results_note.of_run(game, rules, archive.final, seals, texts=texts)
        if since is not None and (final.head, final.sealed) == (since.head, since.sealed):
            final = None  # already reported
    return Verification(notes.findings[:_MOST], archive.roster.game, progress.stage, head, final)


def _trusted(archive: Archive, progress: Progress, since: Verified) -> Verified | None:
    """Return the note, if it is of a stage of this very history.

    None if a file of one of its stages has changed: then all is played again, and texts are compared (17.31).
    """
    heads = [earlier.head for earlier in archive.before[1:]] + [progress.head]
    fits = since.game == archive.roster.game and 0 <= since.stage < len(heads)
    if not fits or heads[since.stage] != since.head or since.rules != archive.roster.terms.module.sha256:
        message = Message("archive.verifying.other-history")
        help_ = (Message("archive.verifying.verify-without-since-looks-at-everything"),)
        raise Refused(Diagnostic("other-history", message, help=help_))
    return since if len(archive.sealed) > since.stage else None


def _seals(archive: Archive) -> Iterator[Sealed]:
    """Yield the results of the first stages for a later verify, up to one that it has to check itself."""
    for stage in range(len(archive.before)):
        seal = archive.seal(stage)
        if seal is None:
            return
        yield seal


def read_evidence(
    root: Path,
    game_id: str | None,
    notes: Notes,
    counting: Counting | None = None,
    since: Verified | None = None,
) -> tuple[Archive, Progress] | None:
    """Return everything in an archive that can be checked without replay; None without a roster.

    What is wrong with it is in `notes`: nothing of an archive with anything false in it may be used. What
    `since` has of the first stages is taken over as long as nothing in them has changed.
    """
    roster = check_roster(root, game_id, notes)
    if roster is None:
        return None
    archive = Archive(root, roster, notes)
    archive.read_scenario()
    numbers = _stages(archive)
    steps = 2 * len(numbers)
    ours = since is not None and since.program == PROGRAM and since.game == roster.game
    known = since.sealed if since is not None and ours else ()
    progress = _walk(archive, numbers, known, lambda done: counting(done, steps) if counting else None)
    if not notes.any_false():
        check_files(root, archive.in_force, notes)
        _missing(archive)
    _ends(archive, progress)
    if not notes.any_false():
        check_letters(archive)
    return archive, progress


def _stages(archive: Archive) -> list[int]:
    """Return the stage folders that follow each other from 0."""
    notes = archive.notes
    if (archive.root / layout.STAGES).is_symlink():
        notes.false("odd-file", Message("archive.verifying.odd-file"))
        return []
    numbers = layout.stage_numbers(archive.root)
    for inside, strange in (
        (False, layout.strange_in_root(archive.root)),
        (True, _no_stages(archive.root)),
    ):
        if strange:
            notes.claimed(
                "strange-file",
                Message(
                    "archive.verifying.no-place-in-archive",
                    inside=inside,
                    names=few(strange),
                    count=len(strange),
                ),
            )
    following = [stage for i, stage in enumerate(numbers) if stage == i]
    if len(following) < len(numbers):
        missing = len(following)
        notes.false("gap", Message("archive.verifying.gap", missing=missing), missing)
    return following[: layout.MAX_STAGES]


def _no_stages(root: Path) -> list[str]:
    return [
        entry.name
        for entry in layout.entries(root / layout.STAGES)
        if not entry.is_dir(follow_symlinks=False)
        or f"{_number(entry.name):04d}" != entry.name
        or not layout.holds_files(Path(entry.path))
    ]


def _number(name: str) -> int:
    return int(name) if name.isascii() and name.isdigit() and len(name) <= 10 else -1


def _missing(archive: Archive) -> None:
    """Report derived files that are not here (17.26)."""
    names = [layout.STATE, layout.SIGNERS, layout.MODULE_LOCK]
    for stage in sorted(archive.reports):
        own = ["record.json", "report.txt", *(["events.json"] if stage else [])]
        own += [layout.IN_FORCE] if archive.record(stage).amends else []
        names += [f"{layout.stage_name(stage)}/{name}" for name in own]
    gone = [name for name in names if not (archive.root / name).exists()]
    if gone:
        text = Message("archive.verifying.no-derived", names=few(gone))
        archive.notes.claimed("no-derived", text)


# --- stage by stage -------------------------------------------------------------------------------------


def _unchanged(archive: Archive, progress: Progress, stage: int, known: Sealed) -> Record | None:
    """Return the record of a stage, if none of its bytes changed since an earlier verify."""
    files = Files(archive.root)
    try:
        data = files.read(f"{layout.stage_name(stage)}/record.json", layout.DERIVED_LIMIT)
        if data is None or digest_of(files, stage) != known.files:
            return None
        record = records.check(json.loads(data))
    except (ValueError, RecursionError, PbemError):
        return None
    return record if record.stage == stage and record.prev == progress.head else None


def _walk(
    archive: Archive, numbers: list[int], known: Sequence[Sealed], step: Callable[[int], None]
) -> Progress:
    """Follow the records as far as they hold; stops at the first stage with something false in it.

    The evidence of each stage is read with the keys that were in force in it. Stages that are `known` and
    have not changed are not read, up to the first that has.
    """
    notes = archive.notes
    progress = Progress.start(archive.roster, archive.record)
    for stage in numbers:
        record = _unchanged(archive, progress, stage, known[stage]) if stage < len(known) else None
        if record is not None:
            archive.take(stage, known[stage], record)
            archive.before.append(progress)
            progress = archive.progress = progress.after(record, archive.find)
            step(stage)
            continue
        if stage < len(known):
            notes.claimed("changed", Message("archive.verifying.changed-since"), stage)
        known, first = (), len(notes.findings)
        archive.evidence.put(stage, read_stage(archive.files, progress, stage, notes))
        step(stage)
        report = None if notes.any_false() else report_that_counts(archive, progress, stage)
        if not notes.any_false() and report is None:
            if stage != numbers[-1]:
                text = Message("archive.verifying.no-report", gm=bool(_gm(archive)))
                notes.false("no-report", text, stage, _gm(archive))
            break
        if report is not None:
            archive.reports.put(stage, report)
            archive.before.append(progress)
            _check_stage(archive, progress, report)
        if notes.any_false():
            if stage != numbers[-1]:
                notes.claimed(
                    "not-looked-at",
                    Message("archive.verifying.stages-after-stage-were-not-looked", stage=stage),
                    stage,
                )
            break
        progress = archive.progress = progress.after(archive.record(stage), archive.find)
        _in_force(archive, progress)
        archive.said[stage] = tuple(notes.findings[first:])
    if not notes.any_false():
        read_letters(archive)
        _check_opened(archive)
    return progress


def _in_force(archive: Archive, progress: Progress) -> None:
    """Compare the file of the roster in force with the amendments."""
    name = f"{layout.stage_name(progress.stage)}/{layout.IN_FORCE}"
    if not os.path.lexists(archive.root / name):
        return
    derived = read_derived(archive.files, name, progress.stage, archive.notes, progress.in_force())
    if derived is not None and (not archive.record(progress.stage).amends or derived != progress.in_force()):
        text = Message("archive.verifying.file-is-not-what-amendments-left-in-force", file=layout.IN_FORCE)
        archive.notes.false("derived", text, progress.stage)


def _gm(archive: Archive) -> str | None:
    return archive.roster.terms.arbiter


def _check_stage(archive: Archive, progress: Progress, report: Statement) -> None:
    notes, stage = archive.notes, progress.open_stage
    record = archive.record(stage)
    evidence = archive.evidence[stage]
    if report.prev != progress.head:
        notes.false(
            "prev", Message("archive.verifying.report-does-not-follow-record-before"), stage, report.sender
        )
        return
    for fault in record_faults(progress, record, archive):
        notes.false(fault.code, fault.text, stage, fault.party)
    check_derived(archive.files, evidence, report, notes)
    if record.seed is not None:
        archive.seeds[stage] = record.seed
    for fault in roll_faults(archive.seeds, {}, stage, report.report.events):
        notes.false(fault.code, fault.text, stage, fault.party)
    check_deputy(archive, progress, evidence)
    _check_others(archive, progress, evidence)


def _check_opened(archive: Archive) -> None:
    """Check that final openings match the commitments, and hidden rolls the secret (11.3)."""
    notes, last = archive.notes, len(archive.before) - 1
    for stage in range(last + 1):
        for unseal in () if stage in archive.sealed else archive.of(stage, "unseal"):
            _check_unseal(archive, unseal)
            if unseal in archive.unseals and unseal.unseal.secret is not None:
                text = Message("archive.verifying.unsealed-early", sender=unseal.sender)
                notes.claimed("unsealed-early", text, stage, unseal.sender)
    for stage, seed in sorted(archive.seeds.items()):
        secret = archive.secret_at(stage)
        if secret is None:
            continue
        key = dice.hidden_key(secret, archive.roster.game_id, stage)
        archive.hidden_seeds[stage] = dice.hidden_seed(seed, key)
        events = archive.reports[stage].report.events
        for fault in roll_faults(archive.seeds, archive.hidden_seeds, stage, events):
            notes.false(fault.code, fault.text, stage, fault.party)


def _check_others(archive: Archive, progress: Progress, evidence: StageEvidence) -> None:
    """Check statements that the record does not name: other histories, conflicts, left-out revisions."""
    notes, stage = archive.notes, evidence.stage
    for _, statement in sorted(evidence.statements.items()):
        if statement.prev in archive.superseded.get(stage - 1, ()):
            continue  # sent before the report that it answers was corrected (17.8)
        if statement.prev != progress.head and statement.kind.chained and statement.type != "report":
            text = Message(
                "archive.verifying.statement-answers-another-history",
                type=type_words(statement.type),
                sid=statement.sid[:12],
                sender=statement.sender,
            )
            notes.false("prev", text, stage, statement.sender)
        if statement.type == "order" and statement.sender not in progress.asked:
            notes.false(
                "not-asked",
                Message("archive.verifying.not-asked", sender=statement.sender),
                stage,
                statement.sender,
            )
    _protests(archive, evidence)
    check_locks(archive, stage)
    _two_with_one_number(archive, evidence)
    if not archive.record(stage).closed:  # in a closed stage nobody's orders count (4.4)
        _left_out(archive, evidence, "order", archive.accepted(stage))
        _left_out(archive, evidence, "standing", archive.record(stage).standing)
    _rest_on_words(archive, stage)


def _two_with_one_number(archive: Archive, evidence: StageEvidence) -> None:
    """Report two statements of one party, stage, type and revision as proof against it (17.25)."""
    for first, second in equivocations(evidence.statements.values()):
        text = Message(
            "archive.verifying.equivocation",
            sender=first.sender,
            type=type_words(first.type),
            rev=first.rev,
            sid=first.sid[:12],
            file=second.sid[:12],
        )
        archive.notes.proved("equivocation", text, evidence.stage, first.sender)


def _protests(archive: Archive, evidence: StageEvidence) -> None:
    for statement in evidence.of("protest"):
        text = Message(
            "archive.verifying.protests", party=statement.sender, text=shown(statement.protest.text)
        )
        archive.notes.claimed("protest", text, evidence.stage, statement.sender)


def _left_out(
    archive: Archive,
    evidence: StageEvidence,
    type_: str,
    listed: Mapping[str, str | None] | Mapping[str, str],
) -> None:
    """Report statements that should have counted instead of those in the record (5.4, 5.5)."""
    notes, stage = archive.notes, evidence.stage
    late = (
        Message("archive.verifying.that-it-came-too-late-is-gms-word")
        if _gm(archive)
        else Message("archive.verifying.other-answered-earlier-one")
    )
    had = {sid for ack in evidence.of("ack") for sid in ack.ack.have}
    for party, revision in sorted(revisions(evidence.statements.values(), type_).items()):
        counted = archive.find(stage, listed.get(party) or "")
        for left in revision:
            if counted is not None and left.sid == counted.sid:
                break
            text = Message(
                "archive.verifying.record-takes-another-revision",
                taken=counted.rev if counted else None,
                party=party,
                type=type_,
                rev=left.rev,
            )
            if left.sid in had:
                notes.false(
                    "acknowledged", Message("archive.verifying.acknowledged", text=text), stage, _gm(archive)
                )
            else:
                notes.claimed(
                    "left-out", Message("archive.verifying.left-out", text=text, late=late), stage, party
                )


def _check_unseal(archive: Archive, unseal: Statement, head: str | None = None) -> None:
    """Check that openings match the commitments; `head` is the head that they must follow."""
    fault = unseal_fault(archive.in_force, unseal, archive.find_any)
    if head is not None and unseal.prev != head:
        fault = Message("archive.verifying.it-answers-another-history-than-this-one")
    if fault is not None:
        text = Message("archive.verifying.unseal", sender=unseal.sender, fault=fault)
        archive.notes.false("unseal", text, unseal.stage, unseal.sender)


def _rest_on_words(archive: Archive, stage: int) -> None:
    """Report what rests on claims in a stage: skipped players, rulings, takeovers without the old key."""
    record = archive.record(stage)
    for finding in changes_by_amendments(archive.before[stage], record, archive):
        (archive.notes.proved if finding.proved else archive.notes.claimed)(
            finding.code, finding.text, stage, finding.party
        )
    for party in record.forfeits:
        text = Message("archive.verifying.forfeit", party=party)
        archive.notes.claimed("forfeit", text, stage, party)


# --- the end --------------------------------------------------------------------------------------------


def _ends(archive: Archive, progress: Progress) -> None:
    """Report what has been proved, what the current stage holds, and what was unsealed."""
    notes, roster = archive.notes, archive.roster
    for party, since, until in proxied(roster, archive.in_force):
        began, ended = since and since + 1, None if until is None else str(until)
        text = Message("archive.verifying.proxy", party=party, first=began, last=ended)
        notes.claimed("proxy", text, None, party)
    if notes.any_false() or progress.stage < 0:
        return
    first, last = len(archive.sealed), progress.stage
    if first:
        text = Message("archive.verifying.not-looked-at-since-trusted-note", spans=spans(range(first)))
        notes.claimed("trusted", text)
    if first <= last:
        looked_at = range(first, last + 1)
        for stage in looked_at:
            say_plain(archive, stage)
        count = sum(len(archive.evidence[stage].statements) for stage in looked_at)
        text = Message("archive.verifying.statements-are-each-signed", count=count)
        notes.proved("statements", Message("text.diagnostics.about", what=spans(looked_at), message=text))
        rolls = sum(archive.rolls(stage) for stage in looked_at)
        notes.proved("dice", Message("archive.verifying.dice", rolls=rolls))
    notes.claimed(
        "last-head",
        Message(
            "archive.verifying.last-head", head=progress.head, last_signed=last_signed(archive, progress)
        ),
        progress.stage,
    )
    _open_stage(archive, progress)


def _open_stage(archive: Archive, progress: Progress) -> None:
    waiting = archive.evidence.get(progress.open_stage)
    if waiting is None:
        return
    for statement in waiting.of("unseal"):
        _check_unseal(archive, statement, progress.head)
    _protests(archive, waiting)
    _two_with_one_number(archive, waiting)
    check_locks(archive, progress.open_stage)
    orders = [statement for statement in waiting.of("order") if statement.prev == progress.head]
    if orders:
        senders = ", ".join(sorted({order.sender for order in orders}))
        text = Message("archive.verifying.open-stage", senders=senders)
        archive.notes.claimed("open-stage", text, progress.open_stage)
