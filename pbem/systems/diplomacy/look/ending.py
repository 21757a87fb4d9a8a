"""6.2: The end of the game and its reason."""

from __future__ import annotations

from pbem.rules import Ending, Game, Level, Message

from ..rules.state import State, alive, counts
from ..rules.world import world_of


def ending(game: Game) -> Ending:
    """Return what the winner reached, and what was asked for."""
    total, to_win = counts(game), world_of(game).to_win
    winner, most = State.of(game).winner, max(total.values())
    leaders = tuple(player for player in game.players if total[player] == most)
    levels = (Level(to_win, None, "", "a win"), Level(None, to_win - 1, "", "no win by supply centres"))
    who = (winner,) if winner else leaders
    points = total[winner] if winner else most
    named = Message("diplomacy.ending.to-win")
    over = State.of(game).over
    best = ((winner,) if winner else alive(game)) if over else None
    return Ending(who, points, levels, counted=points >= to_win, named=named, best=best)
