"""The state of each awaited party: what it has done, and what may follow (product 6, protocol 14).

A pure function of the folder: which statements are here for the current stage, which were refused, what the
records say. It knows no clock; who is late by the calendar is for the command line to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pbem.archive.folder.game_over import ended
from pbem.archive.folder.joined import joined, seats
from pbem.archive.folder.kept_aside import Aside, kept_aside
from pbem.archive.folder.parts import Readable
from pbem.stages import deputies
from pbem.stages.amendments import proposals
from pbem.stages.deadlines import forfeit_fault
from pbem.stages.progress import Progress, revisions
from pbem.stages.sealed_orders import open_sealed
from pbem.stages.two_players import Turn, turn_of
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.bodies import READY
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement

State = Literal["nothing", "waits", "invalid", "sent", "not-opened", "opened-wrong", "done", "report"]
"""nothing sent; in `pair` the other has to write first; sent and refused; valid but not final, since it may
still be revised; committed but not opened; opened wrong, or sealed so that it does not open; all that is
wanted is here; the GM owes the report, or the lock.
"""
WANTING = ("nothing", "invalid", "not-opened", "opened-wrong", "report")


@dataclass(frozen=True)
class Step:
    """A possible next step: `wait`, `remind`, `forfeit` or `amend`; in words, and the command if any."""

    what: Literal["wait", "remind", "forfeit", "amend"]
    words: str
    command: str = ""


@dataclass(frozen=True)
class Awaited:
    """The state of one party.

    `since` is the stage from which on none of its orders counted. `owes` are decision ids without an answer;
    `reason` says why its last order does not count; `signs` are amendments that still need its signature.
    """

    party: str
    state: State
    since: int
    owes: tuple[str, ...] = ()
    rev: int = 0
    reason: str = ""
    steps: tuple[Step, ...] = ()
    signs: tuple[str, ...] = ()

    @property
    def wanting(self) -> bool:
        """Return True if the game waits for this party."""
        return self.state in WANTING


def awaited(folder: Readable) -> tuple[Awaited, ...]:
    """Return each party with a part in the current stage, in roster order; none before and after
    the game.

    The GM comes last, and only in the folders of others: when all else is there, the others wait for the GM.
    """
    if folder.stage < 0 or ended(folder):
        return ()
    look = _Look(folder)
    missing = [look.party(party) for party in folder.progress.roster.players if look.has_part(party)]
    gm = folder.progress.roster.terms.arbiter
    charged = deputies.mandate(folder.progress, folder)
    if charged is not None and not deputies.gm_is_back(folder.progress, folder):
        gm = charged.charge.charge.to
    if gm is not None and gm != folder.me and not any(party.wanting for party in missing):
        missing.append(Awaited(gm, "report", folder.progress.open_stage, steps=look.steps(gm, "report")))
    return tuple(missing)


class _Look:
    """The statements in a folder for the current stage."""

    def __init__(self, folder: Readable) -> None:
        self.folder = folder
        self.progress: Progress = folder.progress
        stage = self.progress.open_stage
        self.acting = folder.acting
        here = [statement for statement, _ in folder.statements(stage)]
        self.orders = revisions(here, "order")
        self.links = {statement.sender: statement for statement in here if statement.type == "link"}
        self.lock = next((statement for statement in here if statement.type == "lock"), None)
        self.acks = [listed[0] for listed in revisions(here, "ack").values()]
        self.aside = [aside for aside in kept_aside(folder) if aside.statement.stage == stage]
        self.dice = self.progress.roster.terms.dice
        self.turn = turn_of(self.progress, folder) if self.dice == "pair" else None
        self.open = [
            proposal
            for proposal in proposals(self.progress, folder, folder.system)
            if proposal.missing and not proposal.fault
        ]

    def has_part(self, party: str) -> bool:
        """Return True if a party is asked, or has a link to give.

        In `locked` after the lock, in `pair` anyway.
        """
        if party in self.progress.asked or self.dice == "pair":
            return True
        return self.dice == "locked" and self.lock is not None

    def party(self, party: str) -> Awaited:
        """Return the state of a player."""
        state, reason = self.state(party)
        order = self.orders.get(party, [None])[0]
        owes = unanswered(self.progress.asked.get(party, ()), order)
        since = _since(self.folder, party) if state in WANTING else self.progress.open_stage
        rev = order.rev if order else 0
        signs = tuple(proposal.statement.sid for proposal in self.open if party in proposal.missing)
        return Awaited(party, state, since, owes, rev, reason, self.steps(party, state), signs)

    def state(self, party: str) -> tuple[State, str]:
        """Return a party's state, and why its order does not count."""
        if self.turn is not None:
            return self._in_pair(party, self.turn)
        if self.lock is not None:
            return self._opening(party)
        order = self.orders.get(party, [None])[0]
        if order is None:
            return self._refused(party)
        wrong = self._unreadable(order)
        return ("opened-wrong", wrong) if wrong else ("sent", "")

    def _in_pair(self, party: str, turn: Turn) -> tuple[State, str]:
        """Return a party's state without a GM: it is this party's turn, or the other's (13)."""
        order = self.orders.get(party, [None])[0]
        if party in self.links or (order is not None and order.said.link is not None):
            return "done", ""
        if turn.to_write != party:
            return ("sent", "") if order is not None else ("waits", "")
        last = party == turn.last and turn.answered is not None
        return self._opening(party) if last else self._refused(party)

    def _opening(self, party: str) -> tuple[State, str]:
        if party in self.links:
            return "done", ""
        bad = self._aside(party, "link")
        return ("opened-wrong", bad.reason) if bad else ("not-opened", "")

    def _refused(self, party: str) -> tuple[State, str]:
        """Return the state of a party without a valid order.

        Only the GM notices that a seal does not open.
        """
        bad = self._aside(party, "order")
        if bad is None:
            return "nothing", ""
        if self.folder.knows_all and bad.statement.prev == self.progress.head and bad.statement.said.sealed:
            try:
                open_sealed(bad.statement, self.progress, self.folder.need_gm(), self.folder.gm_side.seal_key)
            except NotAccepted:
                return "opened-wrong", bad.reason
        return "invalid", bad.reason

    def _aside(self, party: str, type_: str) -> Aside | None:
        mine = [
            aside for aside in self.aside if (aside.statement.sender, aside.statement.type) == (party, type_)
        ]
        return max(mine, key=lambda aside: (aside.statement.rev, aside.statement.sid), default=None)

    def _unreadable(self, order: Statement) -> str:
        """Return a message if the GM cannot open this party's last order (8.3), else ""."""
        for ack in self.acks:
            if order.sid in ack.ack.unreadable:
                return Message("archive.letters.gm-cannot-open-what-is-sealed")
        return ""

    def steps(self, party: str, state: State) -> tuple[Step, ...]:
        """Return the possible next steps with a party that is awaited."""
        if state not in WANTING:
            return ()
        steps = [Step("wait", Message("archive.letters.wait"))]
        terms, asked = self.progress.roster.terms, party in self.progress.asked
        if self.acting:
            steps.append(
                Step("remind", Message("archive.letters.remind-him-by-mail"), f"pbem remind {party}")
            )
        if self.acting and asked and self.lock is None:
            fault = forfeit_fault(terms, party, has_order=party in self.orders, fresh=self.progress.fresh)
            if fault is None:
                words = Message("archive.letters.when-his-deadline-has-passed")
                steps.append(Step("forfeit", words, f"pbem adjudicate --forfeit {party}"))
        if terms.dice != "pair":
            gm = state == "report"
            who = (
                Message("archive.letters.another-gm-takes-over")
                if gm
                else Message("archive.letters.he-is-dropped")
            )
            command = f"pbem amend takeover {terms.arbiter}" if gm else f"pbem amend drop {party}"
            steps.append(
                Step("amend", Message("archive.letters.by-amendment-that-all-others-sign", who=who), command)
            )
        return tuple(steps)


def unanswered(asked: Sequence[str], order: Statement | None) -> tuple[str, ...]:
    """Return the asked decisions that an order leaves open; one may be sent under its key or its kind."""
    if order is None:
        return tuple(asked)
    given = order.order.answered
    return tuple(key for key in asked if key not in given | {READY} and not given & set(key.split("/")))


def _since(folder: Readable, party: str) -> int:
    """Return the first of the stages in a row, up to the open one, in which no order of a party counted."""
    since = stage = folder.progress.open_stage
    while stage > 1:
        stage -= 1
        record = folder.record(stage)
        if record.closed or party not in record.accepted:
            continue  # nothing was asked of this party
        if record.accepted[party] is not None:
            break
        since = stage
    return since


def awaited_before_the_game(folder: Readable) -> dict[str, str]:
    """Return who has to join or to sign the roster before a first stage, with what they owe.

    Nothing is wrong then: a game waits for its players, as later for their orders.
    """
    if folder.roster is not None:
        return dict.fromkeys(folder.unsigned(), Message("archive.letters.has-not-signed-roster-yet"))
    if not folder.initiates:
        return {"roster": Message("archive.letters.it-has-not-come-yet")}
    have = joined(folder)
    free = [seat for seat in seats(folder) if seat not in have]
    if not free:
        return {folder.need_me(): Message("archive.letters.all-have-joined")}
    return dict.fromkeys(free, Message("archive.letters.nobody-has-taken-this-seat-yet"))
