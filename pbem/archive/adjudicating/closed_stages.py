"""The effects of amendments on a folder, and stages that they close without play (protocol 4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.ended_stages import ended_at, engine_facts
from pbem.archive.folder.parts import Readable
from pbem.engine.system import System
from pbem.model.state import GameState
from pbem.stages.amendments import Proposal
from pbem.stages.inputs import Kept, Setting
from pbem.stages.progress import Progress
from pbem.stages.running import Run, close
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import records
from pbem.trust.armour import Signed
from pbem.trust.roster import Party


def closed_record(progress: Progress, counted: Sequence[Proposal]) -> records.Record:
    """Return the record of the current stage, which these amendments close."""
    return records.closed(
        progress.open_stage, bytes.fromhex(progress.head), [proposal.statement.sid for proposal in counted]
    )


def closed_run(folder: Readable, record: records.Record, after: Progress, *, gm: bool) -> Run:
    """Return the position at the end of a closed stage, for those who know it all."""
    secret = folder.secret_for(after.position) if gm and folder.system.hidden else None
    setting = Setting(folder.system, after.roster, secret)
    past = ended_at(folder, after.position)
    if past.state is None:
        message = Message("archive.adjudicating.no-state", position=after.position)
        help_ = (Message("archive.adjudicating.only-gm-has-hidden-state"),)
        raise Refused(Diagnostic("no-state", message, help=help_))
    return close(setting, past.state, engine_facts(setting, past.facts), past.kept or {}, after, record)


def state_behind(folder: Readable, progress: Progress) -> tuple[GameState | None, Kept]:
    """Return the state in which a stage began, or None if unknown, and what was kept sealed.

    A state names the record it ends with, so behind a closed stage it differs from that of the position.
    """
    past = ended_at(folder, progress.position)
    state, kept = past.state, past.kept or {}
    if state is not None and progress.position != progress.stage:
        record, setting = folder.record(progress.stage), Setting(folder.system, progress.roster)
        state = close(setting, state, (), kept, progress, record).state
    return state, kept


def in_force_files(after: Progress, system: System) -> Changes:
    """Return the files that record who plays with which keys and rules after amendments."""
    changes = Changes()
    data = private_side.to_text(after.in_force())
    changes.write(f"{layout.stage_name(after.stage)}/{layout.IN_FORCE}", data)
    changes.write(layout.SIGNERS, after.roster.allowed_signers())
    if system.files_digest == after.roster.terms.module.sha256:
        changes.write(layout.MODULE_LOCK, private_side.to_text([[*pair] for pair in system.file_hashes]))
    return changes


def signed_whole(proposal: Proposal) -> Signed:
    """Return an amendment with all its signatures, that of its sender first."""
    own = proposal.signatures[proposal.statement.sender]
    return Signed(
        proposal.statement.bytes, (own, *(sig for sig in proposal.signatures.values() if sig != own))
    )


def readers(before: Progress, after: Progress) -> list[Party]:
    """Return who gets the report: all who play on, and those replaced or dropped."""
    gm = after.roster.terms.arbiter
    gone = [party for party in before.roster.active if party not in after.roster.active and party.id != gm]
    return [*after.roster.active, *gone]
