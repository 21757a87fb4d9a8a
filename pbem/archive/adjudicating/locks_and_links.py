"""Dice mode `locked`: the GM's lock, the players' links under it (protocol 10, 13)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.archive.ordering.order_body import openings_of, own_link, seal_to_gm
from pbem.archive.ordering.signing import check_signer
from pbem.stages.arrived_orders import Collected
from pbem.stages.locked_dice import check_link, commits_of, lock_fault, open_link, opens
from pbem.stages.progress import newest_of, revisions, took_of
from pbem.stages.receipts import whom_to_ask
from pbem.stages.sealed_orders import Opened, open_sealed
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, Worded
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import Signer
from pbem.trust.seal import Openings
from pbem.trust.statements import Statement

ANSWERED = f"{layout.PRIVATE}/locks.json"
"""Which lock was answered in each stage: one per stage, ever (10, rule 1)."""


def lock_of(folder: Readable) -> Statement | None:
    """Return the lock of the current stage, if it is out."""
    progress = folder.progress
    if progress.roster.terms.dice != "locked" or folder.stage < 0:
        return None
    return next(
        (
            statement
            for statement in folder.of(progress.open_stage, "lock")
            if statement.prev == progress.head
        ),
        None,
    )


def order_under(folder: Readable, lock: Statement, party: str) -> Statement | None:
    """Return the order of a party that a lock names, or None."""
    sid = lock.lock.accepted.get(party)
    return folder.find(lock.stage, sid) if sid is not None else None


# --- the GM ---------------------------------------------------------------------------------------------


def sign_lock(
    folder: Readable, signer: Signer, collected: Collected, forfeits: Collection[str], by: str | None
) -> tuple[Letter, Changes]:
    """Sign the stage's lock, which fixes the orders that have come.

    Its email carries every statement it names.
    """
    progress, me = folder.progress, folder.need_acting()
    accepted: dict[str, Json] = {
        party: collected.orders[party][0].sid if party in collected.orders else None
        for party in progress.asked
    }
    body: dict[str, Json] = {"accepted": accepted, "forfeits": [*sorted(forfeits)]}
    lock = progress.own_statement("lock", body, me)
    signed = Signed.by(signer, lock.bytes)
    changes = Changes()
    changes.keep(lock.stage, lock.sid, signed)
    readable = outbox.heading(progress.roster.terms.title, _lock_lines(lock, by))
    what, items = Message("archive.adjudicating.orders-closed-links-wanted"), [*collected.signed, signed]
    letter = outbox.to_all(progress.roster, lock, what, readable, items, file="lock")
    changes.update(letter.changes(folder.say))
    return letter, changes


def _lock_lines(lock: Statement, by: str | None) -> list[str]:
    accepted, forfeits = lock.lock.accepted, lock.lock.forfeits
    lines = [Message("archive.adjudicating.lock-says-these-orders-count", stage=lock.stage), ""]
    for party, sid in sorted(accepted.items()):
        row = Worded(f"{party:<16} {sid[:12] if sid else ''}")
        lines.append(row if sid else Message("archive.adjudicating.no-order-counts", row=row))
    if forfeits:
        lines.append(
            Message("archive.adjudicating.forfeit-what-they-left-unanswered", forfeits=tuple(forfeits))
        )
    lines += ["", Message("archive.adjudicating.receive-lock")]
    return [*lines, Message("archive.adjudicating.wanted-by", by=by)] if by else lines


def under_lock(folder: Readable, lock: Statement, arrived: Collected) -> tuple[Collected, list[str]]:
    """Return what counts under a lock: the orders it names, and the links that answer it."""
    progress, gm, system = folder.progress, folder.need_gm(), folder.system
    here = {
        statement.sid: (statement, signed) for statement, signed in folder.statements(progress.open_stage)
    }
    orders: dict[str, tuple[Statement, Opened]] = {}
    links: dict[str, Opened] = {}
    signed = [here[statement.sid][1] for statement, _ in arrived.later.values()]
    for party, sid in lock.lock.accepted.items():
        if sid is not None:
            orders[party] = (here[sid][0], open_sealed(here[sid][0], progress, gm, folder.gm_side.seal_key))
            signed.append(here[sid][1])
    signed.append(here[lock.sid][1])
    for statement, original in here.values():
        if statement.type == "link" and statement.said.answers == lock.sid and statement.sender not in links:
            order = orders[statement.sender][0] if statement.sender in orders else None
            links[statement.sender] = open_link(statement, order, progress, system, folder.gm_side.seal_key)
            signed.append(original)
    collected = replace(arrived, orders=orders, signed=signed, links=links, lock=lock.sid)
    return collected, list(lock.lock.forfeits)


def take_link(folder: Readable, link: Statement) -> None:
    """Check that a link answers the lock that is out and can be opened by the GM; NotAccepted if not."""
    lock = lock_of(folder)
    if lock is None or link.said.answers != lock.sid:
        named = (link.said.answers or "")[:12]
        here = lock is not None
        message = Message("archive.adjudicating.it-answers-another-lock", named=named, here=here)
        raise NotAccepted("other-lock" if lock else "no-lock", message)
    order = order_under(folder, lock, link.sender)
    check_link(folder.progress, link, order, folder.system)
    if folder.knows_all:
        open_link(link, order, folder.progress, folder.system, folder.gm_side.seal_key)


# --- a player -------------------------------------------------------------------------------------------


def lock_to_take(folder: Readable, lock: Statement, *, late: bool) -> str:
    """Return why a lock must wait before it may be answered, or "".

    Raises NotAccepted if it is no lock that anybody may answer (10, rule 1).
    """
    progress = folder.progress
    fault = lock_fault(progress, lock, folder)
    if fault is not None and fault.kind == "false":
        raise NotAccepted(fault.code, fault.text)
    if fault is not None:
        return f"{fault.text}; {whom_to_ask(folder.progress.roster, [lock.sender])}"
    me = folder.me or ""
    accepted = lock.lock.accepted
    mine = revisions(folder.of(progress.open_stage, "order"), "order").get(me, [])
    if late or me not in accepted or not mine or accepted[me] == mine[0].sid:
        return ""
    took = took_of(mine, accepted[me])
    return Message("archive.adjudicating.lock-takes-other-orders", took=took, newest=newest_of(mine))


def due(folder: Readable) -> bool:
    """Return True if a lock waits for this player's link."""
    lock = lock_of(folder)
    return lock is not None and all(
        statement.sender != folder.me for statement in folder.of(lock.stage, "link")
    )


def answer(folder: Folder, signer: Signer) -> list[Path]:
    """Answer the lock with my link and what it opens. Return the files written; the email is to be sent."""
    with folder.working():
        me = folder.need_me("player")
        check_signer(folder, signer)
        lock = lock_of(folder)
        if lock is None:
            message = Message("archive.adjudicating.there-is-no-lock-of-open-stage-here")
            raise Refused(
                Diagnostic(
                    "no-lock", message, help=(Message("archive.adjudicating.pbem-receive-gms-mail-first"),)
                )
            )
        answered = folder.private.json(ANSWERED) or {}
        if answered.get(str(lock.stage), lock.sid) != lock.sid:
            message = Message("archive.adjudicating.answered-already", stage=lock.stage)
            raise Refused(Diagnostic("answered-already", message))
        link = _link(folder, lock, order_under(folder, lock, me))
        signed = Signed.by(signer, link.bytes)
        changes = Changes()
        changes.keep(link.stage, link.sid, signed)
        changes.write(ANSWERED, private_side.to_text(answered | {str(lock.stage): lock.sid}))
        changes.update(_link_letter(folder, lock, link, signed).changes(folder.say))
        return folder.commit(changes)


def _link(folder: Readable, lock: Statement, order: Statement | None) -> Statement:
    progress, system = folder.progress, folder.system
    known = openings_of(folder, order) if order is not None else {}
    wanted = {decision: opens(system, decision) for decision in commits_of(order)} if order else {}
    body: dict[str, Json] = {"answers": lock.sid, "link": own_link(folder).hex()}
    shown = {decision: known[decision] for decision, when in wanted.items() if when == "all"}
    hidden = {decision: known[decision] for decision, when in wanted.items() if when == "gm"}
    if shown:
        body["openings"] = {decision: opening.data() for decision, opening in shown.items()}
    if hidden:
        body["sealed"] = seal_to_gm(folder, Openings(None, hidden))
    return progress.own_statement("link", body, folder.need_me())


def _link_letter(folder: Readable, lock: Statement, link: Statement, signed: Signed) -> Letter:
    """Return the link's email, which also carries the lock, so that another lock is noticed."""
    roster = folder.need_roster()
    statement = folder.statement(lock.stage, lock.sid)
    opened = tuple(sorted(link.said.openings))
    lines = [
        Message("archive.adjudicating.link-stage", sender=link.sender, stage=link.stage),
        Message(
            "archive.adjudicating.link-answers-lock",
            lock=lock.sid[:12],
            opened=opened,
            more=bool(link.said.sealed),
        ),
    ]
    items = [*([statement[1]] if statement else []), signed]
    readable = outbox.heading(roster.terms.title, lines)
    what = Message("archive.adjudicating.link", sender=link.sender)
    return outbox.to_all(roster, link, what, readable, items, file="link", answers=lock.sid)
