"""The result for a received statement, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pbem.stages.faults import type_words
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, in_turn
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement

Outcome = Literal[
    "taken", "duplicate", "early", "waiting", "late", "refused", "unreadable", "unsigned", "fork", "noted"
]
_SHOWN: dict[str, str] = {
    "taken": "stages.receipts.accepted",
    "duplicate": "stages.receipts.already-here",
    "early": "stages.receipts.early",
    "waiting": "stages.receipts.waiting",
    "late": "stages.receipts.late",
    "refused": "stages.receipts.rejected",
    "unreadable": "stages.receipts.unreadable",
    "unsigned": "stages.receipts.unsigned",
    "fork": "stages.receipts.conflict",
    "noted": "stages.receipts.noted",
}
"""The messages that people read for each outcome, by id. JSON and logs keep the outcome itself."""


@dataclass(frozen=True)
class Receipt:
    """The result for one statement: its name in words, and the reason if it was not simply accepted.

    `mail` is the name of the answer to its sender, if one was written.
    """

    outcome: Outcome
    words: str
    reason: str = ""
    sid: str = ""
    mail: str = ""

    @property
    def good(self) -> bool:
        """Return True if nobody needs to worry about it."""
        return self.outcome in ("taken", "duplicate", "early", "noted")

    @property
    def shown(self) -> Message:
        """Return the outcome as people read it: `accepted`."""
        return Message(_SHOWN[self.outcome])


def words_for(statement: Statement) -> str:
    """Return a statement's name for people: `order of red for stage 3, revision 2`."""
    if statement.kind.group == "setup":
        return type_words(statement.type)
    return Message(
        "stages.receipts.statement-for-stage",
        type=type_words(statement.type),
        sender=statement.sender,
        stage=statement.stage,
        rev=statement.rev if statement.rev > 1 else None,
    )


def whom_to_ask(roster: Roster, parties: Iterable[str]) -> str:
    """Return whom to ask for something again, with their addresses."""
    known = [roster.by_id[party] for party in dict.fromkeys(parties) if party in roster.by_id]
    people = in_turn(
        (f"{person.id} ({person.name} <{person.mail}>)" for person in known), "stages.receipts.one-or-another"
    )
    if people:
        return Message("stages.receipts.ask-to-send-again", people=people)
    return Message("stages.receipts.ask-others-to-send-again")
