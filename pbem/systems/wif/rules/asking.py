"""6.1: Asking at points: by what the player filed, else the default, unless he wants to be asked."""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, consult, from_json

from .entries import Letter, folded
from .events.turn import LeftUndone
from .pieces import T, powers_of
from .world import world_of


async def wants(game: Game, player: str, *points: str) -> bool:
    """Return True if this player lists one of these points in `ask`."""
    listed = await consult(player, "ask")
    return any(point in one for one in listed for point in points)


UNDONE = {
    "cap": "no_patrol",
    "intercept": "no_interception",
    "naval_response": "no_fight",
    "retreat": "choice_of_retreats",
    "losses": "choice_of_losses",
    "naval_losses": "choice_at_sea",
}
"""What a player is told that he left to the default, by the standing order that he has not."""


async def left_undone(game: Game, player: str, form: str) -> None:
    """6.1: Tell a player that a point came up which a standing order of this form could have answered.

    He alone is told so; nothing where he has one, or where the impulse is his own.
    """
    t, world = T.of(game), world_of(game)
    mine = {world.side_of[power] for power in powers_of(game, player)}
    if t.phasing not in mine and not await consult(player, form):
        game.emit(LeftUndone(player, (UNDONE[form],)), to=(player,))


def letter_of(game: Game, player: str) -> Letter:
    """Return the impulse letter of a player; an empty one if he sent none.

    What was read is kept: a letter in a track is replaced as a whole, never changed.
    """
    data: Any = game.tracks.get("letters", {}).get(player)
    if data is None:
        return Letter()
    kept = world_of(game).read_letters
    if player not in kept or kept[player][0] is not data:
        kept[player] = (data, folded(from_json(Letter, data)))
    found = kept[player][1]
    assert isinstance(found, Letter)
    return found
