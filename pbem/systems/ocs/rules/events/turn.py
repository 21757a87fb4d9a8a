"""Events of the turn: weather, first player, arrivals, supply, victory (4.1 to 4.5, 4.13, 4.14)."""

from __future__ import annotations

from pbem.rules import Event, Flow, Place, PlayerName, Roll, Thrower, UnitId, UnitIds, event


@event(rule="4.14", to="public", tells="turn")
class GameTurnBegan(Event):
    turn: int
    last: int


@event(rule="4.1.1", to="public")
class WeatherRolled(Event):
    ground_die: Roll
    flight_die: Roll
    ground: str
    flight: str


@event(rule="4.15", to="public")
class SimulcastDeclared(Event):
    answers: dict[PlayerName, str]
    simulcast: bool


@event(rule="4.1.2", to="public")
class FirstPlayerRolled(Event):
    dice: dict[Thrower, Roll]
    totals: dict[PlayerName, int]
    winner: str = ""


@event(rule="4.1.2", to="public")
class FirstPlayerChosen(Event):
    player: PlayerName
    choice: str


@event(rule="4.2.1", owned_by="player")
class BaseRefitted(Event):
    player: PlayerName
    hex: Place
    source: str
    t: int
    planes: UnitIds


@event(rule="7.2", to="public")
class OrderSealed(Event):
    """A sealed order; only the question that it answers is known (R-305)."""

    player: PlayerName
    what: str
    segment: str = ""


@event(rule="7.2", to="public")
class OrderOpened(Event):
    """R-4: A sealed order that is opened because its question came.

    `text` is the order as in its file, empty if it orders nothing. `lapsed`: it held only unless attacked.
    """

    player: PlayerName
    what: str
    segment: str
    text: str
    lapsed: bool = False


@event(rule="4.2.2", to="public")
class DropSealed(Event):
    """A planned air drop, filed as a commitment."""

    player: PlayerName
    unit: UnitId


@event(rule="4.2.2", to="public")
class DropOpened(Event):
    """The content of an opened plan, and the turn when it was filed."""

    player: PlayerName
    unit: UnitId
    hex: Place
    turn: int
    filed: int


@event(rule="4.2.2", owned_by="player")
class DropDelayed(Event):
    player: PlayerName
    unit: UnitId
    turn: int


@event(rule="4.3.1", to="public", tells="arrival")
class Arrived(Event):
    player: PlayerName
    units: UnitIds
    hex: Place


@event(rule="4.3.2", to="public")
class SupplyReceived(Event):
    player: Thrower
    dice: Roll
    sp: int
    t: int
    hexes: dict[str, int]


@event(rule="4.3.1", owned_by="player")
class PointsFilled(Event):
    """Transport points loaded with supply that arrives in the same hex."""

    player: PlayerName
    units: UnitIds
    hex: Place
    t: int


@event(rule="4.3.3", to="public")
class ReplacementsReceived(Event):
    player: Thrower
    dice: Roll
    kinds: tuple[str, ...]
    units: UnitIds
    hex: str


@event(rule="4.3.4", owned_by="player")
class Rebuilt(Event):
    player: PlayerName
    unit: UnitId
    hex: Place
    spent: UnitIds


@event(rule="4.3.5", owned_by="player")
class Consolidated(Event):
    """A unit that takes the steps or the place of another."""

    player: PlayerName
    unit: UnitId
    other: UnitId


@event(rule="4.4.1", to="public")
class BreakoutRolled(Event):
    player: Thrower
    unit: UnitId
    hex: Place
    first_turn: bool
    die: Roll
    needed: int
    success: bool
    delay: Roll
    back: int


@event(rule="4.5.1", owned_by="player")
class StocksRecovered(Event):
    player: PlayerName
    unit: UnitId
    t: int
    now: str


@event(rule="4.5.1", owned_by="player")
class SupplyWasted(Event):
    player: PlayerName
    unit: UnitId
    t: int


@event(rule="4.0.5", owned_by="player")
class SupplyUsed(Event):
    """T paid in a hex: the dumps they are from, and the HQs that threw them."""

    player: PlayerName
    use: str
    hex: Place
    t: int
    sources: dict[Place, int]
    thrown: UnitIds
    flows: tuple[Flow, ...]


@event(rule="4.5.2", owned_by="player")
class TraceChecked(Event):
    """The units in trace with their providers, and the others: cut off by enemies, or too far."""

    player: PlayerName
    traced: dict[str, str]
    untraced: UnitIds
    cut_off: UnitIds = ()
    too_far: UnitIds = ()


@event(rule="4.5.3", owned_by="player")
class UnitsAte(Event):
    player: PlayerName
    units: UnitIds
    hex: str
    t: int
    flows: tuple[Flow, ...] = ()


@event(rule="4.5.3", to="public")
class OutOfSupply(Event):
    player: PlayerName
    units: UnitIds


@event(rule="4.5.4", to="public")
class AttritionRolled(Event):
    player: Thrower
    hex: Place
    rating: int
    dice: Roll
    drm: int
    loses: str


@event(rule="4.13", to="public")
class CleanedUp(Event):
    player: PlayerName
    dg: UnitIds
    exploit: UnitIds
    fuel: UnitIds
    rails: tuple[str, ...]


@event(rule="4.14", to="public", tells="score")
class VictoryCounted(Event):
    player: PlayerName
    points: int
    items: dict[str, int]


@event(rule="4.14", to="public", tells="end")
class GameWon(Event):
    result: str
    points: int
