"""4.4, D-04: The free initiative segment: activations by chit, and the moves of ships."""

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
)

from ..asking import InWeek
from ..chain import chain
from ..command.forces import force
from ..events.movement import Activated, ChitUsed
from ..pieces import Unit, leaders, own_leader, piece, units
from ..telling import skipped, tell, tell_move
from ..tracks import T
from ..victory import decide_at_once
from .model import Activation, FreeInitiative
from .mover import MoveDraft, Performed, entrench_fault, named, next_moves, perform, sail
from .sea import next_sails, sail_fault

FREE = "1.b"
RULE = "4.4.1"


def allowance_left(board: Board, side: str) -> int:
    """Return the free activations that a side has left."""
    tracks = T.of(board)
    return max(0, tracks.chit[side] - tracks.free_used[side])


def activation_fault(board: Board, side: str, id: str) -> Diagnostic | None:
    """E-FREE-1 to E-FREE-4: Return the first reason why a chit cannot activate a leader or unit."""
    who, leading = named(board, side, id), own_leader(board, side, id)
    if not allowance_left(board, side):
        return illegal(
            "E-FREE-1", RULE, Message("wbts.free.has-no-free-activation-left", side=side), "activate"
        )
    if who is None:
        return illegal("E-FREE-4", RULE, Message("wbts.free.no-leader-or-unit", id=id, side=side), "activate")
    if leading is not None and not leading.on_map:
        return illegal("E-FREE-4", RULE, Message("wbts.spans.not-on-map", who=id), "activate")
    if who.hex not in chain(board, side):
        return illegal(
            "E-FREE-2", RULE, Message("wbts.free.not-on-chain-of-supply", id=id, hex=who.hex), "activate"
        )
    if who.moved:
        return illegal("E-FREE-3", RULE, Message("wbts.free.has-already-moved", id=id), "activate")
    if leading is not None and leading.naval:
        return illegal("E-FREE-4", RULE, Message("wbts.free.no-land-leader", id=id), "activate")
    if isinstance(who, Unit) and not _alone(who):
        return illegal(
            "E-FREE-4",
            RULE,
            Message("wbts.free.cannot-be-activated-alone", id=id, row=who.row.name),
            "activate",
        )
    return None


def _alone(u: Unit) -> bool:
    """Return True if a unit can be activated alone: not static, not an HQ, not a ship."""
    return not (u.is_static or u.is_hq or u.is_naval)


def candidates(board: Board, side: str) -> Iterator[str]:
    """Yield leaders and units that the chit can activate, by id, leaders first."""
    reached = chain(board, side)
    for who in leaders(board, side):
        if who.hex in reached and not who.moved and not who.naval:
            yield who.id
    for u in units(board, side):
        if u.hex in reached and not u.moved and _alone(u):
            yield u.id


def members_of(board: Board, side: str, id: str) -> tuple[str, ...]:
    """Return the counters that an activation moves: a leader's force, or a unit alone."""
    who = own_leader(board, side, id)
    return force(who) if who is not None else (id,)


def activate(board: Board, side: str, activation: Activation) -> Performed | Diagnostic:
    """Perform one activation by chit. The chit is spent unless the activation is illegal."""
    fault = activation_fault(board, side, activation.activate)
    if fault is not None:
        return fault
    who = piece(board, activation.activate)
    done = perform(
        board, side, members_of(board, side, who.id), activation.moves, activation.entrench, who.hex
    )
    T.of(board).free_used[side] += 1
    if who.there:  # a garrison that moved has another id
        who.moved = True
    return done


class FreeDraft(MoveDraft):
    """Activations, the last one move by move, then ships, each on the board after those before."""

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        board, side = self.game, self.player
        last = self.elements[-1].value if self.elements else None
        if isinstance(last, Activation) and not last.entrench:
            for move, text, points in next_moves(board, side, self.members, self.wanted(of)):
                longer = Part("activations", replace(last, moves=(*last.moves, move)))
                yield Next(longer, text, points, instead=True)
        if not self.elements or isinstance(last, Activation):
            yield from self._activations(of)
        yield from next_sails(board, side)

    def _activations(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        board, side = self.game, self.player
        for id in candidates(board, side) if allowance_left(board, side) else ():
            for move, text, points in next_moves(board, side, members_of(board, side, id), self.wanted(of)):
                yield Next(
                    Part("activations", Activation(id, (move,))),
                    Message("wbts.free.activate", id=id, text=text),
                    points,
                )
            if self.concerns(of, id) and entrench_fault(board, side, piece(board, id).hex) is None:
                activation = Activation(id, entrench=True)
                yield Next(
                    Part("activations", activation),
                    Message("wbts.free.activate-entrench", id=id),
                    Points((id,)),
                )

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section == "ships":
            fault = sail_fault(self.game, self.player, element.value)
            return [fault] if fault else []
        if element.section == "activations":
            board = self.aside()
            outcome = activate(board, self.player, element.value)
            if isinstance(outcome, Diagnostic):
                return [outcome]
            self.tried = None if outcome.faults else (element, board)
            return outcome.faults
        return []

    def do(self, element: Part[Any]) -> None:
        if element.section == "ships":
            sail(self.game, self.player, element.value)
        elif element.section == "activations":
            done = self.keep(element)
            self.members = members_of(self.before, self.player, element.value.activate)
            if not done:
                activate(self.game, self.player, element.value)

    def suppose(self, element: Part[Any]) -> None:
        """Carry out the legal part of an activation (4). The rest is judged after it."""
        self.do(element)

    def nothing(self) -> str:
        return Message("wbts.free.no-activation")


@decision("free-initiative", rule="4.4", answer=FreeInitiative, secrecy="sealed", facts=("left",))
class FreeInitiativeSegment(InWeek[FreeInitiative], Growing[FreeInitiative]):
    """Whom does the chit activate, and where do they and the ships go?"""

    skips = True
    player: str
    left: int
    drafts = FreeDraft

    def waits(self, game: Game) -> bool:
        """Return True if the chit is not used up, or a ship can move."""
        by_chit = allowance_left(game, self.player) and any(True for _ in candidates(game, self.player))
        return bool(by_chit) or any(True for _ in next_sails(game, self.player))


@condition("free_initiative_goes_on")
def free_initiative_goes_on(game: Game, phasing: str | None) -> bool:
    """4.4: Return True until the phasing player passes. The chit limits the activations."""
    return FREE not in T.of(game).done and T.of(game).result is None


@procedure("free_initiative", rule="4.4.1")
async def free_initiative(game: Game, phasing: str) -> None:
    """4.4.1: Perform activations up to the chit, one after another, and moves of ships."""
    order = await ask(FreeInitiativeSegment(phasing, allowance_left(game, phasing)))
    for activation in order.activations:
        _by_chit(game, phasing, activation)
    for ships in order.ships:
        sailed = sail(game, phasing, ships)
        if isinstance(sailed, Diagnostic):
            skipped(game, phasing, f"ships {', '.join(ships.units)}", [sailed])
        else:
            tell_move(game, phasing, sailed)
    decide_at_once(game)
    if not order.more:
        T.of(game).pass_segment(FREE)


def _by_chit(game: Game, phasing: str, activation: Activation) -> None:
    """Perform one activation: charge the chit, then move the force."""
    outcome = activate(game, phasing, activation)
    if isinstance(outcome, Diagnostic):
        skipped(game, phasing, Message("wbts.free.activation", activate=activation.activate), [outcome])
        return
    number, most = T.of(game).free_used[phasing], T.of(game).chit[phasing]
    game.emit(Activated(phasing, activation.activate, number, most))
    if game.system.hidden:
        game.emit(ChitUsed(phasing, number, most))
    tell(game, phasing, outcome, Message("wbts.free.activation", activate=activation.activate))
