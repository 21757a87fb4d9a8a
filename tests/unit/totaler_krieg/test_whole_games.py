"""Whole games of `totaler-krieg`: they end, what must hold holds, and a faction turn takes few mails."""

from __future__ import annotations

import pytest

from pbem.bot.answers import Brain, answer, clever
from pbem.bot.games import Played, Stage, play
from pbem.engine.adjudicate import game_of
from pbem.systems.totaler_krieg import SYSTEM

SEEDS = [("by chance", answer, 2), ("sensible", clever, 2)]
FACTION_TURNS = 12
MOST_STAGES_A_FACTION_TURN = 6


def whole_game(scenario: str, seed: str, brain: Brain, **options: object) -> Played:
    """A game to its end, with nothing broken on the way."""
    broken: list[str] = []

    def watch(stage: Stage) -> None:
        game = game_of(SYSTEM, stage.outcome.state, stage.outcome.position)
        broken.extend(SYSTEM.invariants(game))

    played = play(SYSTEM, scenario, options, seed=seed, brains=brain, watch=watch, most=200)
    assert played.last.finished and not broken and not played.refused
    return played


@pytest.mark.parametrize(
    ("brain", "seed"), [(brain, f"{name} {n}") for name, brain, count in SEEDS for n in range(count)]
)
def test_a_game_is_played_to_its_victory_check(brain: Brain, seed: str) -> None:
    played = whole_game("lodestar", seed, brain)
    tracks = played.last.position.tracks
    assert tracks["result"] in ("axis", "allied", "western", "soviet", "draw")
    assert len(played.stages) <= FACTION_TURNS * MOST_STAGES_A_FACTION_TURN
