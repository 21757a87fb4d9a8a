"""4.8, 4.9: Moves and overruns."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import (
    STOPPED,
    Attacker,
    Event,
    Loser,
    Lost,
    MaybeUnit,
    Origin,
    Place,
    PlayerName,
    UnitId,
    UnitIds,
    Way,
    event,
)


@event(rule="4.8", to="public", tells="move")
class Moved(Event):
    """A unit's move: the points for each hex, and the reason why it stopped."""

    power: PlayerName
    unit: UnitId
    phase: str
    origin: Origin
    path: Way
    mp: tuple[str, ...]
    stopped: Annotated[str, STOPPED]
    convoys: UnitIds = ()


@event(rule="4.8.4", to="public", tells="loss")
class Overran(Event):
    by: Attacker
    unit: MaybeUnit
    power: Loser
    victim: UnitId
    hex: Place
    went: str
    steps: Annotated[int, Lost("step")] = 1
