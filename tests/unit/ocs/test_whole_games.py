"""Whole games of `ocs`: they end, what must hold holds, and a Player Turn takes few mails."""

from __future__ import annotations

import pytest

from pbem.bot.answers import Brain, answer, clever
from pbem.bot.games import Stage, play
from pbem.engine.adjudicate import adjudicate, game_of, start
from pbem.engine.answers import Inputs
from pbem.rules import Json
from pbem.systems.ocs import SYSTEM

SEEDS = [("by chance", answer, 3), ("sensible", clever, 2)]


@pytest.mark.parametrize(
    ("brain", "seed"), [(brain, f"{name} {n}") for name, brain, count in SEEDS for n in range(count)]
)
def test_a_game_is_played_to_its_victory_check(brain: Brain, seed: str) -> None:
    broken: list[str] = []

    def watch(stage: Stage) -> None:
        game = game_of(SYSTEM, stage.outcome.state, stage.outcome.position)
        broken.extend(SYSTEM.invariants(game))

    played = play(SYSTEM, "crossing_the_tol", seed=seed, brains=brain, watch=watch, most=200)
    tracks = played.last.position.tracks
    assert played.last.finished and tracks["result"] in ("aster", "bren", "draw")
    assert tracks["turn"] == 4 and not broken and not played.refused
    assert len(played.stages) <= 8 * 10 + 4 + 1, "more than ten mails in a Player Turn"


def test_with_standing_orders_a_player_turn_takes_few_mails() -> None:
    """6.2: both sides file what sensible people would; eight Player Turns in four turns."""
    filed = {side: SYSTEM.standing_well(side) for side in ("aster", "bren")}
    played = play(SYSTEM, "crossing_the_tol", seed="filed", brains=clever, standing=filed, most=200)
    assert played.last.finished and not played.refused
    assert len(played.stages) - 1 <= 4 * 8, f"{len(played.stages) - 1} stages"


def test_what_is_said_ahead_is_not_asked() -> None:
    """With standing answers for every segment only first players and breakouts stop the game."""
    outcome = adjudicate(SYSTEM, start(SYSTEM, "crossing_the_tol", {}), Inputs(0, seed=bytes(32)))
    quiet: dict[str, list[Json]] = {
        side: [
            {"decision": "actions", "answer": {}},
            {"decision": "first-player", "answer": "first"},
            {"decision": "breakout", "answer": []},
            {"decision": "rebuild", "answer": []},
        ]
        for side in ("aster", "bren")
    }
    outcome = adjudicate(SYSTEM, outcome.state, Inputs(1, {}, standing=quiet, seed=bytes(32)))
    assert outcome.finished, [question.key for question in outcome.pending]
