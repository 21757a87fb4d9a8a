"""Missing statements: a report that never came, or a statement that a report names (protocol 14).

A statement for a later stage is proof that the stage before it has ended for its sender, who has its report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.archive.folder import layout
from pbem.archive.folder.parts import Readable
from pbem.stages.receipts import whom_to_ask, words_for
from pbem.stages.record_checks import record_faults
from pbem.text.canonical import NotCanonical
from pbem.text.messages import Message, in_turn
from pbem.trust import statements
from pbem.trust.errors import BadStatement
from pbem.trust.statements import Statement


def lost(folder: Readable) -> list[str]:
    """Return the statements in `inbox/early`, what each needs, and whom to ask."""
    if folder.roster is None or folder.unsigned():
        return []
    progress, waiting = folder.progress, list(_waiting(folder))
    later = [statement for statement in waiting if statement.stage > progress.open_stage]
    lines: list[str] = [_waits(_named(later), missing_report(folder, later))] if later else []
    for statement in waiting:
        if statement.type == "report" and statement.stage == progress.open_stage:
            lines.append(_waits(words_for(statement), _why(folder, statement)))
    return lines


def _waits(what: str, why: str) -> Message:
    return Message("archive.receiving.waits", what=what, why=why)


def missing_report(folder: Readable, later: Iterable[Statement]) -> str:
    """Return that the current stage's report is missing, and who can send it."""
    progress, me = folder.progress, folder.me
    roster = progress.roster
    senders = [
        statement.sender
        for statement in sorted(
            later, key=lambda statement: (statement.stage, statement.sender, statement.sid)
        )
    ]
    parties = list(dict.fromkeys([*([roster.terms.arbiter] if roster.terms.arbiter else []), *senders]))
    asked = whom_to_ask(roster, [party for party in parties if party != me])
    return Message(
        "archive.receiving.report-missing",
        pair=roster.terms.dice == "pair",
        stage=progress.open_stage,
        asked=asked,
    )


def _named(later: list[Statement]) -> str:
    shown = [
        words_for(statement)
        for statement in sorted(later, key=lambda statement: (statement.stage, statement.type, statement.sid))
    ]
    if len(shown) == 1:
        return shown[0]
    return Message("archive.receiving.and-more", first=shown[0], count=len(shown) - 1)


def _why(folder: Readable, report: Statement) -> str:
    """Return what a report of the current stage waits for, as far as its record shows."""
    progress = folder.progress
    faults = [
        fault for fault in record_faults(progress, report.report.record, folder) if fault.kind == "missing"
    ]
    if not faults:
        return Message("archive.receiving.receive-it-once-more-to-read-why")
    gm = progress.roster.terms.arbiter
    parties = [*(fault.party for fault in faults if fault.party), *([gm] if gm else [])]
    asked = whom_to_ask(progress.roster, [party for party in parties if party != folder.me])
    return Message(
        "archive.receiving.faults-ask", faults=in_turn(fault.text for fault in faults), asked=asked
    )


def _waiting(folder: Readable) -> Iterator[Statement]:
    """Yield the statements in `inbox/early`, which were checked when they came."""
    for entry in layout.entries(folder.root / layout.EARLY):
        if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False):
            data = layout.read(folder.root, f"{layout.EARLY}/{entry.name}", layout.GM_LIMIT) or b""
            try:
                yield statements.parse(data)
            except (NotCanonical, BadStatement):
                continue
