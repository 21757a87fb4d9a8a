"""Orders that the GM wrote down from unsigned email: their option, and their players (letters 6)."""

from __future__ import annotations

from pbem.stages.option_words import agreed
from pbem.stages.progress import Find
from pbem.trust.records import Record
from pbem.trust.roster import Party, Roster, Terms

NAME = "plain_replies"


def of(terms: Terms) -> bool:
    """Return True if the GM of a game takes plain replies."""
    return agreed(terms.scenario.name.split(" ")[1:], NAME)


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
