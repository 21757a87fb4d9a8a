"""6.2: The end of the game and its reason."""

from __future__ import annotations

from pbem.rules import Ending, Game, Level, Message

from ..rules.state import State, counts
from ..rules.world import world_of


def ending(game: Game) -> Ending:
    """Return what the winner reached, and what was asked for."""
    winner, total = State.of(game).winner, counts(game)
    to_win = world_of(game).to_win
    who = (winner,) if winner else ()
    points = total[winner] if winner else max(total.values())
    levels = (Level(to_win, None, winner, ""), Level(None, to_win - 1, "", ""))
    named = Message("diplomacy.ending.to-win")
    return Ending(who, points, levels, counted=points >= to_win, named=named)
