"""Chits and the first player (4.1)."""

from __future__ import annotations

from pbem.rules import Event, Roll, event


@event(rule="4.1.1", to="public")
class WeekBegan(Event):
    gt: int
    month: str
    week: int
    season: str
    cup: tuple[int, ...]


@event(rule="4.1.2", to="public")
class SouthTookChit(Event):
    player: str
    chit: int


@event(rule="4.1.2", to="public")
class ChitDrawn(Event):
    player: str
    chit: int
    cup: tuple[int, ...]
    die: Roll


@event(rule="4.1.4", to="public")
class FirstPlayer(Event):
    first: str
    north: int
    south: int


@event(rule="4.1.4", to="public")
class ChitsTied(Event):
    chit: int
    die: Roll
    first: str
