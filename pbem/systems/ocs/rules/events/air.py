"""Events of aircraft (rule 4.11)."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import (
    Defender,
    Destination,
    Event,
    Loser,
    Lost,
    Origin,
    Place,
    PlayerName,
    Roll,
    Thrower,
    ThrowingAttacker,
    UnitId,
    UnitIds,
    event,
)


@event(rule="4.11.1", to="public", tells="prelude")
class MissionFlown(Event):
    player: PlayerName
    mission: str
    hex: Place
    planes: UnitIds
    note: str
    escorts: UnitIds = ()


@event(rule="4.11.1", to="public", tells=("outcome", "prelude"))
class MissionEnded(Event):
    """The end of a mission: aircraft that did it, aircraft that turned back, steps lost."""

    player: PlayerName
    mission: str
    hex: Place
    done: UnitIds
    turned_back: UnitIds
    steps: int


@event(rule="4.11.2", to="public", tells=("battle", "round", "result"))
class AirRound(Event):
    attacker: ThrowingAttacker
    defender: Defender
    hex: Place
    plane: UnitId
    against: UnitId
    dice: Roll
    total: int
    loss: Roll
    aborts: UnitIds


@event(rule="4.11.3", to="public", tells="forces")
class Intercepted(Event):
    player: PlayerName
    plane: UnitId
    hex: Place


@event(rule="4.11.4", to="public", tells="result")
class FlakRolled(Event):
    player: Thrower
    hex: Place
    dice: Roll
    added: int
    hit: bool
    die: str


@event(rule="4.11", to="public", tells="loss")
class PlaneHit(Event):
    player: Loser
    plane: UnitId
    lost: Annotated[int, Lost("step")]
    why: str


@event(rule="4.11.9", owned_by="player", tells="move")
class Carried(Event):
    player: PlayerName
    units: UnitIds
    t: int
    origin: Origin
    hex: Destination


@event(rule="4.11.10", to="public")
class DropRolled(Event):
    player: Thrower
    what: str
    hex: Place
    dice: Roll
    needed: int
    landed: bool
