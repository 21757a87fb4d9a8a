"""Events of Diplomacy."""

from __future__ import annotations

from typing import Literal

from pbem.rules import (
    After,
    Before,
    Destination,
    Event,
    Losses,
    Origin,
    Place,
    Places,
    PlayerName,
    UnitId,
    Way,
    event,
)

from .atlas import Kind, Why

Gone = Literal["no-way", "ordered", "met", "adjustment", "disorder"]


@event(rule="1.1", to="public", tells="turn")
class PhaseBegan(Event):
    year: int
    season: Literal["spring", "fall", "winter"]


@event(rule="2.2", to="public", tells="move")
class Moved(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    origin: Origin
    path: Way
    coast: str
    convoyed: bool


@event(rule="3.1", to="public")
class MoveFailed(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    hex: Place
    goal: Destination
    why: Why


@event(rule="2.1", to="public")
class Held(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    hex: Place


@event(rule="2.3", to="public")
class Supported(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    hex: Place
    helped: Place
    goal: Destination
    why: Why


@event(rule="2.4", to="public")
class Convoyed(Event):
    player: PlayerName
    unit: UnitId
    hex: Place
    helped: Place
    goal: Destination
    why: Why


@event(rule="3.1", to="public")
class Dislodged(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    hex: Place
    attacker: PlayerName
    ways: Places


@event(rule="4.2", to="public", tells="retreat")
class Retreated(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    origin: Origin
    path: Way
    coast: str


@event(rule="4.2", to="public", tells="loss")
class Disbanded(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    hex: Place
    losses: Losses
    why: Gone


@event(rule="5.3", to="public", tells="capture")
class CentreTaken(Event):
    hex: Place
    before: Before
    after: After


@event(rule="5.3", to="public", tells="score")
class CentresCounted(Event):
    centres: dict[PlayerName, int]


@event(rule="5.1", to="public", tells="arrival")
class Built(Event):
    player: PlayerName
    unit: UnitId
    type: Kind
    hex: Place
    coast: str


@event(rule="5.1", to="public")
class Waived(Event):
    player: PlayerName
    builds: int


@event(rule="7.3", to="gm")
class Noted(Event):
    player: PlayerName
    readers: tuple[PlayerName, ...]
    text: str


@event(rule="6.3", to="public")
class Voted(Event):
    draw: tuple[PlayerName, ...]
    conceding: dict[PlayerName, PlayerName]
    against: tuple[PlayerName, ...]
    sharing: dict[PlayerName, tuple[PlayerName, ...]] | None = None


@event(rule="6.2", to="public", tells="end")
class Won(Event):
    winner: PlayerName
    centres: int
    conceded: bool


@event(rule="6.3", to="public", tells="end")
class Drawn(Event):
    players: tuple[PlayerName, ...]
    voted: bool
