"""How points are asked: what the player filed, else the default, unless he wants to be asked (6.1)."""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, consult, from_json

from .entries import Letter
from .world import world_of


async def wants(game: Game, player: str, *points: str) -> bool:
    """Does this player list one of these points in `ask`?"""
    listed = await consult(player, "ask")
    return any(point in one for one in listed for point in points)


def letter_of(game: Game, player: str) -> Letter:
    """The impulse letter of a player; an empty one if he sent none. What was read is kept: a letter in a
    track is replaced as a whole, never changed."""
    data: Any = game.tracks.get("letters", {}).get(player)
    if data is None:
        return Letter()
    kept = world_of(game).read_letters
    if player not in kept or kept[player][0] is not data:
        kept[player] = (data, from_json(Letter, data))
    found = kept[player][1]
    assert isinstance(found, Letter)
    return found
