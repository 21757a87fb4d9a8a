"""6.2: The end of the game and its reason."""

from __future__ import annotations

from pbem.rules import Ending, Game, Headed, Level, Message

from ..rules.state import State, alive, counts
from ..rules.world import world_of


def ending(game: Game) -> Ending:
    """Return the winner's number of centres, and the number needed."""
    total, to_win = counts(game), world_of(game).to_win
    winner = State.of(game).winner
    levels = (Level(to_win, None, "", "a win"), Level(None, to_win - 1, "", "no win by supply centres"))
    most = sorted(game.players, key=lambda player: -total[player])
    had = Headed(
        Message("diplomacy.ending.had"),
        tuple(Message("diplomacy.ending.centres", who=player, count=total[player]) for player in most),
    )
    over = State.of(game).over
    best = ((winner,) if winner else alive(game)) if over else None
    reached = bool(winner) and total[winner or ""] >= to_win
    return Ending(
        (winner,) if winner else (),
        total[winner] if winner else None,
        levels,
        counted=reached,
        also=(had,),
        named=Message("diplomacy.ending.to-win") if winner else "",
        best=best,
    )
