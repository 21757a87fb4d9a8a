"""Events of the turn: arrivals, initiative, weather, actions, end, production (4.2 to 4.9)."""

from __future__ import annotations

from pbem.rules import Event, MaybeUnit, Place, PlayerName, Prose, Proses, Roll, UnitId, UnitIds, event


@event(rule="4.6.1", to="public", tells="turn")
class TurnBegan(Event):
    """The turn, its months, and the reorganization points of each power for each occasion."""

    turn: int
    last: int
    season: str
    rates: dict[PlayerName, int]


@event(rule="4.2", to="public")
class EventHappened(Event):
    """A change that the scenario makes at the beginning of a turn."""

    what: str
    names: Proses


@event(rule="4.2", to="public", tells="arrival")
class Arrived(Event):
    """A unit is placed."""

    power: PlayerName
    unit: UnitId
    hex: Place


@event(rule="4.2", to="public")
class NotPlaced(Event):
    """A unit without a legal place, which waits a turn."""

    power: PlayerName
    unit: MaybeUnit


@event(rule="4.8.3", to="public")
class HullReady(Event):
    """The end of a ship's first cycle. Its second may be bought."""

    power: PlayerName
    unit: MaybeUnit
    cost: int


@event(rule="4.3", to="public")
class Promised(Event):
    """A promise of build points from one power to another."""

    power: PlayerName
    to_power: PlayerName
    bp: int


@event(rule="4.4", to="public")
class InitiativeRolled(Event):
    """Dice and totals of both sides."""

    dice: dict[str, Roll]
    totals: dict[str, int]
    marker: int
    winner: str


@event(rule="4.4", to="public")
class RerollDemanded(Event):
    """A side that gives up a box of the marker for another roll."""

    side: str
    marker: int


@event(rule="4.4", to="public")
class OrderChosen(Event):
    """The side that moves first in each pair of impulses."""

    side: str
    choice: str
    first: str


@event(rule="4.5.1", to="public")
class WeatherRolled(Event):
    """The weather of each zone, and the number of dice for the end of the turn."""

    die: Roll
    weather: dict[str, str]
    advance: int


@event(rule="4.5", to="public")
class ImpulseBegan(Event):
    """The beginning of a side's impulse."""

    impulse: int
    side: str


@event(rule="4.5.2", to="public", tells="turn")
class WarDeclared(Event):
    """An attack on a country, the power that it joins, and its army."""

    power: PlayerName
    country: str
    joins: PlayerName
    units: UnitIds = ()


@event(rule="4.5.2", to="public")
class ActionChosen(Event):
    """A power's action and what it allows."""

    power: PlayerName
    action: str
    limits: dict[str, str]


@event(rule="4.10", to="public")
class ActivitiesLeft(Event):
    """The rest of the limited activities that a power used in a step."""

    power: PlayerName
    step: str
    left: dict[str, int]


@event(rule="4.5.2", to="public")
class ChitPlayed(Event):
    """The play of an offensive chit."""

    power: PlayerName
    chit: str
    hq: MaybeUnit = ""
    left: int = 0


@event(rule="4.0.3", to="public")
class OrderRefused(Event):
    """An entry that was skipped: its number, the code, the sentence."""

    power: PlayerName
    step: str
    number: int
    code: str
    text: Prose


@event(rule="6.1", to="public")
class AnsweredBy(Event):
    """The part of a letter or standing order that answered a point in place of its player."""

    player: PlayerName
    point: str
    by: str


@event(rule="6.1", to="public")
class LeftUndone(Event):
    """The points that a player left to the default for want of a standing order.

    With `lacking` they are the standing orders that the player has not given.
    """

    player: PlayerName
    points: tuple[str, ...]
    lacking: bool = False


@event(rule="4.8.1", to="public")
class LastImpulseTested(Event):
    """The test for the last impulse: dice, bonus for passes, the total so far."""

    side: str
    dice: tuple[Roll, ...]
    bonus: int
    number: int
    threshold: int
    ends: bool


@event(rule="4.8.1", to="public")
class MarkerMoved(Event):
    """A shift of the initiative marker against the side with the first and last impulse."""

    marker: int


@event(rule="4.8.2", to="public", tells="move")
class CameHome(Event):
    """A ship or an aircraft returns from the sea."""

    power: PlayerName
    unit: UnitId
    hex: Place


@event(rule="4.8.3", to="public")
class Produced(Event):
    """The build points of a power, and their sources."""

    power: PlayerName
    factories: int
    resources: int
    bp: int
    borrowed: int = 0
    lent: int = 0


@event(rule="4.8.3", to="public")
class Spent(Event):
    """A power's purchases, and its rate of the next turn that follows from them."""

    power: PlayerName
    built: tuple[MaybeUnit, ...]
    other: int
    rp: int
    saved: int
    rate: int
    fuel: int = 0


@event(rule="4.9", to="public", tells="capture")
class Conquered(Event):
    """A minor country falls."""

    country: str
    power: PlayerName
    units: UnitIds


@event(rule="10.4", to="public", tells="score")
class Scored(Event):
    """The points of the side that is counted."""

    side: str
    points: int
    places: dict[Prose, int]


@event(rule="10.4", to="public", tells="end")
class GameWon(Event):
    """The end of the game."""

    result: str
    points: int
