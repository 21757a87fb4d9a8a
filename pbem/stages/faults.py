"""What may be wrong with what a record or a lock says, and with the statements it names (protocol 5.6)."""

from __future__ import annotations

from typing import Literal

from pbem.stages.progress import Find, Progress, check_content
from pbem.text.dataclass import dataclass
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement

Kind = Literal["missing", "false"]


@dataclass(frozen=True)
class Fault:
    """One thing in a record that is not as it must be.

    `missing`: it may be right, but a statement is not here.
    """

    code: str
    text: str
    party: str | None = None
    kind: Kind = "false"


def named(
    progress: Progress, party: str, sid: str, type_: str, find: Find
) -> tuple[Statement | None, Fault | None]:
    """A statement that a record names, if it is here and is one of that party, type, stage and history."""
    statement = find(progress.open_stage, sid)
    if statement is None:
        return None, Fault("missing", f"the {type_} {sid[:12]} of {party} is not here", party, "missing")
    if statement.type != type_ or statement.sender != party or statement.stage != progress.open_stage:
        found = f"the {statement.type} of {statement.sender} for stage {statement.stage}"
        text = f"{sid[:12]} is named as the {type_} of {party}, but is {found}"
        return None, Fault("accepted", text, party)
    if statement.prev != progress.head:
        return None, Fault("prev", f"the {type_} {sid[:12]} of {party} answers another history", party)
    try:
        check_content(statement)
    except NotAccepted as fault:
        return None, Fault("content", f"the {type_} of {party}: {fault}", party)
    return statement, None
