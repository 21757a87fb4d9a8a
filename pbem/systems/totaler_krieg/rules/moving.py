"""4.8, 4.9: Effects and events of a move."""

from __future__ import annotations

from pbem.rules import Game

from .events.moving import Moved, Overran
from .orders import Move
from .pieces import piece, take_off
from .walk import Phase, Walked, points
from .world import SEA


def make_move(game: Game, faction: str, phase: Phase, move: Move, walked: Walked) -> Walked:
    """Carry out a move that has no faults."""
    assert not walked.faults, walked.faults
    unit = piece(game, move.unit)
    origin, unit.hex = unit.hex or "", move.path[-1]
    if phase == "op":
        unit.moved_op = True
    else:
        unit.moved_res = True
    for id in walked.overrun:
        foe = piece(game, id)
        hex, country = foe.hex or "", foe.owner
        game.emit(Overran(faction, move.unit, country, id, hex, take_off(foe)))
    for id in walked.convoys:
        convoy = piece(game, id)
        convoy.hex = (convoy.hex or "").replace(".convoys", ".used")
    mp = tuple(points(cost) for cost in walked.costs)
    game.emit(Moved(faction, unit.id, phase, origin, move.path, mp, walked.stopped, tuple(walked.convoys)))
    return walked


__all__ = ["SEA", "make_move"]
