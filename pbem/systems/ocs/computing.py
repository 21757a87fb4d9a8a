"""What worked examples compute without playing: costs, supply, strengths (`compute:` of example files)."""

from __future__ import annotations

from typing import Any

from pbem.rules import Game


def compute(game: Game, what: Any) -> list[str]:
    """Faults of an example's computations."""
    return []
