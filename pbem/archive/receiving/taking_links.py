"""Receiving in dice `locked` and `pair`: locks, links, and the orders of two in turn.

Each is judged after everything else in an email, because it depends on statements that it names.
"""

from __future__ import annotations

from pbem.archive.adjudicating import between_two, locks_and_links
from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.two_reports import FORK
from pbem.archive.receiving.desk import Desk, Item
from pbem.stages.deputies import check_charge
from pbem.stages.inputs_from_statements import Shelf, earlier_of
from pbem.stages.progress import Progress
from pbem.stages.two_players import TooSoon, check_order
from pbem.text.messages import Message
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement


def waits(statement: Statement, progress: Progress) -> bool:
    """Return True if a statement is for `settle`."""
    if statement.type in ("lock", "link"):
        return True
    return statement.type == "order" and progress.roster.terms.dice == "pair"


def check_openings(progress: Progress, order: Statement, shelf: Shelf) -> None:
    """Check that an order opens only its sender's earlier commitments; NotAccepted if not (5.3)."""
    if len(earlier_of(progress, order, shelf.find)) != len(order.said.openings):
        raise NotAccepted(
            "opening",
            Message("archive.adjudicating.it-opens-what-sender-did-not-commit", sender=order.sender),
        )


def settle(desk: Desk, progress: Progress, *, late: bool, render: Render | None) -> bool:
    """Take the mode's locks and links, and orders in turn; return True if that ended a stage
    here.
    """
    mode = progress.roster.terms.dice
    if mode == "locked":
        _locks(desk, progress, late)
        _links(desk, progress)
    elif mode == "pair":
        ended = between_two.closed(desk.folder, render) if desk.folder.stage >= 0 else None
        if ended is not None:
            desk.folder.commit(ended)
            return True
        _orders(desk, progress)
        return _last_words(desk, progress, render)
    return False


def _of(desk: Desk, type_: str, stage: int) -> list[Item]:
    return desk.open_of(type_, stage)


def _put(desk: Desk, item: Item, note: str = "") -> None:
    changes = Changes()
    desk.take(item, item.heard, changes, note)
    desk.folder.commit(changes)


# --- locked ---------------------------------------------------------------------------------------------


def _locks(desk: Desk, progress: Progress, late: bool) -> None:
    folder = desk.folder
    for item in _of(desk, "lock", progress.open_stage):
        if item.heard.sender == folder.me:
            desk.refuse(item, "refused", NotAccepted("own", Message("archive.receiving.own")))
            continue
        try:
            check_charge(progress, folder, item.heard)
            reason = locks_and_links.lock_to_take(folder, item.heard, late=late)
        except NotAccepted as fault:
            desk.refuse(item, "refused", fault)
            continue
        if reason:
            desk.wait(item, reason)
        else:
            _put(desk, item)


def _links(desk: Desk, progress: Progress) -> None:
    for item in _of(desk, "link", progress.open_stage):
        try:
            locks_and_links.take_link(desk.folder, item.heard)
        except NotAccepted as fault:
            if fault.code == "no-lock" and not desk.folder.acting:
                desk.wait(item, Message("archive.receiving.it-answers-lock-that-is-not-here-yet"))
            else:
                desk.refuse(item, "unreadable" if fault.code == "unreadable" else "refused", fault)
        else:
            _put(desk, item)


# --- pair -----------------------------------------------------------------------------------------------


def _orders(desk: Desk, progress: Progress) -> None:
    """Process the orders of the current stage, the first player's before the second's."""
    left = _of(desk, "order", progress.open_stage)
    while left:
        behind: list[Item] = []
        reasons: dict[int, str] = {}
        for item in left:
            try:
                check_order(progress, item.heard, desk.folder)
            except TooSoon as fault:
                behind.append(item)
                reasons[id(item)] = str(fault)
            except NotAccepted as fault:
                desk.refuse(item, "refused", fault)
            else:
                _put(desk, item, _proof(desk, item.heard))
        if len(behind) == len(left):
            for item in behind:
                desk.wait(item, reasons[id(item)])
            return
        left = behind


def _proof(desk: Desk, order: Statement) -> str:
    here = [
        statement for statement in desk.folder.of(order.stage, "order") if statement.sender == order.sender
    ]
    twice = any(other.rev == order.rev for other in here)
    return Message("archive.receiving.second-different-statement-with-this-revision") if twice else ""


def _last_words(desk: Desk, progress: Progress, render: Render | None) -> bool:
    folder = desk.folder
    for item in _of(desk, "link", progress.open_stage):
        link = item.heard
        try:
            changes, note = between_two.take_last(folder, progress, link, render)
        except TooSoon as fault:
            desk.wait(item, str(fault))
        except NotAccepted as fault:
            desk.refuse(item, "refused", fault)
        except between_two.Differs as fault:
            _differs(desk, item, link, str(fault))
        else:
            desk.take(item, link, changes, note)
            folder.commit(changes)
            return True
    return False


def _differs(desk: Desk, item: Item, link: Statement, reason: str) -> None:
    """Record two heads of one stage: from now on nothing is signed here (5.3)."""
    changes = Changes()
    desk.keep_aside(item, link, changes, reason)
    name = f"{layout.INBOX}/{FORK}{link.stage:04d}.txt"
    help_ = Message("archive.receiving.pbem-compare-writes-your-record-for-other")
    changes.write(name, f"{reason}:\n{help_}\n")
    desk.done(item, changes, "fork", reason)
    desk.folder.commit(changes)
