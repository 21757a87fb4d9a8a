"""Permission to write letters: options `press` and `press_opened` (protocol-letters 2.4, 2.6).

The option binds programs. Nobody can keep two players from talking elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pbem.stages.option_words import given, not_yes
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.errors import NotAccepted
from pbem.trust.letters import Grey
from pbem.trust.roster import Roster, Terms
from pbem.trust.statements import Statement

NAMES = ("press", "press_opened")
Kind = Literal["none", "public", "private", "grey"]
KINDS: tuple[Kind, ...] = ("none", "public", "private", "grey")
"""Each allows what those before it allow, and more."""
LEAST_FOR_GREY = 3


@dataclass(frozen=True)
class Press:
    """The agreed kinds of letters, None if nothing was said; `opened`: all are published at the end."""

    said: Kind | None = None
    opened: bool = False

    @property
    def kind(self) -> Kind:
        """Return the kind in force."""
        return self.said or "private"

    def allows(self, kind: Kind) -> bool:
        """Return True if letters of a kind may be written."""
        return KINDS.index(kind) <= KINDS.index(self.kind)

    def data(self) -> dict[str, Json]:
        """Return what was said."""
        opened: dict[str, Json] = {"press_opened": "yes"} if self.opened else {}
        return ({"press": self.said} if self.said is not None else {}) | opened


USUAL = Press()
"""Nothing was said: private letters."""


def parse(words: Iterable[str]) -> Press:
    """Return the press among `name=value` words.

    Raises Refused with all faults.
    """
    values, faults = given(words, NAMES)
    kind, opened = values.get("press"), values.get("press_opened")
    if kind is not None and kind not in KINDS:
        message = Message("stages.press.wanted-kind", value=kind, kinds=KINDS)
        faults.append(Diagnostic("bad-option", message))
    faults += not_yes("press_opened", opened)
    if faults:
        raise Refused(faults)
    return Press(None if kind is None else narrow.word(kind, KINDS), opened is not None)


def of(terms: Terms) -> Press:
    """Return the press of a game in a stage with these terms."""
    return parse(terms.scenario.name.split(" ")[1:])


def grey_fault(terms: Terms, players: int) -> str | None:
    """Return why a game cannot have grey letters although its terms say so, or None."""
    if of(terms).kind != "grey" or (terms.arbiter is not None and players >= LEAST_FOR_GREY):
        return None
    return Message("stages.press.grey-wants-gm-and-three-players", players=players)


def players_in(roster: Roster) -> int:
    """Return how many players the roster has."""
    return sum(party.role == "player" for party in roster.parties)


def check_letter(roster: Roster, letter: Statement) -> None:
    """Check a letter against the press of its stage; NotAccepted with code `press` if it is not allowed.

    `roster` is the one in force in that stage.
    """
    body = letter.letter
    fault = fault_of(roster, letter.sender, body.to, grey=body.grey is not None)
    if fault is not None:
        raise NotAccepted("press", fault)


def fault_of(roster: Roster, sender: str, to: tuple[str, ...] | None, *, grey: bool = False) -> str | None:
    """Return why a letter of a party to these readers (None: to all) is not allowed, or None.

    `grey`: the GM sends it on for somebody.
    """
    agreed, gm = of(roster.terms), roster.terms.arbiter
    if to is not None:
        for reader in to:
            entry = roster.by_id.get(reader)
            if entry is None or entry.seal is None or reader in roster.dropped:
                return Message("stages.press.reader-cannot-read", reader=reader)
    if grey:
        if sender != gm:
            return Message("stages.press.grey-letters-come-from-gm")
        if not agreed.allows("grey") or grey_fault(roster.terms, players_in(roster)):
            return Message("stages.press.no-grey-letters", press=agreed.kind)
        return None
    writes_freely = sender == gm or roster.by_id[sender].role == "deputy"
    if writes_freely or (to is not None and to == (gm,)):
        return None
    if to is None and not agreed.allows("public"):
        return Message("stages.press.no-public-letters", press=agreed.kind)
    if to is not None and not agreed.allows("private"):
        return Message("stages.press.no-private-letters", press=agreed.kind)
    return None


def on_fault(roster: Roster, author: str, grey: Grey) -> str | None:
    """Return why the GM may not send a letter of an author on to these readers, or None."""
    gm = roster.terms.arbiter or ""
    to = None if grey == "public" else grey
    if to is not None and (author in to or gm in to):
        return Message("stages.press.grey-readers-without-author-and-gm")
    return fault_of(roster, gm, to, grey=True)
