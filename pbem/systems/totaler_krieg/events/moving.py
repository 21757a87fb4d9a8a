"""Moves and overruns (4.8, 4.9)."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import STOPPED, Event, Loser, Lost, Origin, Place, PlayerName, UnitId, Way, event


@event(rule="4.8", to="public", tells="move")
class Moved(Event):
    """A unit moved: movement points for each hex, why it stopped."""

    power: PlayerName
    unit: UnitId
    phase: str
    origin: Origin
    path: Way
    mp: tuple[str, ...]
    stopped: Annotated[str, STOPPED]
    convoys: tuple[str, ...] = ()


@event(rule="4.8.4", to="public", tells="loss")
class Overran(Event):
    by: str
    unit: str
    power: Loser
    victim: UnitId
    hex: Place
    went: str
    steps: Annotated[int, Lost("step")] = 1
