"""The computer as a player of ocs: the search of the kit with plans and a value."""

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
    """Return the player's standing orders.

    The first Player Turn, holding places, replacements for divisions, automatic reserves; segments without
    able units need no question.
    """
    quiet: list[Json] = [
        {"decision": "actions", "when": {"segment": segment}, "answer": {}} for segment in ("all_barrage",)
    ]
    idle: list[Json] = [
        {"decision": "actions", "when": {"segment": segment, "ready": 0}, "answer": {}}
        for segment in ("reaction", "exploitation")
    ]
    reserves: dict[str, list[Json]] = {
        "bren": [{"formation": "B7", "within": 3, "of": "11.06", "then": "overrun"}],
        "aster": [{"formation": "A5", "within": 2, "then": "close"}],
    }
    rebuilt: dict[str, list[Json]] = {
        "bren": ["B-101", "B-103", "B-102", "B-104"],
        "aster": ["A-21", "A-22", "A5-M"],
    }
    return [
        {"first_player": "first"},
        {"attack": {"losses_up_to": 1}},
        {"defence": {"default": {"supply": "pay"}}},
        {"eat": {"keep_T": 0}},
        {"breakout": {}},
        {"rebuild": rebuilt.get(player, [])},
        {"release": reserves.get(player, [])},
        {"blow": {"threatened": "yes"}},
        {"intercept": {"min_edge": 1}},
        *quiet,
        *idle,
    ]
