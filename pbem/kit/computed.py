"""The computations of worked examples: cases under `compute:`, each with its expected value `is`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.engine.game import Game

Case = Mapping[str, Any]


def computed(
    game: Game, what: Mapping[str, Sequence[Case]], kinds: Mapping[str, Callable[[Game, Any], Any]]
) -> list[str]:
    """Return faults of an example's computations.

    Each kind is a list of cases with their arguments and `is`.
    """
    faults = []
    for kind, cases in what.items():
        for case in cases:
            result = kinds[kind](game, case)
            if result != case["is"]:
                faults.append(f"{kind} {case}: found {result!r}")
    return faults


def entry(game: Game, case: Case) -> Any:
    """Return an entry of a table of the rules: the name of its file, then the keys (`of`)."""
    name, *keys = case["of"]
    data = game.system.data(f"tables/{name}.yaml")
    for key in keys:
        data = data[key]
    return data
