"""4.1, 4.3 to 4.7, 4.23: Victory, seasons, administration, delay."""

from __future__ import annotations

from pbem.rules import (
    Attacker,
    AttackingUnit,
    Defender,
    DefendingUnit,
    Destination,
    Event,
    Place,
    Places,
    PlayerName,
    Prose,
    Proses,
    Roll,
    UnitId,
    UnitIds,
    event,
)


@event(rule="4.1", to="public", tells="score")
class VictoryChecked(Event):
    held: Places
    lost: Places
    modifier: int
    csv: int
    before: str
    marker: str


@event(rule="4.1", to="public", tells="end")
class GameWon(Event):
    result: str
    why: Prose
    csv: int


@event(rule="4.3", to="public")
class MarkerPlaced(Event):
    """A logistics marker or partisan base that is placed, moved or removed."""

    power: PlayerName
    marker: UnitId
    hex: Place
    what: str


@event(rule="4.4", to="public", tells="arrival")
class Replaced(Event):
    power: PlayerName
    unit: UnitId
    hex: Place
    step: Prose


@event(rule="4.4", to="public")
class StepsCounted(Event):
    power: PlayerName
    steps: Proses


@event(rule="4.4", to="public")
class StepsForgone(Event):
    power: PlayerName
    steps: Proses


@event(rule="4.6.1", to="public")
class ReturnedToBase(Event):
    power: PlayerName
    units: UnitIds
    went: str


@event(rule="4.6.2", to="public")
class BeachheadRemoved(Event):
    power: PlayerName
    marker: UnitId
    hex: Place
    why: Prose


@event(rule="4.6.3", to="public", tells="arrival")
class Placed(Event):
    power: PlayerName
    unit: UnitId
    hex: Destination
    what: str


@event(rule="4.6.3", to="public", tells="battle")
class Contested(Event):
    """A contest, in which both counters leave play."""

    power: Defender
    unit: DefendingUnit
    by: Attacker
    contester: AttackingUnit
    place: Place
    went: str
    contester_went: str


@event(rule="4.6.5", to="public", tells="loss")
class LostAtSea(Event):
    power: PlayerName
    unit: UnitId
    hex: Place
    went: str


@event(rule="4.7", to="public")
class Organized(Event):
    """A combination, conversion, breakdown or detachment: the units before and after."""

    power: PlayerName
    what: str
    units: UnitIds
    into: Proses
    hex: Place


@event(rule="4.23", to="public")
class Delayed(Event):
    power: PlayerName
    unit: UnitId
    die: Roll
    drm: int
    result: int
    back: int


@event(rule="4.23", to="public", tells="turn")
class TurnBegan(Event):
    turn: int
    name: str
    weather: dict[str, str]
    returned: UnitIds


@event(rule="4.27", to="public")
class StandingFired(Event):
    """A standing order that answered a question, quoted as filed without secret counters."""

    power: PlayerName
    decision: str
    order: str
