"""The content of an order's seal for the GM: the link and the openings, checked at once.

Protocol 5.3, 8.3.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from pbem.stages.inputs import Opening
from pbem.stages.progress import Progress, check_depth
from pbem.text.canonical import NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import commit
from pbem.trust.bodies import STANDING
from pbem.trust.errors import BadSeal, NotAccepted, TrustError
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.seal import OPENINGS_KIND, Openings, unseal
from pbem.trust.statements import Statement


@dataclass(frozen=True)
class Opened:
    """A sealed statement as its reader knows it."""

    link: bytes | None
    openings: Mapping[str, Opening] = field(default_factory=dict)


def open_sealed(statement: Statement, progress: Progress, gm: str, seal_key: bytes) -> Opened:
    """Open and check an order or a sealed standing list.

    Raises NotAccepted with code unreadable if anything is wrong.
    """
    sealed, commits = statement.said.sealed, statement.said.commits
    swift = progress.roster.terms.dice == "swift"
    wanted = set(commits) if swift or statement.type == "standing" else {STANDING} & set(commits)
    try:
        if gm not in sealed:
            return Opened(None, check_openings(statement, progress.roster, {}, wanted))
        game, sender = progress.roster.game_id, statement.sender
        args = (seal_key, game, statement.stage, OPENINGS_KIND, sender, gm)
        opened = Openings.unpack(unseal(sealed[gm], *args))
        if statement.type == "order" and swift:
            if opened.link is None:
                raise BadSeal(Message("stages.sealed-orders.seal-holds-no-link"))
            progress.check_link(sender, opened.link, statement.stage)
        elif opened.link is not None:
            raise BadSeal(Message("stages.locked-dice.seal-holds-link-without-place"))
        return Opened(opened.link, check_openings(statement, progress.roster, opened.openings, wanted))
    except TrustError as fault:
        raise NotAccepted("unreadable", str(fault)) from None


def check_openings(
    statement: Statement,
    roster: Roster,
    openings: Mapping[str, Shown],
    wanted: Collection[str],
) -> dict[str, Opening]:
    """Return exactly the openings of these commitments of a statement; BadSeal if one does not fit."""
    commits = statement.said.commits
    closed, extra = sorted(set(wanted) - set(openings)), len(set(openings) - set(wanted))
    if closed:
        raise BadSeal(Message("stages.sealed-orders.what-is-sealed-does-not-open", closed=tuple(closed)))
    if extra:  # only the sender and the GM know what they hold
        raise BadSeal(
            Message("stages.sealed-orders.what-is-sealed-opens-more-than-is-committed", extra=extra)
        )
    opened: dict[str, Opening] = {}
    for decision, entry in openings.items():
        opening = Opening.of(entry, statement.stage)
        if entry.stage is not None or not fits(
            opening, commits[decision], roster, statement.sender, decision
        ):
            raise BadSeal(
                Message("stages.sealed-orders.opening-is-not-what-was-committed", decision=decision)
            )
        check_depth(opening.value, decision)
        opened[decision] = opening
    return opened


def fits(opening: Opening, committed: str, roster: Roster, party: str, decision: str) -> bool:
    """Return True if a party's commitment was made from this opening."""
    nonce = bytes.fromhex(opening.nonce)
    try:
        made = commit.commitment(roster.game_id, opening.stage, party, decision, nonce, opening.value)
    except NotCanonical:
        return False
    return made.hex() == committed
