"""The computer as a player of wbts: the search of the kit with plans and a value."""

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
    """Return standing orders for the chit and for all of a battle but its secret choices."""
    return [
        {"chit": "parenthesised"},
        {"def_leader": {}},
        {"rbc": {"mode": "go", "if_attack_sp_at_least": 8}},
        {"rbc": {"mode": "stay"}},
        {"defence": {}},
        {"losses": {}},
        {"supply_order": []},
        {"retreat": {"exempt": "stay"}},
        {"voluntary": {"defend": {"if_ratio_at_least": 250}, "attack": {}}},
        {"advance": "all"},
    ]
