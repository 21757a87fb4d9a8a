"""Boards for the tests of this folder: the start position of a scenario, changed a little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.adjudicate import view_of
from pbem.engine.game import Game
from pbem.model.facts import may_know
from pbem.model.state import GameState
from pbem.systems.victory import SYSTEM
from pbem.testing import prepare


def board(scenario: str = "sarn_strait", **given: Any) -> Game:
    """A game in round 1 of turn 1, red holding the initiative and owing two turns; `given` as in examples."""
    tracks = {"turn": 1, "round": 1, "initiative": {"holder": "red", "quota": 2}}
    tracks |= given.pop("tracks", {})
    return prepare(SYSTEM, {"scenario": scenario, "tracks": tracks, **given})


def facts_for(game: Game, player: str) -> dict[str, Any]:
    """Everything a player may know of this position."""
    return {f.key: f.value for f in SYSTEM.facts(game) if may_know(f.audience, player)}


def view(game: Game, player: str, scenario: str = "sarn_strait") -> Game:
    """The game as one player's tool has it."""
    meta = GameState({}, scenario, dict(game.options), game.players, [], game.position)
    return view_of(SYSTEM, meta, facts_for(game, player), player)


def order(*moves: Mapping[str, Any], **parts: Any) -> dict[str, Any]:
    """A turn order in its JSON form."""
    return {"choice": "turn", **({"moves": list(moves)} if moves else {}), **parts}
