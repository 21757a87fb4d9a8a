"""4.3: Units that are not on the board, as sentences and examples name them: to come, or eliminated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.rules import Game, Json

from ..rules.pieces import T, world_of
from ..rules.set_up import arrivals, counters_of
from ..rules.views import hides


def absent(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """Return the fields of each counter that comes or came in some turn or was there at the start, by id.

    With fog only those to come, as far as the view tells: an unseen unit need not be gone.
    """
    coming = {id: dict(due["counter"]) for id, due in sorted(T.of(game).coming.items())}
    if hides(game):
        return coming
    listed: dict[str, Mapping[str, Json]] = {}
    for side, own in world_of(game).oob.items():
        listed |= counters_of(side, own)
        arrived: dict[str, Any] = dict(arrivals(world_of(game), side, own))
        listed |= {id: came["counter"] for id, came in arrived.items()}
    return {**listed, **coming}
