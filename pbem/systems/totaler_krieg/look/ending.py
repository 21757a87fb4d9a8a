"""4.1, 4.23: Victory conditions of the scenario, for the last report."""

from __future__ import annotations

from pbem.rules import Ending, Game, Headed, Message

from ..rules.background import Sayer
from ..rules.pieces import T


def ending(game: Game) -> Ending:
    """Return the victory value and all conditions, as the reports of the game have told them."""
    value = Headed(Message("totaler-krieg.background.value-at-end", csv=T.of(game).csv))
    return Ending(also=(value, *Sayer(game).victory()))
