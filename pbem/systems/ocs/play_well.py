"""A sensible player of ocs, for demonstrations and absent opponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.rules import Decision, Game, Json, to_json

Pick = Callable[[Sequence[Any]], Any]


def play_well(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """The answer of a sensible player; the rules' default where he has no opinion."""
    return to_json(decision.default(game))
