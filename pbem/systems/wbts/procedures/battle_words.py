"""What several steps of a battle tell in the same words."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game

from ..battle.occupation import Displaced
from ..events.battle_after import HeadquartersLost, LeaderCaptured, LeaderDisplaced
from ..pieces import leader

NOBODY = "nobody"


def name_of(game: Game, id: str | None) -> str:
    """A leader's name, or `nobody`."""
    return leader(game, id).name if id is not None else NOBODY


def tell_displaced(game: Game, side: str, gone: Sequence[Displaced], alone: Sequence[str]) -> None:
    """Lone leaders and HQs (4.8.16)."""
    for one in gone:
        name = leader(game, one.leader).name
        if one.to is None:
            game.emit(LeaderCaptured(one.side, name, one.start))
            if one.hq is not None:
                game.emit(HeadquartersLost(one.side, one.hq))
        else:
            game.emit(LeaderDisplaced(one.side, name, one.start, one.to))
    for hq in alone:
        game.emit(HeadquartersLost(side, hq))
