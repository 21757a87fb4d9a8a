"""What new rules do to a stage that is under way (protocol 4.4, op `module`)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.archive.amending import new_rules
from pbem.engine import system as systems
from tests.nightly import IN_CI
from tests.unit.archive.honest import HonestGame


@pytest.mark.parametrize(
    "name",
    ["victory", "ocs", *(pytest.param(name, marks=IN_CI) for name in ("wbts", "totaler-krieg", "wif"))],
)
def test_rules_that_decide_the_same_touch_no_stage(tmp_path: Path, name: str) -> None:
    """In `ocs` the first stage throws dice before it asks anybody."""
    system = systems.find(name)
    scenario = system.scenarios()[0]
    seats = tuple(system.players(system.scenario(scenario)))
    game = HonestGame(tmp_path, system, scenario, seats, random.Random(name), "swift")
    for _ in range(5):
        assert new_rules.affected(game.table.gm.folder, system) is None, game.table.progress.open_stage
        game.play()
