"""Dice mode `pair`: two players without a GM, who writes what in which order (protocol 5.4, 13).

The player who orders first can know no dice, and the one whose link is out first has no decision left. The
last statement of a stage is a link with the head its sender computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal

from pbem.engine.decisions import Secrecy
from pbem.engine.system import System
from pbem.stages.faults import Fault, type_words
from pbem.stages.inputs_from_statements import Shelf
from pbem.stages.locked_dice import check_link
from pbem.stages.progress import Progress, revisions
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import BadLink, NotAccepted
from pbem.trust.records import Record
from pbem.trust.statements import Statement


class TooSoon(NotAccepted):
    """A statement that may be right, but needs an earlier one that is not here."""

    def __init__(self, message: str) -> None:
        super().__init__("too-soon", message)


@dataclass(frozen=True)
class Turn:
    """The current stage between two: `both` asked or not, who is `first` and `last`, and what is here."""

    both: bool
    first: str
    last: str
    first_order: Statement | None = None
    second_order: Statement | None = None
    links: Sequence[Statement] = field(default=())

    @property
    def second(self) -> str:
        """Return who orders second, or only gives a link."""
        return "" if not self.both else self._other

    @property
    def _other(self) -> str:
        return self._pair[1] if self._pair[0] == self.first else self._pair[0]

    _pair: tuple[str, str] = ("", "")

    @property
    def answered(self) -> Statement | None:
        """Return the order that the last link names, if it is here: it has the other's link in it."""
        return self.second_order if self.both else self.first_order

    @property
    def to_write(self) -> str:
        """Return who must write now: an order, or the last link."""
        if self.first_order is None:
            return self.first
        if self.both and self.second_order is None:
            return self.second
        return self.last

    def waits_for(self, me: str) -> str:
        """Return why I may not order now, in words; "" if I may."""
        if not self.both:
            return "" if me == self.first and self.first_order is None else self._done(me)
        if me == self.first:
            return self._done(me) if self.second_order is not None else ""
        if self.first_order is None:
            return Message("stages.two-players.first-order-is-not-here-yet", first=self.first)
        return "" if self.second_order is None else self._done(me)

    def _done(self, me: str) -> str:
        if me not in (self.first, self.second):
            return Message("stages.two-players.nothing-is-asked-of-party", party=me)
        return Message("stages.two-players.your-order-went-out-with-its-link")


def turn_of(progress: Progress, shelf: Shelf) -> Turn:
    """Return the state of the current stage, from the statements that are here."""
    stage, players = progress.open_stage, progress.roster.players
    orders = revisions(
        (statement for statement in shelf.of(stage, "order") if statement.prev == progress.head), "order"
    )
    links = [statement for statement in shelf.of(stage, "link") if statement.prev == progress.head]
    pair = (players[0], players[1])
    if len(progress.asked) < 2:
        (first,) = progress.asked or (players[0],)
        last = pair[1] if pair[0] == first else pair[0]
        return Turn(False, first, last, _earliest(orders.get(first, [])), None, links, pair)
    first = last_word(progress, shelf)
    second = pair[1] if pair[0] == first else pair[0]
    answer = _earliest(orders.get(second, []))
    mine = orders.get(first, [])
    named = next((order for order in mine if answer and order.sid == answer.said.answers), None)
    newest = mine[0] if mine else None
    return Turn(True, first, first, named if answer else newest, answer if named else None, links, pair)


Committing = Literal["secret", "all", "kept"]


def committing(progress: Progress, shelf: Shelf, me: str) -> Committing:
    """Return what I commit to in an order of the current stage.

    Normally it is what is secret. Between two it is everything if I order first, and only what is kept if
    nobody left could use it.
    """
    if progress.roster.terms.dice != "pair":
        return "secret"
    turn = turn_of(progress, shelf)
    return "all" if turn.both and turn.first == me else "kept"


def commits_to(how: Committing, secrecy: Secrecy) -> bool:
    """Return True if an answer of this secrecy is committed to."""
    if how == "secret":
        return secrecy != "open"
    return how == "all" or secrecy == "kept"


def _earliest(orders: Sequence[Statement]) -> Statement | None:
    """Return the first revision among orders with a link: none of them can be revised (5.4)."""
    final = [order for order in orders if order.said.link is not None]
    return min(final, key=lambda order: (order.rev, order.sid), default=None)


def last_word(progress: Progress, shelf: Shelf) -> str:
    """Return who sent the last statement of the stage before: that player commits first (13)."""
    links = shelf.of(progress.stage, "link") if progress.stage > 0 else []
    sent = [link.sender for link in links if link.given_link.head == progress.head]
    return sent[0] if sent and sent[0] in progress.roster.players else progress.roster.players[0]


# --- what may come --------------------------------------------------------------------------------------


def check_order(progress: Progress, order: Statement, shelf: Shelf) -> None:
    """Check that an order fits its place in the stage; NotAccepted if not, TooSoon if one is missing."""
    turn = turn_of(progress, shelf)
    link, named = order.said.link, order.said.answers
    if turn.both and order.sender == turn.first:
        if link is not None or named is not None:
            raise NotAccepted("turn", Message("stages.two-players.first-order-must-not-have-link"))
        return
    if link is None:
        raise NotAccepted("turn", Message("stages.two-players.order-must-have-link", sender=order.sender))
    try:
        progress.check_link(order.sender, link)
    except BadLink as fault:
        raise NotAccepted("link", str(fault)) from None
    if turn.both != (named is not None):
        message = (
            Message("stages.two-players.order-must-name-order", sender=order.sender, first=turn.first)
            if turn.both
            else Message("stages.two-players.order-must-answer-no-other", sender=order.sender)
        )
        raise NotAccepted("turn", message)
    if named is not None and shelf.find(progress.open_stage, named) is None:
        raise TooSoon(
            Message(
                "stages.two-players.it-answers-order-that-is-not-here", named=named[:12], first=turn.first
            )
        )
    here = [
        statement for statement in shelf.of(progress.open_stage, "order") if statement.sender == order.sender
    ]
    if any(earlier.said.link is not None and earlier.rev < order.rev for earlier in here):
        raise NotAccepted("revision", Message("stages.two-players.revision"))


def check_last(progress: Progress, link: Statement, shelf: Shelf, system: System) -> Turn:
    """Return the turn of a link that may end the stage.

    Raises NotAccepted if it may not, TooSoon if an order is not here. The run checks what it computed.
    """
    turn = turn_of(progress, shelf)
    if link.sender != turn.last:
        raise NotAccepted(
            "turn", Message("stages.two-players.last-word-is-for-another", last=turn.last, sender=link.sender)
        )
    wanted = turn.second if turn.both else turn.first
    named = _answered(progress, link, shelf)
    if named is None:
        raise TooSoon(Message("stages.two-players.it-answers-no-order-here", wanted=wanted))
    if named.type != "order" or named.sender != wanted or named.said.link is None:
        raise NotAccepted(
            "turn",
            Message(
                "stages.two-players.it-answers-another-statement",
                type=type_words(named.type),
                sender=named.sender,
                wanted=wanted,
            ),
        )
    first = named
    if turn.both:
        answered = _answered(progress, named, shelf)
        if answered is None or answered.sender != link.sender or answered.type != "order":
            raise TooSoon(Message("stages.two-players.order-that-it-opens-is-not-here", sender=link.sender))
        first = answered
    check_link(progress, link, first if turn.both else None, system, last=True)
    return Turn(turn.both, turn.first, turn.last, first, named if turn.both else None, turn.links, turn._pair)


def _answered(progress: Progress, statement: Statement, shelf: Shelf) -> Statement | None:
    """Return the statement of the current stage that this one answers, if it is here."""
    sid = statement.said.answers
    return shelf.find(progress.open_stage, sid) if sid is not None else None


# --- what a record must be ------------------------------------------------------------------------------


def pair_faults(progress: Progress, record: Record, shelf: Shelf) -> Iterator[Fault]:
    """Yield faults of who answered whom in the record of a stage between two (13)."""
    if progress.roster.terms.dice != "pair":
        return
    named = {party: sid for party, sid in record.accepted.items() if sid is not None}
    orders = {party: shelf.find(progress.open_stage, sid) for party, sid in named.items()}
    turn = turn_of(progress, shelf)
    heads = ((statement, statement.given_link.head) for statement in shelf.of(progress.open_stage, "link"))
    last = next((link for link, head in heads if head == record.head), None)
    first, second = orders.get(turn.first), orders.get(turn.second) if turn.both else None
    if last is None or first is None or (turn.both and second is None):
        yield Fault("turn", Message("stages.two-players.order-or-last-link-of-stage-is-missing"))
        return
    answered = second if second is not None else first
    if last.sender != turn.last or last.said.answers != answered.sid:
        yield Fault(
            "turn", Message("stages.two-players.last-word-is-not-that-of-last", last=turn.last), last.sender
        )
    if second is not None and (second.said.answers != first.sid or first.said.link is not None):
        text = Message(
            "stages.two-players.second-did-not-answer-order-of-first", second=turn.second, first=turn.first
        )
        yield Fault("turn", text, turn.second)
    for link in (answered, last):
        if record.links.get(link.sender) != link.said.link:
            yield Fault(
                "link",
                Message("stages.two-players.link-in-record-is-not-one-given", sender=link.sender),
                link.sender,
            )
