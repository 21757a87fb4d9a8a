"""Pseudonyms: players go by their seats, and all email goes by way of the GM (protocol-letters 4)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.stages.option_words import agreed
from pbem.text.messages import Message
from pbem.trust.roster import Party, Terms

NAME = "gunboat"


def of(terms: Terms) -> bool:
    """Return True if the players of a game go by their seats."""
    return agreed(terms.scenario.name.split(" ")[1:], NAME)


def fault_of(terms: Terms, parties: Iterable[Party]) -> str | None:
    """Return what is wrong with the entries of a game with pseudonyms, or None.

    Each player has the seat's name and the GM's address: anything else could name somebody.
    """
    if not of(terms):
        return None
    if terms.arbiter is None:
        return Message("stages.gunboat.needs-a-gm")
    listed = list(parties)
    address = next((entry.mail for entry in listed if entry.id == terms.arbiter), None)
    for entry in listed:
        if entry.role == "player" and (entry.name != entry.id or address not in (None, entry.mail)):
            return Message("stages.gunboat.names-somebody", party=entry.id)
    return None
