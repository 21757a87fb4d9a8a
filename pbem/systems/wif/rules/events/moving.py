"""4.7: Events of movement and combat."""

from __future__ import annotations

from pbem.rules import (
    After,
    Attacker,
    AttackingUnits,
    Before,
    DefendingUnit,
    DefendingUnits,
    Destination,
    Event,
    MaybeUnit,
    Origin,
    Place,
    PlayerName,
    Roll,
    UnitId,
    UnitIds,
    Way,
    event,
)


@event(rule="4.7.1", to="public", tells="move")
class Marched(Event):
    power: PlayerName
    unit: UnitId
    origin: Origin
    path: Way


@event(rule="4.7.2", to="public", tells="move")
class Railed(Event):
    power: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination


@event(rule="4.7.3", to="public", tells="move")
class Sailed(Event):
    power: PlayerName
    units: UnitIds
    origin: Origin
    hex: Destination
    loaded: UnitIds = ()


@event(rule="4.7.8", to="public", tells="move")
class Flew(Event):
    """An aircraft flies to the sea or to another base, perhaps with a unit."""

    power: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination
    carries: MaybeUnit = ""


@event(rule="4.7.6", to="public", tells="move")
class Landed(Event):
    """A land unit leaves its ship, or drops from the air."""

    power: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination
    how: str


@event(rule="4.7.1", to="public", tells="capture")
class Taken(Event):
    """A hex changes hands."""

    power: After
    hex: Place
    before: Before


@event(rule="4.7.6", to="public")
class PortDamaged(Event):
    hex: Place


@event(rule="4.7.4", to="public", tells=("battle", "round", "result"))
class GroundStruck(Event):
    """A ground strike or port attack: factors, a die for each target, units turned face-down."""

    hex: Place
    factors: int
    dice: dict[DefendingUnit, Roll]
    hits: UnitIds


@event(rule="4.7.5", to="public", tells=("battle", "round", "result"))
class Bombed(Event):
    """Strategic bombardment."""

    hex: Place
    die: Roll
    factors: int
    total: int
    out: int
    port: bool = False


@event(rule="4.7.3", to="public", tells=("battle", "round", "result"))
class NavalSearch(Event):
    """A search of both sides for each other. `units` are those of the side that began it."""

    area: Place
    dice: dict[PlayerName, Roll]
    needed: dict[PlayerName, int]
    found: tuple[PlayerName, ...]
    units: AttackingUnits
    defenders: DefendingUnits


@event(rule="4.7.3", to="public", tells=("battle", "round", "result"))
class NavalShots(Event):
    """One side's shots."""

    area: Place
    side: PlayerName
    attack: int
    dice: tuple[Roll, ...]
    aborted: UnitIds
    sunk: UnitIds


@event(rule="4.7.7", to="public", tells="battle")
class Attacked(Event):
    """A land combat: strengths, odds, die, modifiers, result."""

    power: Attacker
    hex: Place
    units: AttackingUnits
    defenders: DefendingUnits
    strengths: str
    odds: str
    die: Roll
    modifiers: dict[str, int]
    row: int
    result: str


@event(rule="4.7.7", to="public", tells="retreat")
class Retreated(Event):
    power: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination
    shattered: bool = False


@event(rule="4.7.7", to="public", tells="move")
class Advanced(Event):
    power: PlayerName
    unit: UnitId
    origin: Origin
    hex: Destination
