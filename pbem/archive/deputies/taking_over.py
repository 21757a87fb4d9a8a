"""The deputy's side: a handover is opened and checked, and every stage is made again with it.

The deputy protests against results that do not follow, as the first auditor of the hidden part.
"""

from __future__ import annotations

from pathlib import Path

from pbem.archive.deputies.handing_over import keep, kept_signed
from pbem.archive.deputies.lent import all_fit
from pbem.archive.folder import private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.ended_stages import ended_by, ended_file
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.private_side import Private
from pbem.archive.folder.seat_letters import addresses_file
from pbem.archive.folder.stage_files import run_files
from pbem.archive.letters import outbox
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.history import gm_openings
from pbem.archive.verifying.read_archive import Archive
from pbem.archive.verifying.results import at_stage, play_again
from pbem.archive.verifying.verify import read_evidence
from pbem.stages import handovers
from pbem.stages.handovers import Handover
from pbem.stages.inputs import Setting, StageInputs
from pbem.stages.inputs_from_statements import Extra
from pbem.stages.running import Run
from pbem.stages.scenario_terms import system_as_played
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message
from pbem.trust.accept import accept
from pbem.trust.armour import Signed
from pbem.trust.chain import Chain
from pbem.trust.errors import BadSeal, NotAccepted
from pbem.trust.keys import Signer, seal_public
from pbem.trust.roster import Roster, secret_commitment
from pbem.trust.statements import Statement


class NotYet(PbemError):
    """A handover that can't be checked yet: the stages before it are not all here."""


def take(folder: Folder, statement: Statement, signed: Signed) -> None:
    """Accept a handover: afterwards this folder holds what the GM knows.

    NotAccepted with the first thing that is wrong, told to GM and deputy only. NotYet if stages are missing.
    """
    me = folder.need_me("deputy")
    if statement.game != folder.signed_roster().game:
        raise NotAccepted("game", Message("archive.deputies.other-game", game=statement.game[:12]))
    if statement.stage > folder.progress.open_stage or folder.stage < 0:
        _rulings_ahead(folder, statement, signed, me)
        raise NotYet(Message("archive.deputies.stages-are-missing", stage=statement.stage))
    then = folder.progress_at(statement.stage - 1)
    accept(
        signed.data,
        signed.signatures[0],
        parties=then.roster.active,
        game=then.roster.game,
        dice=then.roster.terms.dice,
    )
    if statement.prev != then.head:
        raise NotAccepted("prev", Message("archive.deputies.another-history", stage=statement.stage))
    opened = _opened(folder, statement, me)
    _check(then.roster, statement.sender, opened)
    secrets = {**opened.data(), "gm": statement.sender}
    name = f"handover-{statement.stage:05d}-{statement.rev:05d}"
    changes = keep(statement, signed)
    changes.update(folder.private.kept_secret(name, secrets))
    for sid, shown in opened.openings.items():
        changes.write(private_side.ruling_name(sid), private_side.to_text(shown.data()))
    if opened.mail:  # real addresses in a game with pseudonyms
        changes.update(addresses_file(opened.mail))
    changes.update(_made_again(folder, statement.sender, opened))
    folder.commit(changes)


def _rulings_ahead(folder: Folder, statement: Statement, signed: Signed, me: str) -> None:
    """Take the rulings out of a handover for a later stage: a report that is here may wait for one."""
    if not folder.knows_all:
        return
    roster = folder.need_roster()
    accept(signed.data, signed.signatures[0], parties=roster.active, game=roster.game, dice=roster.terms.dice)
    opened = _opened(folder, statement, me)
    _check(roster, statement.sender, opened)
    changes = Changes()
    for sid, shown in opened.openings.items():
        changes.write(private_side.ruling_name(sid), private_side.to_text(shown.data()))
    folder.commit(changes)


def _opened(folder: Readable, statement: Statement, me: str) -> Handover:
    if me not in statement.said.sealed:
        raise NotAccepted("reader", Message("stages.handovers.for-somebody-else"))
    try:
        return handovers.opened(statement, me, folder.private.seal_key)
    except BadSeal as fault:
        raise NotAccepted("handover", str(fault)) from None


def _check(roster: Roster, gm: str, handover: Handover) -> None:
    """Check that chain, seal key and secret match the roster, and that lent keys are players'."""
    entry = roster.by_id[gm]
    chain = Chain(roster.terms.salt, gm, handover.chain, roster.terms.chain_length)
    faults = [
        (chain.anchor != entry.anchor or handover.anchor != entry.anchor, "archive.deputies.wrong-chain"),
        (seal_public(handover.seal[0]) != entry.seal, "archive.deputies.wrong-seal"),
        (
            secret_commitment(roster.terms.salt, handover.secret) != roster.secret,
            "archive.deputies.wrong-secret",
        ),
        (not all_fit(roster, gm, handover), "archive.deputies.wrong-lent-keys"),
    ]
    for wrong, words in faults:
        if wrong:
            raise NotAccepted("handover", Message(words))


def _made_again(folder: Readable, gm: str, handover: Handover) -> Changes:
    """Return what the GM knows at the end of each stage, made from archive and handover."""
    own = Private(folder.root, folder.private.passphrase)
    own.__dict__["gm_side"] = folder.private.with_handover(gm, [handover])  # as if it were taken already
    notes = Notes()
    evidence = read_evidence(folder.root, folder.signed_roster().game, notes)
    if evidence is None or notes.any_false():
        bad = next((finding.in_place for finding in notes.findings if finding.kind == "false"), "")
        raise NotAccepted("handover", Message("archive.deputies.archive-is-not-sound", why=bad))
    archive = evidence[0]
    archive.own_secrets = [handed_over.secret for handed_over in handover.all()]
    changes = Changes()
    final, at = _played(archive, gm_openings(archive, own, handover.openings), changes)
    changes.update(run_files(at, final, gm=True))
    changes.remove(private_side.VIEW)
    return changes


def _played(archive: Archive, extra: Extra, changes: Changes) -> tuple[Run, Setting]:
    system = system_as_played(archive.in_force.terms, whole=archive.whole)
    setting, notes = Setting(system, archive.roster), Notes()

    def each(stage: int, run: Run, given: StageInputs | None) -> None:
        if run.position == stage:
            changes.update(ended_file(stage, ended_by(at_stage(archive, setting, stage), run)))

    final = play_again(archive, setting, extra, each, notes)
    if final is None:
        reason = notes.findings[0].in_place
        raise NotAccepted("handover", Message("archive.deputies.stage-does-not-follow", reason=reason))
    return final, at_stage(archive, setting, len(archive.before) - 1)


def confirm(folder: Folder, signer: Signer) -> list[Path]:
    """Tell all, signed, that the handover arrived and all follows from it. Return the files
    written.
    """
    with folder.working():
        me, progress = folder.need_me("deputy"), folder.progress
        if not folder.knows_all:
            raise Refused(Diagnostic("charge", Message("archive.folder.no-handover-here")))
        if signer.public != progress.roster.by_id[me].sign:
            raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me)))
        newest = max(
            (handover for handover, _ in kept_signed(folder)),
            key=lambda handover: (handover.stage, handover.rev),
        )
        if confirmed(folder) == newest.sid:
            raise Refused(Diagnostic("signed-already", Message("archive.deputies.confirmed-already")))
        here = [ack for ack in folder.of(progress.open_stage, "ack") if ack.sender == me]
        rev = 1 + max((ack.rev for ack in here), default=0)
        statement = progress.own_statement("ack", {"have": [newest.sid]}, me, rev)
        signed = Signed.by(signer, statement.bytes)
        changes = Changes()
        changes.keep(statement.stage, statement.sid, signed)
        lines = [
            Message("archive.deputies.is-ready", name=progress.roster.by_id[me].name),
            Message("archive.deputies.every-stage-follows", stage=progress.stage),
        ]
        readable = outbox.heading(progress.roster.terms.title, lines)
        what = Message("archive.deputies.ready-subject", deputy=me)
        letter = outbox.to_all(
            progress.roster, statement, what, readable, [signed], file=f"ready-{statement.sid[:8]}"
        )
        changes.update(letter.changes(folder.say))
        return folder.commit(changes)


def confirmed(folder: Readable) -> str:
    """Return the sid of the newest handover that this deputy has confirmed, or ""."""
    for stage in range(folder.progress.open_stage, 0, -1):
        mine = [statement for statement in folder.of(stage, "ack") if statement.sender == folder.me]
        named = {sid for ack in mine for sid in ack.ack.have}
        taken = [statement for statement, _ in kept_signed(folder) if statement.sid in named]
        if taken:
            return max(taken, key=lambda handover: (handover.stage, handover.rev)).sid
    return ""


def to_confirm(folder: Readable) -> bool:
    """Return True if this deputy has taken a handover that is not confirmed yet."""
    if folder.role != "deputy" or not folder.knows_all or folder.stage < 0:
        return False
    newest = max(
        (statement for statement, _ in kept_signed(folder)),
        key=lambda statement: (statement.stage, statement.rev),
        default=None,
    )
    return newest is not None and confirmed(folder) != newest.sid
