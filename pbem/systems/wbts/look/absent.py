"""4.8: Units that were eliminated, as sentences name them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game, Json


def absent(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """Return the fields of each unit that was there at the start, by id.

    With limited intelligence nothing: an unseen unit need not be gone.
    """
    return {} if game.options.get("limited_intelligence") else dict(game.scenario["units"])
