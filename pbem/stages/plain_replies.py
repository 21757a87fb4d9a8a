"""Orders that the GM wrote down from unsigned email: their option, and their players (letters 6)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.stages.option_words import given
from pbem.stages.progress import Find
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.records import Record
from pbem.trust.roster import Party, Roster, Terms

NAMES = ("plain_replies",)


def parse(words: Iterable[str]) -> bool:
    """Return True if `name=value` words say that the GM takes plain replies.

    Raises Refused with all faults.
    """
    values, faults = given(words, NAMES)
    value = values.get(NAMES[0])
    if value not in (None, "yes"):
        faults.append(Diagnostic("bad-option", Message("stages.plain-replies.wanted-yes", value=value)))
    if faults:
        raise Refused(faults)
    return value is not None


def data(agreed: bool) -> dict[str, Json]:
    """Return the option as the roster has it."""
    return {NAMES[0]: "yes"} if agreed else {}


def of(terms: Terms) -> bool:
    """Return True if the GM of a game takes plain replies."""
    return parse(terms.scenario.name.split(" ")[1:])


def writers(roster: Roster) -> dict[str, Party]:
    """Return the players whose plain replies count: the GM holds their keys, and all agreed to it."""
    gm = roster.terms.arbiter
    if gm is None or not of(roster.terms):
        return {}
    return {party.id: party for party in roster.active if party.proxy == gm}


def written_down(record: Record, find: Find) -> list[str]:
    """Return the parties of whom a stage took an order or a list from unsigned email."""
    statements = (find(record.stage, sid) for sid in record.sids)
    return sorted(
        {
            statement.sender
            for statement in statements
            if statement is not None and statement.said.plain is not None
        }
    )
