"""Replies to statements that cannot count: the reason goes to the sender's address in the roster.

Protocol 5.3.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.kept_aside import kept_aside
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.stages.progress import one_report
from pbem.text.messages import Message
from pbem.trust import statements
from pbem.trust.accept import signer
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement


def answer(
    folder: Readable, signed: Signed, words: str, fault: NotAccepted, *, reader: bool = False
) -> tuple[Changes, str]:
    """Return the email that says why a statement does not count, and its name; nothing if nobody needs it.

    The GM answers everything, and so do two who play without one, and each `reader` of a letter.
    Others answer a sender who follows another history, with their newest report: one of the two
    lacks a report, or got a different one.
    """
    me, roster = folder.me, folder.need_roster()
    try:
        sender = signer(signed.data, signed.signatures[0], roster.active)
    except NotAccepted:  # signed by a retired key: nobody need be told
        return Changes(), ""
    judges = folder.acting or roster.terms.dice == "pair"
    if me is None or sender.id == me or not (judges or reader or fault.code == "prev"):
        return Changes(), ""
    lines = [Message("archive.letters.what-does-not-count", what=words), str(fault)]
    items: list[Signed] = []
    if fault.code == "prev":
        items = newest_report(folder)
    if items:
        lines += ["", Message("archive.letters.newest-stage-and-what-ended-it", stage=folder.stage)]
    if fault.code == "unreadable":
        lines += ["", Message("archive.letters.sign-your-orders-once-more")]
    sid = statements.sid(signed.data)
    letter = Letter(
        name=f"refused-{sid[:16]}-{sender.id}",
        subject=outbox.subject_of(
            roster,
            folder.progress.open_stage,
            Message("archive.letters.what-party-sent-does-not-count", sender=sender.id),
        ),
        sender=roster.by_id[me],
        others=[sender],
        readable=outbox.heading(roster.terms.title, lines),
        items=items,
        id=f"refused-{sid}",
        answers=sid,
        thread=roster.game,
    )
    return letter.changes(folder.say), f"{layout.OUTBOX}/{letter.name}{letter.ending}"


def newest_report(folder: Readable) -> list[Signed]:
    """Return the report of the newest stage, after its statements; without a GM those statements."""
    if folder.stage < 0:
        return []
    record = folder.record(folder.stage)
    named = set(record.sids)
    here = folder.statements(folder.stage)
    named |= {statement.sid for statement, _ in here if statement.type in ("lock", "link")}
    reports = [signed for statement, signed in here if statement.type == "report"]
    return [*(signed for statement, signed in here if statement.sid in named), *reports]


def other_reports(
    folder: Readable, report: Statement, others: Iterable[tuple[Statement, Signed]]
) -> list[tuple[Statement, Signed]]:
    """Return other reports of the GM for this stage and revision, or other locks of the stage (5.3, 5.4).

    They are sought among `others`, in the stage's folder, and among those refused before. One proves that the
    GM contradicts themselves.
    """
    wanted = _named(report)
    aside = [(kept.statement, kept.signed) for kept in kept_aside(folder, f'"type":"{report.type}"'.encode())]
    reports = [*others, *folder.statements(report.stage), *aside]
    return [
        pair
        for pair in reports
        if _named(pair[0]) == wanted and pair[0].sid != report.sid and not one_report(pair[0], report)
    ]


def _named(statement: Statement) -> tuple[str, int, int]:
    return statement.type, statement.stage, 0 if statement.type == "lock" else statement.rev
