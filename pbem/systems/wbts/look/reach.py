"""The reach of a unit or a leader that marches by itself (4.4.2)."""

from __future__ import annotations

from pbem.kit.ways import how_far
from pbem.rules import Diagnostic, Game, Reach, maybe

from ..rules.moves.land import RULE, Ground, Stack, marching
from ..rules.pieces import Piece, Unit, world_of


def reach(game: Game, id: str) -> Reach | None:
    """Return how far the piece marches if it is activated; None for ships and unknown ones."""
    piece = maybe(game, Piece, id)
    if piece is None or piece.hex not in world_of(game):
        return None
    unit = maybe(game, Unit, id)
    if unit is not None and (not unit.known or unit.is_naval or not unit.row.ma):
        return None
    ground, stack = Ground.of(game, piece.side), Stack.of(game, [id])
    travel = marching(game, ground, stack)

    def cost(at: str, to: str) -> int | None:
        step = travel.step(at, to)
        return None if isinstance(step, Diagnostic) else step

    return how_far(
        travel.chart,
        piece.hex,
        cost,
        stack.allowance,
        RULE,
        stop=ground.zones.__contains__,
        first_hex_always=travel.first_hex_always,
    )
