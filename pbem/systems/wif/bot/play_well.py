"""The computer as a player of wif: the search of the kit with plans and a value."""

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
    return search(game, decision, judge, pick, plans(game, decision), game.budget)


def standing_well(player: str) -> list[Json]:
    """Return the standing orders it files: default losses and retreats, a reroll when it is close."""
    return [{"reroll": "if_lost_by<=2"}, {"order": "first"}, {"abort_if": {"d_below": -3, "round": 2}}]
