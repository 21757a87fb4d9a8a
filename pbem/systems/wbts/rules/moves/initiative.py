"""The individual leader initiative segment: attempts, orders and results (4.5; D-05)."""

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
    """Land leaders who have neither moved nor tried in this phase, by id."""
    return [who for who in able(board, side) if not who.moved and not who.attempted]


def attempt_fault(board: Board, side: str, id: str) -> Diagnostic | None:
    """E-INIT-1, E-INIT-2: Return why a leader cannot try."""
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
    """Return the values of a leader who tries, and mark the attempt used whatever the die."""
    who = leader(board, id)
    values = modified(who)
    who.attempted = True
    return values


def lead(board: Board, side: str, one: Attempt, values: Modified) -> Performed:
    """4.5: Move a leader's force at once; a smaller span leaves out those named last."""
    who = leader(board, one.leader)
    done = perform(board, side, force(who, values.span), one.if_active, one.entrench, who.hex, "if_active")
    who.moved = True
    return done


def _succeed(board: Board, side: str, one: Attempt) -> list[Diagnostic]:
    return lead(board, side, one, begin(board, one.leader)).faults


class AttemptDraft(MoveDraft):
    """R-59: The draft of attempts, the last one move by move.

    `game` is the map after all had initiative, `stayed` after none. A move is legal in the draft if it is on
    either; one that becomes illegal is skipped.
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
                one = Attempt(who.id, (move,))
                yield Next(
                    Part("leaders", one),
                    Message("wbts.initiative.if-he-has-initiative", who=who.id, text=text),
                    points,
                )
            if self.concerns(of, who.id) and entrench_fault(board, side, who.hex) is None:
                one = Attempt(who.id, entrench=True)
                yield Next(
                    Part("leaders", one),
                    Message("wbts.initiative.if-he-has-initiative-entrench", who=who.id),
                    about,
                )

    def _led(self, one: Attempt) -> tuple[str, ...]:
        """Return whom the last attempt leads: the leader's force before it."""
        if attempt_fault(self.before, self.player, one.leader) is not None:
            return ()
        who = leader(self.before, one.leader)
        return force(who, modified(who).span)

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section != "leaders":
            return []
        one, side = element.value, self.player
        fault = attempt_fault(self.stayed, side, one.leader)
        if fault is not None:
            return [fault]
        if attempt_fault(self.game, side, one.leader) is None:
            board = self.aside()
            if not _succeed(board, side, one):
                self.tried = (element, board)
                return []
        return _succeed(self.aside(self.stayed), side, one)

    def do(self, element: Part[Any]) -> None:
        if element.section != "leaders":
            return
        done, one = self.keep(element), element.value
        if not done and attempt_fault(self.before, self.player, one.leader) is None:
            _succeed(self.game, self.player, one)
        leader(self.stayed, one.leader).attempted = True

    def suppose(self, element: Part[Any]) -> None:
        """Do the legal part of an attempt (4): the rest is judged after it."""
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
    for one in tuple(order.leaders):
        await _attempt(game, phasing, one)
    decide_at_once(game)
    if not order.more:
        T.of(game).pass_segment(LEADERS)


async def _attempt(game: Game, phasing: str, one: Attempt) -> None:
    """Try for one leader; a value of 0 fails, but the die is rolled."""
    order = Message("wbts.initiative.attempt", leader=one.leader)
    fault = attempt_fault(game, phasing, one.leader)
    if fault is not None:
        skipped(game, phasing, order, [fault])
        return
    values, printed = begin(game, one.leader), leader(game, one.leader).initiative
    dice = world_of(game).tables.dice["activation"]
    die = await roll(dice, *leader_label(game, phasing, "1.c.1", "initiative", one.leader))
    success = die.total <= values.initiative
    if not success and game.options["limited_intelligence"]:
        tell_failure(game, phasing, one.leader, values, die)
        return
    game.emit(LeaderTried(one.leader, phasing, printed, values.initiative, values.reasons, die, success))
    if success:
        tell(game, phasing, lead(game, phasing, one, values), order)
