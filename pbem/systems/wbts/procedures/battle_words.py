"""What several steps of a battle tell in the same words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.rules import Game

from ..battle.occupation import Displaced, drive_off
from ..events.battle_after import HeadquartersLost, HexTaken, LeaderCaptured, LeaderDisplaced
from ..handling import Arrival
from ..pieces import has_troops, leader, world_of

NOBODY = "nobody"


def name_of(game: Game, id: str | None) -> str:
    """A leader's name, or `nobody`."""
    return leader(game, id).name if id is not None else NOBODY


def tell_arrivals(game: Game, side: str, came: Iterable[Arrival]) -> None:
    """What changes where units have come out of a battle: owners, and lone enemy leaders (R-101, R-103)."""
    for arrival in came:
        if arrival.took:
            place = world_of(game).place(arrival.hex)
            game.emit(HexTaken(arrival.hex, place, side, arrival.took))
        if has_troops(game, arrival.ids):
            tell_displaced(game, world_of(game).enemy(side), *drive_off(game, side, [arrival.hex]))


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
