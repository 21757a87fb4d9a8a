"""4.1: Chits and the first player."""

from __future__ import annotations

from pbem.rules import Event, PlayerName, Roll, event


@event(rule="4.1.1", to="public", tells="turn")
class WeekBegan(Event):
    gt: int
    month: str
    week: int
    season: str
    cup: tuple[int, ...]


@event(rule="4.1.2", to="public")
class SouthTookChit(Event):
    player: PlayerName
    chit: int


@event(rule="4.1.2", to="public")
class ChitDrawn(Event):
    player: PlayerName
    chit: int
    cup: tuple[int, ...]
    die: Roll


@event(rule="4.1.4", to="public")
class FirstPlayer(Event):
    first: PlayerName
    north: int
    south: int


@event(rule="4.1.4", to="public")
class ChitsTied(Event):
    chit: int
    die: Roll
    first: PlayerName
