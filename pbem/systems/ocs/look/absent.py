"""4.3: Units that are still to come, as sentences and examples name them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game, Json

from ..rules.pieces import T


def absent(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """Return the fields of each counter that comes in a later turn, by id, as far as the view tells."""
    return {id: dict(one["counter"]) for id, one in sorted(T.of(game).coming.items())}
