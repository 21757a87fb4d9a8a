"""Events of movement, supply on the move, work and captures (rules 4.4, 4.6, 4.8)."""

from __future__ import annotations

from fractions import Fraction

from pbem.kit.odds import Modifier
from pbem.rules import (
    After,
    Before,
    Destination,
    Event,
    Flow,
    Origin,
    Place,
    Places,
    PlayerName,
    Roll,
    Thrower,
    UnitId,
    UnitIds,
    Way,
    event,
)


@event(rule="4.4.2", owned_by="player", tells="move")
class Moved(Event):
    """A move of a stack; `spent` and `of` are movement points of its slowest unit."""

    player: PlayerName
    units: UnitIds
    origin: Origin
    path: Way
    mode: str
    spent: str
    of: str
    stopped: str = ""


@event(rule="7.1", to="owner")
class Sighted(Event):
    """Units of the other side that are seen where they arrive, in a game with fog."""

    owner: PlayerName
    player: PlayerName
    units: UnitIds
    hex: Place


@event(rule="4.4.3", owned_by="player")
class ModeChanged(Event):
    player: PlayerName
    units: UnitIds
    hex: Place
    mode: str


@event(rule="4.4.5", owned_by="player")
class Fuelled(Event):
    player: PlayerName
    what: str
    units: UnitIds
    t: int
    source: str
    flows: tuple[Flow, ...] = ()


@event(rule="4.4.4", owned_by="player")
class Committed(Event):
    """A unit that keeps a path through an enemy zone open, and moves no more in this phase."""

    player: PlayerName
    unit: UnitId
    hex: Place


@event(rule="4.0.9", owned_by="player")
class ActionRefused(Event):
    """An action that is illegal, or has become so, and the reason."""

    player: PlayerName
    number: int
    action: str
    code: str
    reason: str


@event(rule="4.0.9", owned_by="player")
class ActionSkipped(Event):
    """An action whose `if` is false."""

    player: PlayerName
    number: int
    action: str


@event(rule="4.0.9", owned_by="player")
class LoopStopped(Event):
    """The rest of an order's actions, which is returned, and the reason."""

    player: PlayerName
    number: int
    left: int
    why: str


@event(rule="4.4.12", to="public", tells="capture")
class DumpCaptured(Event):
    player: Thrower
    hex: Place
    die: Roll
    percent: int
    found: int
    captured: int


@event(rule="4.4.12", to="public", tells="capture")
class SupplyFellTo(Event):
    """Supply that landed on an enemy dump and joins it (R-304)."""

    player: Thrower
    owner: PlayerName
    hex: Place
    t: int


@event(rule="4.4.12", to="public", tells="capture")
class PointsCaptured(Event):
    player: Thrower
    hex: Place
    die: Roll
    type: str
    captured: int
    load: int
    displaced: str = ""


@event(rule="4.4.12", to="public", tells="capture")
class HexTaken(Event):
    """R-102: A hex with a name, or one that counts for victory, that changes hands."""

    player: After
    hex: Place
    before: Before


@event(rule="4.4.12", to="public", tells="capture")
class FacilityTaken(Event):
    """A hedgehog, an air base or a port that changes hands."""

    player: PlayerName
    hex: Place
    what: str


@event(rule="4.0.6", to="public", tells="loss")
class Overstacked(Event):
    player: PlayerName
    unit: UnitId
    hex: Place


@event(rule="4.4.13", owned_by="player")
class StratLost(Event):
    player: PlayerName
    units: UnitIds


@event(rule="4.4.11", owned_by="player")
class DumpBlown(Event):
    player: Thrower
    hex: Place
    t: int
    die: Roll
    destroyed: int


@event(rule="4.4.7", to="public")
class Built(Event):
    player: PlayerName
    units: UnitIds
    hex: Place
    work: str
    paid: int


@event(rule="4.4.8", owned_by="player", tells="move")
class Hauled(Event):
    player: PlayerName
    units: UnitIds
    origin: Origin
    path: Way
    loaded: int
    unloaded: int
    spent: str
    of: str


@event(rule="4.4.9", owned_by="player", tells="move")
class Railed(Event):
    player: PlayerName
    units: UnitIds
    t: int
    origin: Origin
    path: Way
    cost: Fraction
    left: Fraction


@event(rule="4.4.10", owned_by="player", tells="move")
class Shipped(Event):
    player: PlayerName
    units: UnitIds
    t: int
    origin: Origin
    hex: Destination
    cost: Fraction


@event(rule="4.12.1", to="public", tells="move")
class Sailed(Event):
    player: PlayerName
    units: UnitIds
    origin: Origin
    path: Way


@event(rule="4.6", owned_by="player")
class Released(Event):
    player: PlayerName
    units: UnitIds


@event(rule="4.4.15", owned_by="player")
class BreakdownAbsorbed(Event):
    player: PlayerName
    parent: UnitId
    unit: UnitId
    hex: Place


@event(rule="4.4.8", owned_by="player")
class Regrouped(Event):
    """Transport points that were combined or divided."""

    player: PlayerName
    units: UnitIds
    hex: Place
    into: UnitIds


@event(rule="4.4.11", owned_by="player")
class ExtenderChanged(Event):
    """An Extender that is formed, becomes points again, or collapses to another hex."""

    player: PlayerName
    unit: UnitId
    hex: Place
    how: str


@event(rule="4.4.9", owned_by="player")
class RailConverted(Event):
    player: PlayerName
    unit: UnitId
    hexes: Places
    gauge: str


@event(rule="4.4.15", owned_by="player")
class BreakdownMade(Event):
    player: PlayerName
    parent: UnitId
    unit: UnitId
    hex: Place


@event(rule="4.12.7", owned_by="player")
class Embarked(Event):
    player: PlayerName
    craft: UnitIds
    units: UnitIds
    t: int
    hex: Place


@event(rule="4.12.7", owned_by="player", tells="move")
class Landed(Event):
    """Points and supply that a port unloads from Landing Craft."""

    player: PlayerName
    units: UnitIds
    t: int
    hex: Destination


@event(rule="4.12.7", to="public", tells="move")
class LandingRolled(Event):
    """A roll on T-ALT for a group of at most 3 RE."""

    player: Thrower
    hex: Destination
    units: UnitIds
    dice: Roll
    total: int
    result: str
    modifiers: tuple[Modifier, ...] = ()


@event(rule="4.12.7", to="public", tells="loss")
class CraftLost(Event):
    player: PlayerName
    craft: UnitId
    hex: Place
    points: int


@event(rule="4.12.7", to="public", tells="loss")
class BeachGivenUp(Event):
    """A beach that its defender yields: the defending units are lost, the attackers land."""

    player: PlayerName
    hex: Place
    units: UnitIds
