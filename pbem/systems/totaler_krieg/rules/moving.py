"""4.8, 4.9: Effects of a move on the board, and their events."""

from __future__ import annotations

from pbem.rules import Game

from .events.moving import Moved, Overran
from .orders import Move
from .pieces import piece, take_off
from .walk import Phase, Walked, points
from .world import SEA


def make_move(game: Game, faction: str, phase: Phase, move: Move, found: Walked) -> Walked:
    """Carry out a move that has no faults."""
    assert not found.faults, found.faults
    one = piece(game, move.unit)
    origin, one.hex = one.hex or "", move.path[-1]
    if phase == "op":
        one.moved_op = True
    else:
        one.moved_res = True
    for id in found.overrun:
        foe = piece(game, id)
        hex, country = foe.hex or "", foe.owner
        game.emit(Overran(faction, move.unit, country, id, hex, take_off(foe)))
    for id in found.convoys:
        convoy = piece(game, id)
        convoy.hex = (convoy.hex or "").replace(".convoys", ".used")
    mp = tuple(points(cost) for cost in found.costs)
    game.emit(Moved(faction, one.id, phase, origin, move.path, mp, found.stopped, tuple(found.convoys)))
    return found


__all__ = ["SEA", "make_move"]
