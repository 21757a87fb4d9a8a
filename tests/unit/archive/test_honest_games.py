"""Nobody who is honest is accused: whatever happens in a game, `verify` finds nothing false in any folder."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import system as systems
from pbem.engine.system import System
from tests.nightly import IN_CI
from tests.primer import FOG, SYSTEM
from tests.unit.archive.honest import HonestGame

CASES = [(SYSTEM, "swift"), (FOG, "swift"), (SYSTEM, "locked"), (FOG, "locked"), (SYSTEM, "pair")]
QUICK = ((FOG, "swift", 3), (SYSTEM, "pair", 1))
"""Those of every run; they are short."""


def games() -> list[Any]:
    """Two for every run, some more for CI, the rest at night."""
    listed: list[Any] = [pytest.param(*one, 6) for one in QUICK]
    for system, dice in CASES:
        listed += [pytest.param(system, dice, seed, 14, marks=IN_CI) for seed in range(1)]
        listed += [pytest.param(system, dice, seed, 14, marks=pytest.mark.long) for seed in range(1, 40)]
    return listed


@pytest.mark.parametrize(
    ("system", "dice", "seed", "steps"), games(), ids=lambda one: str(getattr(one, "name", one))
)
def test_an_honest_game_is_sound_in_every_folder(
    tmp_path: Path, system: System, dice: str, seed: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(f"{system.name} {dice} {seed}")
    HonestGame(tmp_path, system, "ford", ("north", "south"), rng, dice).run(steps, monkeypatch)


REAL = [("victory", "swift"), ("wbts", "pair"), ("wbts", "swift"), ("wbts", "locked"), ("ocs", "swift")]
REAL += [("totaler-krieg", "swift"), ("wif", "swift")]


@pytest.mark.long
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.dozens), *range(1, 6)])
@pytest.mark.parametrize(("name", "dice"), REAL)
def test_an_honest_game_of_a_real_system_is_sound_in_every_folder(
    tmp_path: Path, name: str, dice: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = systems.find(name)
    scenario = system.scenarios()[0]
    seats = tuple(system.players(system.scenario(scenario)))
    rng = random.Random(f"{name} {dice} {seed}")
    HonestGame(tmp_path, system, scenario, seats, rng, dice).run(6, monkeypatch)
