"""Possible faults of a record or a lock, and of the statements it names (protocol 5.6)."""

from __future__ import annotations

from typing import Literal

from pbem.stages.progress import Find, Progress, check_content
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import NotAccepted
from pbem.trust.kinds import KINDS
from pbem.trust.statements import Statement

Kind = Literal["missing", "false"]


@dataclass(frozen=True)
class Fault:
    """One fault in a record.

    `missing`: it may be right, but a statement is not here.
    """

    code: str
    text: str
    party: str | None = None
    kind: Kind = "false"


def type_words(type_: str) -> str:
    """Return the type of a statement for people."""
    return Message(KINDS[type_].words) if type_ in KINDS else type_


def named(
    progress: Progress, party: str, sid: str, type_: str, find: Find
) -> tuple[Statement | None, Fault | None]:
    """Return a statement that a record names, or its fault.

    It must be here, and of that party, type, stage and history.
    """
    statement = find(progress.open_stage, sid)
    if statement is None:
        return None, Fault(
            "missing",
            Message("stages.faults.not-here", type=type_words(type_), sid=sid[:12], party=party),
            party,
            "missing",
        )
    if statement.type != type_ or statement.sender != party or statement.stage != progress.open_stage:
        text = Message(
            "stages.faults.another-statement",
            sid=sid[:12],
            type=type_words(type_),
            party=party,
            found=type_words(statement.type),
            sender=statement.sender,
            stage=statement.stage,
        )
        return None, Fault("accepted", text, party)
    if statement.prev != progress.head:
        return None, Fault(
            "prev", Message("stages.faults.prev", type=type_words(type_), sid=sid[:12], party=party), party
        )
    try:
        check_content(statement)
    except NotAccepted as fault:
        return None, Fault(
            "content",
            Message("stages.faults.content", type=type_words(type_), party=party, fault=fault),
            party,
        )
    return statement, None
