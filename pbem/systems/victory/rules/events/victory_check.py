"""Events of city points and the end of the game (rule 4.9)."""

from __future__ import annotations

from pbem.rules import Event, PlayerName, event


@event(rule="4.9.1", to="public", tells="score")
class CityPointsScored(Event):
    """A player's city points this game turn, and their running score."""

    player: PlayerName
    points: int
    before: int
    vp: int


@event(rule="4.0.2", to="public")
class PlayerOut(Event):
    """A player without a block on the map and without a city."""

    player: PlayerName


@event(rule="4.9.2", to="public")
class ConditionMet(Event):
    """The first condition that is met, which ends the game."""

    number: int
    condition: str


@event(rule="4.9.2", to="public", tells="end")
class GameWon(Event):
    """The end of the game."""

    result: str
