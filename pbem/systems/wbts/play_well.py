"""A sensible player of wbts, for demonstrations: knows what he may see and nothing else."""

from __future__ import annotations

from typing import Any

from pbem.rules import Decision, Game, Json, to_json


def play_well(game: Game, decision: Decision[Any], pick: Any) -> Json:
    """The default of the rules, or an option by chance where there is none."""
    return to_json(decision.default(game))
