"""4.5, D-05: The individual leader initiative segment: attempts, orders and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import (
    Board,
    Diagnostic,
    Game,
    Growing,
    Message,
    Next,
    Part,
    Points,
    ask,
    condition,
    decision,
    procedure,
    roll,
)

from ..asking import InWeek
from ..chain import chain
from ..command.forces import Modified, able, force, modified
from ..events.movement import LeaderTried
from ..pieces import Leader, leader, own_leader, world_of
from ..telling import leader_label, skipped, tell, tell_failure
from ..tracks import T
from ..victory import decide_at_once
from .model import Attempt, LeaderInitiative
from .mover import MoveDraft, Performed, entrench_fault, next_moves, perform

LEADERS = "1.c"


def may_try(board: Board, side: str) -> list[Leader]:
    """Return land leaders who have neither moved nor tried in this phase, by id."""
    return [who for who in able(board, side) if not who.moved and not who.attempted]


def attempt_fault(board: Board, side: str, id: str) -> Diagnostic | None:
    """E-INIT-1, E-INIT-2: Return the reason why a leader cannot try, or None."""
    who = own_leader(board, side, id)
    if who is None or who.naval:
        return illegal(
            "E-INIT-2", "4.5", Message("wbts.initiative.no-land-leader", id=id, side=side), "leader"
        )
    if not who.on_map:
        return illegal("E-INIT-2", "4.5", Message("wbts.spans.not-on-map", who=id), "leader")
    if who.moved or who.attempted:
        what = "moved" if who.moved else "tried"
        return illegal(
            "E-INIT-1", "4.5", Message("wbts.initiative.has-already-in-phase", id=id, what=what), "leader"
        )
    return None


def begin(board: Board, id: str) -> Modified:
    """Return the values of a leader who tries, and mark the attempt as used whatever the die."""
    who = leader(board, id)
    values = modified(who)
    who.attempted = True
    return values


def lead(board: Board, side: str, attempt: Attempt, values: Modified) -> Performed:
    """4.5: Move a leader's force at once. A smaller span leaves out the last names."""
    who = leader(board, attempt.leader)
    done = perform(
        board, side, force(who, values.span), attempt.if_active, attempt.entrench, who.hex, "if_active"
    )
    who.moved = True
    return done


def _succeed(board: Board, side: str, attempt: Attempt) -> list[Diagnostic]:
    return lead(board, side, attempt, begin(board, attempt.leader)).faults


class AttemptDraft(MoveDraft):
    """R-59: The draft of attempts, the last one move by move.

    `game` is the map if all had initiative, `stayed` the map if none had. A move is legal in the
    draft if it is legal on either. A move that becomes illegal is skipped.
    """

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.stayed = self.aside()

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        board, side = self.game, self.player
        last = self.elements[-1].value if self.elements else None
        if isinstance(last, Attempt) and not last.entrench:
            for move, text, points in next_moves(board, side, self._led(last), self.wanted(of)):
                longer = Part("leaders", replace(last, if_active=(*last.if_active, move)))
                yield Next(longer, text, points, instead=True)
        reached = chain(board, side)
        for who in may_try(board, side):
            about = Points((who.id,))
            if self.concerns(of, who.id):
                yield Next(
                    Part("leaders", Attempt(who.id)), Message("wbts.initiative.and-stays", who=who.id), about
                )
            members = force(who, modified(who, reached).span)
            for move, text, points in next_moves(board, side, members, self.wanted(of)):
                attempt = Attempt(who.id, (move,))
                yield Next(
                    Part("leaders", attempt),
                    Message("wbts.initiative.if-he-has-initiative", who=who.id, text=text),
                    points,
                )
            if self.concerns(of, who.id) and entrench_fault(board, side, who.hex) is None:
                attempt = Attempt(who.id, entrench=True)
                yield Next(
                    Part("leaders", attempt),
                    Message("wbts.initiative.if-he-has-initiative-entrench", who=who.id),
                    about,
                )

    def _led(self, attempt: Attempt) -> tuple[str, ...]:
        """Return the counters that the last attempt leads: the leader's force before it."""
        if attempt_fault(self.before, self.player, attempt.leader) is not None:
            return ()
        who = leader(self.before, attempt.leader)
        return force(who, modified(who).span)

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section != "leaders":
            return []
        attempt, side = element.value, self.player
        fault = attempt_fault(self.stayed, side, attempt.leader)
        if fault is not None:
            return [fault]
        if attempt_fault(self.game, side, attempt.leader) is None:
            board = self.aside()
            if not _succeed(board, side, attempt):
                self.tried = (element, board)
                return []
        return _succeed(self.aside(self.stayed), side, attempt)

    def do(self, element: Part[Any]) -> None:
        if element.section != "leaders":
            return
        done, attempt = self.keep(element), element.value
        if not done and attempt_fault(self.before, self.player, attempt.leader) is None:
            _succeed(self.game, self.player, attempt)
        leader(self.stayed, attempt.leader).attempted = True

    def suppose(self, element: Part[Any]) -> None:
        """Carry out the legal part of an attempt (4). The rest is judged after it."""
        if attempt_fault(self.stayed, self.player, element.value.leader) is None:
            self.do(element)

    def nothing(self) -> str:
        return Message("wbts.initiative.nobody-tries")


@decision("leader-initiative", rule="4.5", answer=LeaderInitiative, secrecy="sealed")
class LeaderInitiativeSegment(InWeek[LeaderInitiative], Growing[LeaderInitiative]):
    """Which leaders try for initiative, in which order, and what do they do if they have it?"""

    skips = True
    player: str
    drafts = AttemptDraft

    def waits(self, game: Game) -> bool:
        """Return True if a leader is left to try."""
        return bool(may_try(game, self.player))


@condition("leader_initiative_goes_on")
def leader_initiative_goes_on(game: Game, phasing: str | None) -> bool:
    """4.5: Return True until the phasing player passes or no leader is left."""
    assert phasing is not None
    tracks = T.of(game)
    return LEADERS not in tracks.done and tracks.result is None and bool(may_try(game, phasing))


@procedure("leader_initiative", rule="4.5")
async def leader_initiative(game: Game, phasing: str) -> None:
    """4.5: Try leader by leader: roll against modified initiative, and move the force at once."""
    order = await ask(LeaderInitiativeSegment(phasing))
    for attempt in tuple(order.leaders):
        await _attempt(game, phasing, attempt)
    decide_at_once(game)
    if not order.more:
        T.of(game).pass_segment(LEADERS)


async def _attempt(game: Game, phasing: str, attempt: Attempt) -> None:
    """Try for one leader. A value of 0 fails, but the die is rolled."""
    order = Message("wbts.initiative.attempt", leader=attempt.leader)
    fault = attempt_fault(game, phasing, attempt.leader)
    if fault is not None:
        skipped(game, phasing, order, [fault])
        return
    values, printed = begin(game, attempt.leader), leader(game, attempt.leader).initiative
    dice = world_of(game).tables.dice["activation"]
    die = await roll(dice, *leader_label(game, phasing, "1.c.1", "initiative", attempt.leader))
    success = die.total <= values.initiative
    if not success and game.options["limited_intelligence"]:
        tell_failure(game, phasing, attempt.leader, values, die)
        return
    game.emit(LeaderTried(attempt.leader, phasing, printed, values.initiative, values.reasons, die, success))
    if success:
        tell(game, phasing, lead(game, phasing, attempt, values), order)
