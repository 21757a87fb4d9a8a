"""The reach of a unit in its present mode, its fuel taken for granted (4.0.3, 4.4.4)."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules import Game, Reach

from ..rules.allowances import movement_allowance
from ..rules.moving import unit_ways
from ..rules.pieces import maybe_unit, world_of

PLENTY = Fraction(-1000)
"""Points spent by a unit that shall reach everything: its allowance less these."""


def reach(game: Game, id: str) -> Reach | None:
    """Return how far a unit on the map goes that the reader sees."""
    unit = maybe_unit(game, id)
    if unit is None or not unit.hex or not unit.side.ma:
        return None
    scale = world_of(game).scale
    ends = frozenset(way[-1] for way, _ in unit_ways(game, unit))
    board = game.copy()
    endless = maybe_unit(board, id)
    assert endless is not None
    left, endless.spent = movement_allowance(unit) - unit.spent, PLENTY
    costs = {way[-1]: int(cost * scale) for way, cost in unit_ways(board, endless)}
    return Reach(costs, int(left * scale), ends, "4.0.3", scale)
