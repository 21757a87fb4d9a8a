"""The record of a stage between two players, which is in no signed report (13)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.archive.folder import layout
from pbem.archive.verifying.evidence import UNREADABLE
from pbem.archive.verifying.findings import Notes
from pbem.text.canonical import Json, NotCanonical
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.trust import records, statements
from pbem.trust.errors import BadRecord, BadStatement
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement


def record_of_two(
    root: Path, roster: Roster, stage: int, links: Sequence[Statement], notes: Notes
) -> Statement | None:
    """Return the record of a stage between two players as an unsigned report.

    Its head is in the last link, which is signed. None if the stage has none, or it is not the one that was
    signed.
    """
    record = _json(root, stage, "record.json", notes)
    if record is None:
        return None
    events = _json(root, stage, "events.json", notes) if stage else []
    if events is None:
        notes.false("record", Message("archive.verifying.record-without-events"), stage)
        return None
    try:
        checked = records.check(None if record is UNREADABLE else record)
        last = next((link for link in links if link.given_link.head == checked.head), None)
        sender = last.sender if last is not None else roster.players[0]
        body: dict[str, Json] = {"record": checked.data}
        if stage > 0:
            body["events"] = None if events is UNREADABLE else events
        made = statements.make(
            "report",
            body,
            game=roster.game,
            sender=sender,
            stage=stage,
            prev=checked.prev,
        )
    except (BadRecord, BadStatement, NotCanonical, TypeError, ValueError) as fault:
        notes.false(
            "record", Message("archive.verifying.record-and-events-are-no-stages", fault=fault), stage
        )
        return None
    if checked.kind == "played" and last is None:
        notes.false("head", Message("archive.verifying.head"), stage)
        return None
    for link in links if checked.kind == "played" else ():
        signed_head = link.given_link.head
        if signed_head != checked.head:
            text = Message(
                "archive.verifying.sender-signed-another-head", sender=link.sender, said=str(signed_head)[:12]
            )
            notes.false("fork", text, stage, link.sender)
    return made


def _json(root: Path, stage: int, name: str, notes: Notes) -> Any:
    """Return a file that the signed head or the record proves; None if it is not there."""
    try:
        data = layout.read(root, f"{layout.stage_name(stage)}/{name}", layout.GM_LIMIT)
    except Refused as refused:
        notes.false("odd-file", refused.diagnostics[0].message, stage)
        return None
    try:
        return None if data is None else json.loads(data)
    except (ValueError, RecursionError):
        return UNREADABLE
