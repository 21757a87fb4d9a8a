"""6.1: Questions inside an impulse.

Filed orders or defaults answer them unless the player wants to be asked.
"""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, consult, from_json

from .entries import Letter, folded
from .events.turn import LeftUndone
from .pieces import T, powers_of
from .world import world_of


async def wants(game: Game, player: str, *points: str) -> bool:
    """Return True if this player lists one of these points under `ask`."""
    lists = await consult(player, "ask")
    return any(point in listed for listed in lists for point in points)


UNDONE = {
    "cap": "no_patrol",
    "intercept": "no_interception",
    "naval_response": "no_fight",
    "retreat": "choice_of_retreats",
    "losses": "choice_of_losses",
    "naval_losses": "choice_at_sea",
}
"""The sentence for a default, by the standing order that would have replaced it."""


async def left_undone(game: Game, player: str, form: str) -> None:
    """6.1: Tell a player that a default was used where a standing order could have answered.

    Only this player learns of it. Nothing is said in their own impulse, or if they have such an
    order.
    """
    t, world = T.of(game), world_of(game)
    mine = {world.side_of[power] for power in powers_of(game, player)}
    if t.phasing not in mine and not await consult(player, form):
        game.emit(LeftUndone(player, (UNDONE[form],)), to=(player,))


def letter_of(game: Game, player: str) -> Letter:
    """Return the impulse letter of a player, empty if none was sent.

    A letter in a track is replaced and never changed, so each is parsed once.
    """
    data: Any = game.tracks.get("letters", {}).get(player)
    if data is None:
        return Letter()
    read = world_of(game).read_letters
    if player not in read or read[player][0] is not data:
        read[player] = (data, folded(from_json(Letter, data)))
    letter = read[player][1]
    assert isinstance(letter, Letter)
    return letter
