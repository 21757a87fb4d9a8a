"""The computer as a player of victory: the search of the kit with plans and a value."""

from __future__ import annotations

from functools import partial
from typing import Any

from pbem.kit.search import Pick, search
from pbem.rules import Decision, Game, Json

from .plans import plans
from .value import Judge


def play_well(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """Return the answer that leads to the best positions."""
    judge = partial(Judge, game, decision.player)
    return search(game, decision, judge, pick, plans(game, decision, pick), game.budget)


def standing_well(player: str) -> list[Json]:
    """Return the player's standing orders.

    All but one of those who can fly into a battle do, and with few supply units the player passes.
    """
    return [{"air_response": {"keep_home": 1}}, {"pass_if": {"su_steps_at_most": 2}}]
