"""4.13 to 4.25: Attacks, losses, retreats, advances."""

from __future__ import annotations

from typing import Annotated

from pbem.kit.odds import Working
from pbem.rules import (
    Attacker,
    AttackingUnit,
    AttackingUnits,
    Defender,
    DefendingUnit,
    DefendingUnits,
    Destination,
    Event,
    Loser,
    Lost,
    MaybeUnit,
    Origin,
    Place,
    PlayerName,
    Prose,
    Roll,
    UnitId,
    UnitIds,
    Way,
    event,
)


@event(rule="4.13", to="public", tells="battle")
class Attacked(Event):
    """An attack: odds, column, modifiers, die, result before and after the weather."""

    power: Attacker
    attack: str
    segment: str
    hex: Place
    units: AttackingUnits
    hq: AttackingUnit
    defender: Defender
    defenders: DefendingUnits
    defender_hq: DefendingUnit
    strength: int
    defence: int
    die: Roll
    working: Working
    result: str
    weather: str


@event(rule="4.13.9", to="public", tells="battle")
class MarkersTaken(Event):
    """An attack on markers alone, which succeeds without a die."""

    power: PlayerName
    hex: Place
    markers: DefendingUnits


@event(rule="4.13.6", to="public")
class ChoiceMade(Event):
    """The choice of a retreat or a step loss after Ad or Ex."""

    power: PlayerName
    hex: Place
    choice: str


@event(rule="4.24", to="public", tells="retreat")
class Retreated(Event):
    power: PlayerName
    units: UnitIds
    origin: Origin
    path: Way
    swept: UnitIds = ()


@event(rule="4.24", to="public")
class Converted(Event):
    """Hexes of a retreat that become step losses, by choice or because there is no way."""

    power: PlayerName
    hex: Place
    hexes: int
    why: Prose


@event(rule="4.25", to="public", tells="loss")
class StepLost(Event):
    power: Loser
    unit: UnitId
    hex: Place
    left: int
    instead: MaybeUnit
    went: str
    steps: Annotated[int, Lost("step")] = 1


@event(rule="4.13.8", to="public", tells="move")
class Advanced(Event):
    """An advance, or an exploitation if the path is longer."""

    power: PlayerName
    unit: UnitId
    origin: Origin
    path: Way


@event(rule="4.13", to="public")
class ItemRefused(Event):
    """A part of an order that is illegal when its turn comes. It alone is left out."""

    power: PlayerName
    what: Prose
    code: str
    message: Prose


@event(rule="4.28", to="public")
class ItemSkipped(Event):
    """A part of an order whose guard does not hold."""

    power: PlayerName
    what: Prose
    stops: bool


@event(rule="4.28", to="public")
class UnitsTakenOut(Event):
    """R-301: Units that an order names in two attacks, taken out of the later one."""

    power: PlayerName
    attack: str
    units: UnitIds


@event(rule="4.16", to="public", tells="loss")
class Overstacked(Event):
    power: Loser
    unit: UnitId
    hex: Place
    why: Prose
    left: int
    instead: MaybeUnit
    went: str
    steps: Annotated[int, Lost("step")] = 1


@event(rule="4.17", to="public", tells="move")
class Airdropped(Event):
    power: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination


@event(rule="4.19", to="public", tells="move")
class Landed(Event):
    power: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination


@event(rule="4.20", to="public", tells="arrival")
class AirdropLanded(Event):
    """An Airdrop marker that goes to the Delay Box, and the infantry that it landed, if any."""

    power: PlayerName
    marker: UnitId
    hex: Place
    infantry: MaybeUnit


@event(rule="4.21", to="public")
class StrikeReturned(Event):
    power: PlayerName
    unit: UnitId
    hex: Place
    box: Destination


@event(rule="4.22", to="public", tells="loss")
class MarkerRemoved(Event):
    power: Loser
    marker: UnitId
    hex: Place
    went: str
    why: Prose
