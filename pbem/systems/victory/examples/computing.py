"""The computations of worked examples (`compute:`): lines of the tables T-1 and T-3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kit.computed import computed, entry
from pbem.rules import Game

from ..rules.procedures.victory_check import judge
from ..rules.state import State
from ..rules.world import world_of


def _unit_type(game: Game, case: Mapping[str, Any]) -> str:
    """Return a line of T-1 in words."""
    kind = world_of(game).types[case["type"]]
    ratings = f"A{kind.a} N{kind.n} G{kind.g}"
    steps = "-".join(map(str, kind.steps))
    flags = " ".join(("", *kind.flags))
    return f"{kind.class_} {kind.mv}, {ratings}, slot {kind.slot}, cost {kind.cost}, {steps}{flags}"


def _march_cost(game: Game, case: Mapping[str, Any]) -> int | None:
    """T-3: Return the cost of a step between hexes for a type, or None if prohibited."""
    world = world_of(game)
    return world.march_cost(world.types[case["type"]], case["from"], case["to"])


def _condition(game: Game, case: Mapping[str, Any]) -> str | None:
    """Return the result of a victory condition in this turn; nothing where it is not met (4.9.2)."""
    judged = judge(game, {"result": "won", **case["condition"]}, State.of(game).turn)
    return judged and judged[0]


KINDS = {"entry": entry, "unit_type": _unit_type, "march_cost": _march_cost, "condition": _condition}


def compute(game: Game, what: Mapping[str, Any]) -> list[str]:
    """Return faults of an example's computations."""
    return computed(game, what, KINDS)
