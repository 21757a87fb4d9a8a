"""What takes long: random games by the hundred at night, the first two in CI; and what CI alone repeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from pbem.bot.answers import Brain
from pbem.bot.games import Played, Stage, play
from pbem.engine.adjudicate import game_of
from pbem.engine.system import System

Test = TypeVar("Test", bound=Callable[..., Any])

# what a quicker test shows as well, for one system or one course: CI runs the rest
IN_CI = (pytest.mark.long, pytest.mark.dozens)
"""For parameters: `pytest.param(..., marks=IN_CI)`."""


def in_ci(test: Test) -> Test:
    """For a whole test: `@in_ci`."""
    for mark in IN_CI:
        test = mark(test)
    return test


def by_the_hundred() -> list[Any]:
    """The seeds, for `parametrize`."""
    first = [pytest.param(seed, marks=pytest.mark.dozens) for seed in range(2)]
    return [*first, *range(2, 120)]


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
