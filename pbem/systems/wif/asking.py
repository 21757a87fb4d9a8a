"""How points are asked: what the player filed, else the default, unless he wants to be asked (6.1)."""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, consult, from_json

from .entries import Letter
from .pieces import T


async def wants(game: Game, player: str, *points: str) -> bool:
    """Does this player list one of these points in `ask`?"""
    listed = await consult(player, "ask")
    return any(point in one for one in listed for point in points)


def letter_of(game: Game, player: str) -> Letter:
    """The impulse letter of a player; an empty one if he sent none."""
    data: Any = T.of(game).letters.get(player)
    found = from_json(Letter, data) if data is not None else Letter()
    assert isinstance(found, Letter)
    return found
