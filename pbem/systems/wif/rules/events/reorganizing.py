"""Events of reorganization (4.6) and of the air missions around it."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import (
    AttackingUnits,
    Event,
    MaybeUnit,
    Phrase,
    Place,
    PlayerName,
    Prose,
    Proses,
    Roll,
    UnitId,
    UnitIds,
    event,
)

Reason = Annotated[
    str,
    Phrase("combat in {place}"),
    Phrase("air combat over {place}"),
    Phrase("sunk in {place}"),
    Phrase("{place} was taken"),
]
"""The reason why something was lost or turned, with its place if the text names one."""


@event(rule="4.6.1", to="public")
class PointsAccrued(Event):
    """The points of a power in this occasion."""

    power: PlayerName
    points: int


@event(rule="4.6.3", to="public")
class Reorganized(Event):
    """The points that a unit receives: method, path, cost, remainder.

    With `flag` it was shattered and only lost its flag.
    """

    power: PlayerName
    unit: UnitId
    hex: Place
    method: str
    source: str
    working: Prose
    points: int
    left: int
    flag: bool = False
    fuel: int = 0


@event(rule="4.6.7", to="public")
class PortRepaired(Event):
    """The repair of a damaged port."""

    power: PlayerName
    hex: Place
    working: Prose
    points: int
    left: int


@event(rule="4.6.13", to="public")
class SupplyUnitActive(Event):
    """A supply unit makes a headquarters a primary source."""

    power: PlayerName
    unit: UnitId
    hq: UnitId


@event(rule="4.6.1", to="public")
class PointsLost(Event):
    """The points of a power that were used and lost, by method, and its units still face-down."""

    power: PlayerName
    used: int
    lost: int
    down: UnitIds


@event(rule="4.10", to="public")
class SourcesUsed(Event):
    """The counts of the occasion at its end."""

    counters: dict[Prose, str]


@event(rule="4.5.4", to="public")
class Turned(Event):
    """A unit that turns face-up or face-down, and the reason."""

    power: PlayerName
    unit: UnitId
    face: str
    reason: Prose


@event(rule="4.6.4", to="public")
class MissionAnnounced(Event):
    """Powers that will fly air reorganization."""

    powers: tuple[PlayerName, ...]


@event(rule="4.6.4", to="public", tells="approach")
class Patrolled(Event):
    """Fighters of a player over a hex, and their part: patrol, escort, interceptors, bombers."""

    player: PlayerName
    part: str
    hex: Place
    units: UnitIds


@event(rule="4.6.4", to="public", tells=("battle", "round", "result"))
class AirRound(Event):
    """A round of air-to-air combat: strengths, differences, dice, results, losses."""

    hex: Place
    round: int
    fighters: dict[PlayerName, tuple[MaybeUnit, ...]]
    bombers: AttackingUnits
    strengths: dict[PlayerName, str]
    difference: dict[PlayerName, int]
    dice: dict[PlayerName, Roll]
    results: dict[PlayerName, str]
    aborted: UnitIds = ()
    destroyed: UnitIds = ()
    cleared: UnitIds = ()


@event(rule="4.6.4", to="public")
class AirAborted(Event):
    """A side leaves an air combat."""

    hex: Place
    side: PlayerName


@event(rule="4.6.4", to="public", tells=("battle", "round", "result", "fire"))
class FlakFired(Event):
    """Anti-aircraft fire: the factors, the die, the effect."""

    hex: Place
    factors: int
    die: Roll
    total: int
    result: str
    unit: MaybeUnit = ""


@event(rule="4.6.4", to="public")
class Delivered(Event):
    """An air transport, and the units it served."""

    power: PlayerName
    atr: UnitId
    hex: Place
    units: UnitIds
    refused: Proses = ()


@event(rule="4.6.4", to="public", tells="move")
class Returned(Event):
    """An aircraft returns to a base, face-down."""

    power: PlayerName
    unit: UnitId
    hex: Place


@event(rule="4.6.4", to="public", tells="loss", costs={"unit": 1})
class Destroyed(Event):
    """A unit that goes out of play, and the reason."""

    power: PlayerName
    units: UnitIds
    reason: Reason
