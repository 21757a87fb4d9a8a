"""The computer as a player of Totaler Krieg: the search of the kit with plans and a value."""

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
    """Return the standing orders it files: contests of carriers, cities held, exchanges by loss."""
    return [
        {
            "contest": {
                "types": ["cv_fleet", "surface_fleet"],
                "with": ["N-AF1", "N-AF2", "R-AF1", "A-AF1"],
                "keep": 1,
            }
        },
        {"hold": {"hexes": ["0804", "0603", "0404"], "max_steps": 1}},
    ]
