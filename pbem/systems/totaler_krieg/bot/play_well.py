"""The computer as a player of Totaler Krieg: the kit's search with this system's value of a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.kit.search import BUDGET, search
from pbem.rules import Decision, Game, Json

from ..rules.cards import card_faults, hand
from ..rules.decisions.season import FaceDown, NextCard
from ..rules.pieces import world_of
from .value import Judge

Pick = Callable[[Sequence[Any]], Any]


def play_well(game: Game, decision: Decision[Any], pick: Pick, budget: int = BUDGET) -> Json:
    """Return the answer with the best positions; cards by what they bring."""
    if isinstance(decision, NextCard | FaceDown):
        return _card(game, decision.power)
    return search(game, decision, Judge(game, decision.player), pick, budget)


def standing_well(player: str) -> list[Json]:
    """Standing orders that he files: contests of carriers, cities held, exchanges by loss."""
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


def _card(game: Game, power: str) -> Json:
    """What may be played now first, the most replacements before others."""
    world = world_of(game)
    cards = sorted(
        hand(game, power),
        key=lambda id: (
            bool(card_faults(game, power, id)),
            -sum(one.n for one in world.cards[id].replacements),
            id,
        ),
    )
    return list(cards[: int(world.limits["cards"]["most"])])
