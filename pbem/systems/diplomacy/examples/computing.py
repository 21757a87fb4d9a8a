"""The computations of worked examples (`compute:`): whole phases as small tables, as DATC has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kit.computed import computed
from pbem.rules import Game


def compute(game: Game, what: Mapping[str, Any]) -> list[str]:
    """Return faults of an example's computations."""
    return computed(game, what, {})
