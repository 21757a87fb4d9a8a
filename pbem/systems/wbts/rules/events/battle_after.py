"""4.8.11 to 4.8.16: Events of the end of a battle: retreats, the advance, lone leaders."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import (
    After,
    Destination,
    Event,
    HexNumber,
    Lost,
    Origin,
    Phrase,
    PlayerName,
    UnitId,
    UnitIds,
    event,
)

from .battle import OfBattle

Left = Annotated[str, Phrase("{unit} to {to}")]


@event(rule="4.8.11", to="public", tells="result")
class RetreatNotRequired(OfBattle):
    """An exemption of defenders from a retreat. They stay."""

    side: PlayerName
    reason: str


@event(rule="4.8.11", to="public", tells="retreat")
class UnitsRetreated(Event):
    """The units that left a combat hex, with destinations. `why` is required, overrun or voluntary."""

    number: int
    hex: Origin
    side: PlayerName
    why: str
    moves: tuple[Left, ...]
    sheltered: UnitIds


@event(rule="4.8.11")
class WentAlong(Event):
    """Leaders, HQs and trains that left or advanced with revealed units, for their owner."""

    owner: PlayerName
    hex: Origin
    moves: tuple[Left, ...]


@event(rule="4.8.11", to="public", tells="loss")
class UnitTrapped(OfBattle):
    """A unit that had to retreat and was destroyed, with a prohibition for each adjacent hex."""

    side: PlayerName
    unit: UnitId
    sp: Annotated[int, Lost("point")]
    supply: int
    barred: tuple[str, ...]


@event(rule="4.8.12", to="public")
class NobodyWithdrew(OfBattle):
    """A side that might have retreated, and stayed."""

    side: PlayerName


@event(rule="4.8.14", to="public", tells="left")
class Advanced(OfBattle):
    """The units that entered the hex."""

    place: str
    side: PlayerName
    units: UnitIds


@event(rule="4.8.14", to="public")
class NoAdvance(OfBattle):
    """The reason why no unit advances."""

    side: PlayerName
    reason: str


@event(rule="4.8.14", to="public")
class LeftBehind(Event):
    """The capture of logistic units and HQs without a leader, destroyed with their supply."""

    hex: HexNumber
    side: PlayerName
    units: tuple[str, ...]
    sp: Annotated[int, Lost("point")]


@event(rule="4.8.14", to="public", tells="capture")
class HexTaken(Event):
    """A settlement, fort or rails that changed owner."""

    hex: HexNumber
    place: str
    side: PlayerName
    taken: tuple[str, ...]


@event(rule="4.8.16", to="public", tells="retreat")
class LeaderDisplaced(Event):
    """A leader without troops who joined the nearest ones."""

    side: PlayerName
    leader: UnitId
    origin: Origin
    destination: Destination


@event(rule="4.8.16", to="public", tells="loss", costs={"leader": 1})
class LeaderCaptured(Event):
    """A leader without troops or a refuge, who was captured."""

    side: PlayerName
    leader: UnitId
    hex: HexNumber


@event(rule="4.8.16", to="public")
class HeadquartersLost(Event):
    """A lone HQ that was removed."""

    side: PlayerName
    unit: UnitId


@event(rule="4.4.5", to="public")
class UnitsDetrained(Event):
    """Units that were attacked on their trains, and have left them."""

    hex: HexNumber
    units: UnitIds


@event(rule="4.8", to="public", tells="outcome")
class BattleEnded(OfBattle):
    """The end of a battle: the holder of the hex, and losses of both sides to date."""

    place: str
    holder: After
    losses_sp: dict[PlayerName, int]
