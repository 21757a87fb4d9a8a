"""The individual leader initiative segment on paper: who may try, and what may be ordered (4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..command import Fault, Modified, force, modified
from ..pieces import Board, Leader, Sim, is_leader, leader, leaders, mark
from .model import Attempt, Move
from .mover import Performed, entrench_fault, perform
from .plan import move_options

Attempts = tuple[Attempt, ...]


def may_try(board: Board, side: str) -> list[Leader]:
    """Land leaders who have neither moved nor tried in this phase, by id."""
    return [who for who in leaders(board, side) if not who.naval and not who.moved and not who.attempted]


def attempt_fault(board: Board, side: str, id: str) -> Fault | None:
    """Why a leader cannot try: E-INIT-1, E-INIT-2."""
    if not is_leader(board, id) or leader(board, id).side != side or leader(board, id).naval:
        return Fault("E-INIT-2", f"{id} is no land leader of {side}", ("leader",))
    who = leader(board, id)
    if not who.on_map:
        return Fault("E-INIT-2", f"{id} is not on the map", ("leader",))
    if who.moved or who.attempted:
        what = "moved" if who.moved else "tried"
        return Fault("E-INIT-1", f"{id} has already {what} in this phase", ("leader",))
    return None


@dataclass(frozen=True)
class Try:
    """A leader's values at the moment he tries."""

    printed: int
    values: Modified


def begin(board: Board, id: str) -> Try:
    """The attempt is used, whatever the die says."""
    values = Try(leader(board, id).initiative, modified(board, id))
    mark(board, id, attempted=True)
    return values


def lead(board: Board, side: str, one: Attempt, values: Modified) -> Performed:
    """His force moves at once; whom he named last is left out where his span has shrunk (4.5)."""
    where = leader(board, one.leader).hex
    members = force(board, one.leader, values.span)
    done = perform(board, side, members, one.if_active, one.entrench, where)
    mark(board, one.leader, moved=True)
    return done


class Paper:
    """A list of attempts on paper, as it grows: the map after all leaders had initiative, and after none.

    A move is taken for legal if it is so on either map: it may become illegal on the way and is then skipped
    (ruling R-59).
    """

    def __init__(self, board: Board, side: str) -> None:
        self.side = side
        self.moved, self.stayed = Sim.of(board), Sim.of(board)

    def add(self, one: Attempt) -> list[Fault]:
        """What is wrong with the next attempt, whatever the dice say; afterwards it has been made."""
        fault = attempt_fault(self.stayed, self.side, one.leader)
        if fault is not None:
            return [fault]
        able = attempt_fault(self.moved, self.side, one.leader) is None
        here = _on_paper(self.moved, self.side, one) if able else None
        there: list[Fault] = []
        if here is None or here:
            there = _on_paper(Sim.of(self.stayed), self.side, one)
        mark(self.stayed, one.leader, attempted=True)
        return [
            f if f.path == ("entrench",) else Fault(f.code, f.message, ("if_active", *f.path)) for f in there
        ]


def attempt_faults(board: Board, side: str, listed: Attempts) -> list[Fault]:
    """What is wrong with attempts, with paths that begin at their list."""
    paper = Paper(board, side)
    faults: list[Fault] = []
    for n, one in enumerate(listed):
        faults += [Fault(f.code, f.message, ("leaders", n, *f.path)) for f in paper.add(one)]
    return faults


def _on_paper(board: Sim, side: str, one: Attempt) -> list[Fault]:
    values = begin(board, one.leader)
    return lead(board, side, one, values.values).faults


def attempt_options(game: Board, side: str, so_far: Attempts) -> Iterator[tuple[Attempts, str]]:
    """One move more for the last leader's force, or one leader more, alone or with a first move."""
    board = Sim.of(game)
    for one in so_far[:-1]:
        _on_paper(board, side, one)
    if so_far:
        last = so_far[-1]
        if not last.entrench:
            for move, text in _longer(board, side, last):
                yield (*so_far[:-1], replace(last, if_active=(*last.if_active, move))), text
        _on_paper(board, side, last)
    for who in may_try(board, side):
        yield (*so_far, Attempt(who.id)), f"{who.id} tries, and stays"
        members = force(board, who.id, modified(board, who.id).span)
        for move, text in move_options(board, side, members):
            yield (*so_far, Attempt(who.id, (move,))), f"{who.id} tries; if he has initiative: {text}"
        if entrench_fault(board, side, who.hex, moved=False) is None:
            yield (*so_far, Attempt(who.id, entrench=True)), f"{who.id} tries; if he has initiative: entrench"


def _longer(board: Sim, side: str, last: Attempt) -> Iterator[tuple[Move, str]]:
    """What a leader's force may do besides the moves it has."""
    members = force(board, last.leader, modified(board, last.leader).span)
    after = Sim.of(board)
    perform(after, side, members, last.if_active, False, leader(board, last.leader).hex)
    yield from move_options(after, side, [id for id in members if id in after.position.counters])
