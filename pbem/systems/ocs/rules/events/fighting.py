"""Events of combat, barrage, losses and retreats (rules 4.9, 4.10)."""

from __future__ import annotations

from typing import Annotated

from pbem.kit.odds import Line, Modifier
from pbem.rules import (
    Attacker,
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
    Way,
    event,
)


@event(rule="4.9.1", to="public", tells="battle")
class CombatDeclared(Event):
    """A declared attack: attackers, target, defenders, and the supply of both sides."""

    attacker: Attacker
    defender: Defender
    hex: Place
    type: str
    units: UnitIds
    defenders: UnitIds
    paid: dict[str, str]
    defence_supply: str
    dropped: UnitIds = ()


@event(rule="7.2", to="owner")
class Forces(Event):
    """A side's own units in a fight and their supply, in a game with fog."""

    owner: PlayerName
    hex: Place
    units: UnitIds
    paid: dict[str, str]
    dropped: UnitIds = ()


@event(rule="4.9.7", to="public", tells="result")
class CombatResolved(Event):
    """The result of a fight, with ratings, strengths, odds and surprise."""

    attacker: Thrower
    hex: Place
    attack: tuple[Line, ...]
    defence: tuple[Line, ...]
    strength: str
    against: str
    odds: str
    column: str
    modified: str
    rating: UnitId
    against_rating: UnitId
    surprise: Roll
    surprise_total: int
    surprised: str
    shift_die: Roll
    dice: Roll
    drm: int
    total: int
    result: str
    modifiers: tuple[Modifier, ...] = ()


@event(rule="4.0.12", owned_by="player")
class AnswerReplaced(Event):
    """A part of an answer or a standing order that is illegal; the default replaces it."""

    player: PlayerName
    code: str
    reason: str


@event(rule="4.9.2", owned_by="attacker")
class AttackCancelled(Event):
    """An attack that cannot be paid: it costs nothing and does not happen."""

    attacker: PlayerName
    hex: Place
    reason: str


@event(rule="4.0.7", to="public", tells="loss")
class StepLost(Event):
    player: Loser
    unit: UnitId
    hex: Place
    left: int | None
    lost: Annotated[int, Lost("step")]
    why: str


@event(rule="4.0.7", to="public", tells="loss")
class UnitEliminated(Event):
    player: Loser
    unit: UnitId
    hex: Place
    lost: Annotated[int, Lost("step")]
    why: str


@event(rule="4.0.8", to="public")
class BecameDisorganized(Event):
    player: PlayerName
    units: UnitIds
    hex: Place


@event(rule="4.9.8", to="public")
class OptionTaken(Event):
    """The choice for an option: losses and hexes of retreat, or to ignore it."""

    player: PlayerName
    hex: Place
    option: int
    losses: int
    retreat: int
    ignored: bool


@event(rule="4.9.9", to="public", tells="retreat")
class Retreated(Event):
    player: PlayerName
    units: UnitIds
    origin: Origin
    path: Way


@event(rule="4.9.10", to="public", tells="outcome")
class CombatEnded(Event):
    """The outcome of a fight for its hex: taken, vacated, held, or attackers repulsed."""

    attacker: PlayerName
    hex: Place
    outcome: str


@event(rule="4.9.10", to="public", tells=("move", "left"))
class Advanced(Event):
    player: PlayerName
    units: UnitIds
    hex: Destination


@event(rule="4.9.11", to="public")
class ExploitMarked(Event):
    player: PlayerName
    units: UnitIds
    rating: int


@event(rule="4.9.8", to="public")
class ReserveLost(Event):
    """Reserve markers lost by a result in the hex, or in a hedgehog at the end of a segment (R-13)."""

    player: PlayerName
    units: UnitIds
    hex: Place


@event(rule="4.9.3", owned_by="player")
class InternalStockUsed(Event):
    player: PlayerName
    unit: UnitId
    left: str


@event(rule="4.10", to="public", tells=("battle", "round", "result"))
class Barraged(Event):
    """A barrage of troops: strength, columns with their modifiers, dice, result."""

    player: ThrowingAttacker
    hex: Place
    units: UnitIds
    by: str
    strength: int
    entered: str
    column: str
    paid: int
    dice: Roll
    half: Roll
    result: str
    lost: int
    modifiers: tuple[Modifier, ...] = ()


@event(rule="4.10", to="public", tells=("battle", "round", "result"))
class FacilityBarraged(Event):
    """A barrage of an air base, a port or a railroad."""

    player: ThrowingAttacker
    hex: Place
    units: UnitIds
    target: str
    strength: int
    column: str
    paid: int
    die: Roll
    result: str
    effect: str


@event(rule="4.10", to="public", tells="loss")
class AircraftChecked(Event):
    """A die for an aircraft on a base that was hit or captured."""

    player: Loser
    plane: UnitId
    die: Roll
    needed: int
    lost: Annotated[int, Lost("step")]


@event(rule="4.12.3", to="public", tells=("battle", "result"))
class ShipFiredAt(Event):
    player: ThrowingAttacker
    ship: UnitId
    hex: Place
    units: UnitIds
    strength: int
    entered: str
    column: str
    dice: Roll
    half: Roll
    result: str
    effect: str


@event(rule="4.12.4", to="public", tells="loss")
class ShipLost(Event):
    player: Loser
    ship: UnitId
    hex: Place
    why: str
