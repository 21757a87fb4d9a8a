"""4.4, 4.5: Activations and moves."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import (
    STOPPED,
    Destination,
    Event,
    Origin,
    Place,
    PlayerName,
    Roll,
    Thrower,
    UnitId,
    UnitIds,
    Way,
    event,
)


@event(rule="4.4.1")
class Activated(Event):
    owner: PlayerName
    who: UnitId
    number: int
    most: int


@event(rule="4.4.1", to="public")
class ChitUsed(Event):
    player: PlayerName
    number: int
    most: int


@event(rule="4.4.2", tells="move")
class Marched(Event):
    owner: PlayerName
    units: UnitIds
    way: Way
    cost: int
    stopped: Annotated[bool, STOPPED]


@event(rule="4.4.3", tells="move")
class Rode(Event):
    owner: PlayerName
    units: UnitIds
    way: Way
    points: int
    left: int


@event(rule="4.4.1", tells="move")
class Sailed(Event):
    owner: PlayerName
    units: UnitIds
    origin: Origin
    hex: Destination
    hexes: int


@event(rule="4.4.2", to="public", tells="capture")
class TookHex(Event):
    player: PlayerName
    hex: Place
    place: str


@event(rule="4.4.4", to="public")
class RailCut(Event):
    player: PlayerName
    hex: Place


@event(rule="4.4.6", to="public")
class Entrenched(Event):
    player: PlayerName
    hex: Place


@event(rule="4.5", to="public")
class LeaderTried(Event):
    leader: UnitId
    player: Thrower
    printed: int
    initiative: int
    modifiers: tuple[str, ...]
    die: Roll
    success: bool


@event(rule="4.5", to="public")
class TriedInVain(Event):
    """R-301: A leader's failure. With limited intelligence the enemy learns only side and die."""

    player: Thrower
    die: Roll


@event(rule="4.5")
class LeaderFailed(Event):
    """R-301: The leader who failed, for the own side, with printed and needed values and reasons."""

    owner: PlayerName
    leader: UnitId
    printed: int
    initiative: int
    modifiers: tuple[str, ...]
