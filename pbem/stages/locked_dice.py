"""Dice mode `locked`: the checks of a lock before a link answers it, and of the link (10, 13).

The same checks serve the GM, the players who answer, those who read the report, and `verify`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pbem.engine.system import System
from pbem.stages.deputies import judges
from pbem.stages.faults import Fault, named, type_words
from pbem.stages.inputs import Opening
from pbem.stages.inputs_from_statements import Shelf
from pbem.stages.progress import Progress
from pbem.stages.sealed_orders import Opened, check_openings, fits
from pbem.text.messages import Message
from pbem.trust.bodies import STANDING
from pbem.trust.errors import BadLink, BadSeal, NotAccepted, TrustError
from pbem.trust.records import Record
from pbem.trust.seal import OPENINGS_KIND, Openings, unseal
from pbem.trust.statements import Statement

Opens = Literal["all", "gm", "later"]


def opens(system: System, decision: str) -> Opens:
    """Return when a commitment is opened, and to whom: in the link to all, to the GM alone, or later.

    A decision id is a kind or a key, in which the kind is behind loops and leaf. Nobody chooses: what the
    rules call together must be in the link, what they call kept must not (8.1, 10).
    """
    kinds = system.registry.decisions
    known = [kinds[part] for part in decision.split("/") if part in kinds]
    secrecy = known[-1].secrecy if known else "together"
    if secrecy == "kept":
        return "later"
    return "gm" if secrecy == "readers" or (secrecy == "sealed" and system.hidden) else "all"


def commits_of(order: Statement) -> dict[str, str]:
    """Return an order's commitments that its link or a later request opens; standing orders are sealed."""
    return {decision: commit for decision, commit in order.said.commits.items() if decision != STANDING}


# --- the lock -------------------------------------------------------------------------------------------


def lock_fault(progress: Progress, lock: Statement, shelf: Shelf) -> Fault | None:
    """Return the first fault of a lock for the current stage; `missing` if a named statement is not here."""
    accepted = lock.lock.accepted
    if lock.prev != progress.head:
        return Fault("prev", Message("stages.locked-dice.prev", sid=lock.sid[:12]), lock.sender)
    if set(accepted) != set(progress.asked):
        odd = sorted(set(accepted) ^ set(progress.asked))
        return Fault(
            "lock",
            Message("stages.locked-dice.lock-is-not-about-exactly-those-asked", odd=tuple(odd)),
            odd[0],
        )
    for party, sid in accepted.items():
        fault = named(progress, party, sid, "order", shelf.find)[1] if sid is not None else None
        if fault is not None:
            return fault
    return None


def lock_faults(progress: Progress, record: Record, shelf: Shelf) -> Iterator[Fault]:
    """Yield faults of the lock that a record names, and of the links given under it."""
    sid = record.lock
    if progress.roster.terms.dice != "locked":
        if sid is not None:
            yield Fault("mode", Message("stages.locked-dice.mode", dice=progress.roster.terms.dice))
        return
    if sid is None:
        yield Fault("lock", Message("stages.locked-dice.record-names-no-lock"))
        return
    lock = shelf.find(progress.open_stage, sid)
    if lock is None:
        yield Fault("missing", Message("stages.locked-dice.lock-is-not-here", sid=sid[:12]), None, "missing")
        return
    if lock.type != "lock" or lock.sender not in judges(progress.roster) or lock.prev != progress.head:
        yield Fault(
            "lock",
            Message(
                "stages.locked-dice.named-as-lock-and-is-none",
                sid=sid[:12],
                type=type_words(lock.type),
                sender=lock.sender,
            ),
        )
        return
    if record.accepted != lock.lock.accepted:
        yield Fault("lock", Message("stages.locked-dice.accepted-is-not-what-lock-says"), lock.sender)
    if record.forfeits != lock.lock.forfeits:
        yield Fault("lock", Message("stages.locked-dice.forfeits-is-not-what-lock-says"), lock.sender)
    yield from _links_under(progress, record, lock, shelf.of(progress.open_stage, "link"))


def _links_under(
    progress: Progress, record: Record, lock: Statement, links: Iterable[Statement]
) -> Iterator[Fault]:
    """Yield faults of players' links under this lock; the GM's own link needs only the report."""
    links = list(links)
    for party in progress.roster.players:
        mine = [link for link in links if link.sender == party]
        under = [own_link for own_link in mine if own_link.said.answers == lock.sid]
        value = record.links.get(party)
        if not under and mine:
            yield Fault(
                "link", Message("stages.locked-dice.party-gave-link-for-another-lock", party=party), party
            )
        elif not under:
            yield Fault(
                "missing",
                Message("stages.locked-dice.link-of-party-is-not-here", party=party),
                party,
                "missing",
            )
        elif value is not None and all(link_.said.link != value for link_ in under):
            yield Fault(
                "link", Message("stages.locked-dice.link-of-party-in-record-is-not-one", party=party), party
            )


# --- a link ---------------------------------------------------------------------------------------------


def check_link(
    progress: Progress, link: Statement, order: Statement | None, system: System, *, last: bool = False
) -> None:
    """Check that a link leads to its anchor and opens exactly what it must (10, 13).

    Raises NotAccepted if not.

    `order` is the sender's order that counts, None if there is none. Only the GM can read what is sealed. The
    `last` word between two players opens what is kept as well, if the run calls for it.
    """
    try:
        progress.check_link(link.sender, link.said.link or b"")
    except BadLink as fault:
        raise NotAccepted("link", str(fault)) from None
    commits = commits_of(order) if order is not None else {}
    shown = own_openings(link)
    when = {decision: opens(system, decision) for decision in commits}
    closed = sorted(d for d in commits if when[d] == "all" and d not in shown)
    early = sorted(d for d in shown if when.get(d) not in (("all", "gm", "later") if last else ("all", "gm")))
    if closed:
        raise NotAccepted("opening", Message("stages.locked-dice.it-does-not-open-all", closed=tuple(closed)))
    if early:
        raise NotAccepted("opening", Message("stages.locked-dice.it-opens-too-early", early=tuple(early)))
    if not last and any(shown.stage is not None for shown in link.said.openings.values()):
        raise NotAccepted("opening", Message("stages.locked-dice.it-opens-commitments-of-earlier-stages"))
    for decision, opening in shown.items():
        if not fits(opening, commits[decision], progress.roster, link.sender, decision):
            message = Message(
                "stages.locked-dice.its-opening-is-not-what-was-committed",
                decision=decision,
                sender=link.sender,
            )
            raise NotAccepted("opening", message)
    hidden = any(where == "gm" for d, where in when.items() if d not in shown)
    if bool(link.said.sealed) != hidden:
        raise NotAccepted(
            "opening", Message("stages.locked-dice.counts-as-not-sent", sealed=bool(link.said.sealed))
        )


def own_openings(link: Statement) -> dict[str, Opening]:
    """Return the public openings in a link of commitments of its own stage."""
    return {
        decision: Opening.of(entry, link.stage)
        for decision, entry in link.said.openings.items()
        if entry.stage is None
    }


def open_link(
    link: Statement, order: Statement | None, progress: Progress, system: System, seal_key: bytes
) -> Opened:
    """Return the content of a link for the GM: itself and all openings, also sealed ones.

    It has passed `check_link`.

    `order` is the one the lock names. NotAccepted with code unreadable if the seal is not as it must be.
    """
    shown = own_openings(link)
    gm = progress.roster.terms.arbiter or ""
    blob = link.said.sealed.get(gm)
    if blob is None or order is None:
        return Opened(link.said.link, shown)
    wanted = [decision for decision in commits_of(order) if opens(system, decision) == "gm"]
    try:
        args = (progress.roster.game_id, link.stage, OPENINGS_KIND, link.sender, gm)
        opened = Openings.unpack(unseal(blob, seal_key, *args))
        if opened.link is not None:
            raise BadSeal(Message("stages.locked-dice.seal-holds-link-without-place"))
        return Opened(
            link.said.link, {**shown, **check_openings(order, progress.roster, opened.openings, wanted)}
        )
    except TrustError as fault:
        raise NotAccepted("unreadable", str(fault)) from None
