"""4.3, 4.6: Depots, loads and command spans."""

from __future__ import annotations

from typing import Annotated

from pbem.rules import Event, Phrase, Place, PlayerName, UnitId, UnitIds, event


@event(rule="4.2", tells="turn")
class PlayerTurnBegan(Event):
    owner: PlayerName
    chit: int
    detrained: UnitIds


@event(rule="4.2")
class LeaderReturned(Event):
    owner: PlayerName
    leader: UnitId
    hex: Place


@event(rule="10.6")
class LeaderWaits(Event):
    """A recovered leader who waits, because no supply city of the side is free of enemies."""

    owner: PlayerName
    leader: UnitId


@event(rule="4.3.1")
class DepotCreated(Event):
    owner: PlayerName
    depot: UnitId
    hex: Place
    given: dict[str, int]


@event(rule="4.3.2")
class SupplyLoaded(Event):
    owner: PlayerName
    source: UnitId
    train: UnitId
    hex: Place
    points: int
    source_left: int
    train_now: int


@event(rule="4.3.3")
class SpanSpecified(Event):
    owner: PlayerName
    leader: UnitId
    units: UnitIds
    leaders: UnitIds
    released: UnitIds
    span: int
    printed: int
    modifiers: tuple[str, ...]


@event(rule="4.3.3")
class LeftRoster(Event):
    owner: PlayerName
    units: UnitIds


@event(rule="4")
class OrderSkipped(Event):
    owner: PlayerName
    order: Annotated[str, Phrase("{what} of {unit}")]
    code: str
    reason: str
