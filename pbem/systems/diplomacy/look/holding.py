"""5.3: The holders of supply centres, for maps."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game

from ..rules.state import State


def holders(game: Game) -> Mapping[str, str]:
    """Return the holder of each supply centre."""
    return dict(State.of(game).centres)
