"""Pseudonyms: players go by their seats, and all email goes by way of the GM (protocol-letters 4)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.stages.option_words import given
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.roster import Party, Terms

NAMES = ("gunboat",)


def parse(words: Iterable[str]) -> bool:
    """Return True if `name=value` words say that players go by their seats.

    Raises Refused with all faults.
    """
    values, faults = given(words, NAMES)
    value = values.get(NAMES[0])
    if value not in (None, "yes"):
        faults.append(Diagnostic("bad-option", Message("stages.gunboat.wanted-yes", value=value)))
    if faults:
        raise Refused(faults)
    return value is not None


def data(agreed: bool) -> dict[str, Json]:
    """Return the option as the roster has it."""
    return {NAMES[0]: "yes"} if agreed else {}


def of(terms: Terms) -> bool:
    """Return True if the players of a game go by their seats."""
    return parse(terms.scenario.name.split(" ")[1:])


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
