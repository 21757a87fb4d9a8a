"""Reminders as ready emails: what a party owes, since when, by when, and the command.

Product 6, protocol 14.

A reminder is no statement and changes nothing. What it says of decisions is what the public record says, and
the newest report travels with it, in case that email was lost.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import need_going_on
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.awaited import Awaited, awaited
from pbem.archive.letters.outbox import Letter
from pbem.archive.letters.refusals import newest_report
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

_WORDS = {
    "nothing": "archive.letters.nothing-of-yours-has-come-for-this-stage",
    "invalid": "archive.letters.what-you-sent-does-not-count",
    "not-opened": "archive.letters.your-link-has-not-come",
    "opened-wrong": "archive.letters.what-you-sent-does-not-open",
}
_COMMANDS = {
    "nothing": "archive.letters.orders-new",
    "invalid": "archive.letters.orders-new",
    "not-opened": "archive.letters.pbem-receive-file",
    "opened-wrong": "archive.letters.pbem-orders-sign-file",
}


def remind(folder: Folder, parties: Collection[str] = (), *, by: str = "") -> list[Path]:
    """Write an email to each of these parties, or to all that are awaited. Return the files written.

    `by` is the deadline in words. Refused if a party is not awaited, or nobody is.
    """
    with folder.working():
        folder.need_acting()
        need_going_on(folder)
        late = {waiting.party: waiting for waiting in awaited(folder) if waiting.wanting}
        for party in parties:
            if party not in late:
                message = Message("archive.letters.party-is-not-awaited", party=party, waits=tuple(late))
                raise Refused(Diagnostic("not-awaited", message))
        if not late:
            help_ = (Message("archive.letters.pbem-adjudicate-runs-stage"),)
            raise Refused(Diagnostic("not-awaited", Message("archive.letters.nobody-is-awaited"), help=help_))
        changes = Changes()
        for party in parties or late:
            changes.update(_letter(folder, late[party], by).changes(folder.say))
        return folder.commit(changes)


def was_reminded(folder: Readable, party: str) -> bool:
    """Return True if a reminder to a party was written in the current stage."""
    name = f"{_series(folder, party)}-"
    return any(entry.name.startswith(name) for entry in layout.entries(folder.root / layout.OUTBOX))


def _series(folder: Readable, party: str) -> str:
    return f"stage-{folder.progress.open_stage:04d}-{folder.need_me()}-reminder-{party}"


def _letter(folder: Readable, late: Awaited, by: str) -> Letter:
    progress, roster, me = folder.progress, folder.progress.roster, folder.need_me()
    name = _series(folder, late.party)
    number = 1
    while (folder.root / layout.OUTBOX / f"{name}-{number}.eml").exists():
        number += 1
    return Letter(
        name=f"{name}-{number}",
        subject=outbox.subject_of(
            roster, progress.open_stage, Message("archive.letters.reminder", party=late.party)
        ),
        sender=roster.by_id[me],
        others=[roster.by_id[late.party]],
        readable=outbox.heading(roster.terms.title, _lines(folder, late, by)),
        items=newest_report(folder),
        id=f"reminder-{progress.head[:16]}-{late.party}-{number}",
    )


def _lines(folder: Readable, late: Awaited, by: str) -> list[str]:
    stage = folder.progress.open_stage
    lines: list[str] = [
        Message(
            "archive.letters.game-waits-for-party-in-stage",
            party=late.party,
            stage=stage,
            why=Message(_WORDS[late.state]),
        )
    ]
    if late.reason:
        lines.append(Message("archive.letters.set-in", line=late.reason))
    if late.since < stage:
        lines.append(Message("archive.letters.nothing-of-yours-has-counted-since", since=late.since))
    if late.owes:
        lines += ["", Message("archive.letters.owe"), *(f"  {key}" for key in late.owes)]
    if by:
        lines += ["", Message("archive.adjudicating.wanted-by", by=by)]
    lines += [
        "",
        Message("archive.letters.what-to-do"),
        "",
        Message("archive.letters.command", command=Message(_COMMANDS[late.state])),
    ]
    lines += ["", Message("archive.letters.report-of-stage-is-in-this-mail", stage=folder.stage)]
    return lines
