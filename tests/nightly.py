"""What takes long: random games by the hundred at night, the first dozen in CI; and what CI alone repeats."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.bot.answers import Brain
from pbem.bot.games import Played, Stage, play
from pbem.engine.adjudicate import game_of
from pbem.engine.system import System

# what a quicker test shows as well, for one system or one course: CI runs the rest
IN_CI = (pytest.mark.long, pytest.mark.dozens)


def by_the_hundred() -> list[Any]:
    """The seeds, for `parametrize`."""
    first = [pytest.param(seed, marks=pytest.mark.dozens) for seed in range(12)]
    return [*first, *range(12, 120)]


def sound_game(
    system: System, scenario: str, seed: str, brain: Brain, options: dict[str, Any] | None = None
) -> Played:
    """A game that comes to its end with every invariant kept at every stage and no answer refused."""
    broken: list[str] = []

    def watch(stage: Stage) -> None:
        broken.extend(system.invariants(game_of(system, stage.outcome.state, stage.outcome.position)))

    played = play(system, scenario, options or {}, seed=seed, brains=brain, watch=watch, most=300)
    assert played.last.finished and not broken and not played.refused, (seed, broken, played.refused)
    return played
