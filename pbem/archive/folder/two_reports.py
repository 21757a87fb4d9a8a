"""A stage of which GM or deputy signed two different reports or locks, and the amendment that ends it.

Such a fork stops every program. An amendment signed by all that closes the stage by a rewind ends it: the
stage is played anew, with fresh dice (protocol-letters 5).
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.ended_stages import forgotten
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import older_views
from pbem.stages.amendments import Proposal, proposals
from pbem.stages.progress import Progress
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.records import Record

FORK = "fork-"
"""The beginning of the name of a note in `inbox/` about two reports that contradict each other."""
_ENDED = "ended-"


def disputed(folder: Readable) -> int | None:
    """Return the stage of two reports or locks, as long as an amendment can end that; else None.

    Without a GM none can: two players whose heads differ compare their records. Once another stage has
    followed on one of the reports, it is too late.
    """
    note = folder.fork()
    number = note.removeprefix(FORK).partition(".")[0] if note is not None else ""
    if not number.isdigit() or folder.terms.arbiter is None:
        return None
    stage = int(number)
    return stage if 0 < stage and stage in (folder.stage, folder.stage + 1) else None


def to_amend(folder: Readable) -> Progress:
    """Return the progress that amendments continue: of the current stage, or of the disputed one."""
    stage = disputed(folder)
    return folder.progress if stage is None else folder.progress_at(stage - 1)


def proposed(folder: Readable) -> list[Proposal]:
    """Return the amendments that may still count, in order of sid."""
    return proposals(to_amend(folder), folder, folder.system) if folder.stage >= 0 else []


def check_may_sign(folder: Readable, ops: Iterable[str]) -> None:
    """Check that an amendment with these ops may be signed: beside a fork only one that ends it; Refused."""
    stage = disputed(folder)
    if stage is None:
        folder.check_no_fork()
    elif "rewind" not in ops:
        help_ = (Message("archive.folder.end-the-fork", to=stage - 1),)
        raise Refused(
            Diagnostic("fork", Message("archive.folder.only-a-rewind-ends-it", stage=stage), help=help_)
        )


def ends(counted: Iterable[Proposal]) -> bool:
    """Return True if amendments that count end a fork of the stage that they close."""
    return any(proposal.does("rewind") for proposal in counted)


def is_ended(folder: Readable, stage: int) -> bool:
    """Return True if the stage of a report that came was closed here by all, after a fork."""
    return (folder.root / layout.INBOX / f"{_ENDED}{FORK}{stage:04d}.txt").exists()


def end(folder: Readable, record: Record, rev: int) -> Changes:
    """Return the files that end a fork, for the report of this revision that closed its stage.

    The note gets another name. Files that one of the two reports left are removed.
    """
    changes, name = Changes(), f"{FORK}{record.stage:04d}.txt"
    text = layout.read(folder.root, f"{layout.INBOX}/{name}", layout.PLAYER_LIMIT)
    if not record.closed or text is None:
        return changes
    changes.write(f"{layout.INBOX}/{_ENDED}{name}", text)
    changes.remove(f"{layout.INBOX}/{name}")
    changes.update(forgotten(record.stage))
    changes.update(older_views(folder, record.stage, rev - 1))
    return changes


def next_revision(folder: Readable, stage: int) -> int:
    """Return the revision of a report of a stage that is signed now."""
    return 1 + max((statement.rev for statement in folder.of(stage, "report")), default=0)
