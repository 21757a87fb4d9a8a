"""The game on a board with pointy tops and letters is the one on a plain grid, hex for hex."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import stages
from pbem.engine.scenarios.scenario_check import faults_of
from pbem.engine.scenarios.whole_scenario import pack
from pbem.engine.system import System
from pbem.rules import Game
from pbem.trust import dice
from tests.conformance.systems import INSTALLED
from tests.turned import renamed, turned

STAGES = 12
ON_HEXES = [
    (system, name)
    for system in INSTALLED
    for name in system.scenarios()
    if {"terrain", "sheets"} & set(system.scenario(name)["map"])
]


def alike(game: Game, decision: Any, _: random.Random) -> Any:
    """Answer by what is asked, with the same luck on both boards."""
    return clever(game, decision, random.Random(decision.kind))


@pytest.mark.parametrize(("system", "name"), ON_HEXES, ids=[name for _, name in ON_HEXES])
def test_the_game_is_the_same_hex_for_hex(system: System, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, other, names, back = turned(system, name)
    label_bytes = dice.label_bytes
    monkeypatch.setattr(dice, "label_bytes", lambda label: label_bytes(renamed(label, back)))
    played = []
    for data in (plain, other):
        whole = pack(system, name, data)
        assert faults_of(system, whole) == []
        played.append(stages(system.with_scenario(whole), name, None, "boards", alike))
    places = 0
    for here, there in islice(zip(*played, strict=False), STAGES):
        told = [renamed(dict(one.event), names) for one in here.outcome.told]
        assert told == [one.event for one in there.outcome.told]
        assert not there.outcome.diagnostics
        standing = renamed(here.outcome.position.counters, names)
        assert standing == {id: dict(one) for id, one in there.outcome.position.counters.items()}
        places += str(told).count("'hex':")
    assert places
