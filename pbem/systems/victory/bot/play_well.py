"""The computer as a player of victory: the kit's search with this system's plans and value of a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.kit.search import BUDGET, search
from pbem.rules import Decision, Game, Json

from .plans import plans
from .value import Judge

Pick = Callable[[Sequence[Any]], Any]


def play_well(game: Game, decision: Decision[Any], pick: Pick, budget: int = BUDGET) -> Json:
    """Return the answer that leads to the best positions."""
    return search(game, decision, Judge(game, decision.player), pick, budget, plans(game, decision, pick))


def standing_well(player: str) -> list[Json]:
    """Standing orders that he files: all but one of those who can fly into a battle do, and without supply
    units to speak of he passes."""
    return [{"air_response": {"keep_home": 1}}, {"pass_if": {"su_steps_at_most": 2}}]
